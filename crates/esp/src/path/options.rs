//! The devices that the path needs: options of the command, with its help as their comments.

use std::net::IpAddr;

use clap::{ArgAction, Args, value_parser};

#[derive(Clone, Debug, Args)]
#[allow(missing_docs, reason = "clap would print it in the place of the command's own text")]
pub struct Options {
    /// The TUN device, which is created if it does not exist
    #[arg(long, value_name = "NAME", default_value = "bulat0", value_parser = device)]
    pub tun: String,
    /// The MTU of the TUN device
    #[arg(long, value_name = "BYTES", default_value_t = 1400, value_parser = value_parser!(u32).range(576..=65535))]
    pub tun_mtu: u32,
    /// Queues of the TUN, each with a thread
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=64))]
    pub queues: u16,
    /// A UDP port, with a thread; may be repeated [default: 4500]
    #[arg(long = "port", value_name = "PORT", value_parser = value_parser!(u16).range(1..))]
    pub ports: Vec<u16>,
    /// An address of ours; may be repeated [default: all]
    #[arg(long = "listen", value_name = "ADDRESS")]
    pub listen: Vec<IpAddr>,
    /// Only UDP, without protocol 50
    #[arg(long = "no-raw", action = ArgAction::SetFalse)]
    pub raw: bool,
    /// The mark of outer packets, such as 0x42, by which a routing rule keeps them out of the TUN
    #[arg(long, value_name = "NUMBER", value_parser = number)]
    pub mark: Option<u32>,
    /// No segmentation by the system: each packet in a separate call
    #[arg(long = "no-offloads", action = ArgAction::SetFalse)]
    pub offloads: bool,
    /// Bytes of each socket's buffers
    #[arg(long, value_name = "BYTES", default_value_t = 4 << 20, value_parser = value_parser!(u32).range(4096..=1 << 30))]
    pub buffer: u32,
    /// Seconds until a narrow path is tried again with longer packets
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = value_parser!(u64).range(1..=86400))]
    pub narrow: u64,
}

/// A name of a device, as the kernel allows it.
fn device(text: &str) -> Result<String, String> {
    let good = (1..16).contains(&text.len())
        && !text.contains(|c: char| {
            c == '/' || c == ':' || c == '%' || c.is_whitespace() || c.is_control()
        })
        && !matches!(text, "." | "..");
    match good {
        true => Ok(text.into()),
        false => {
            Err("a device's name has 1 to 15 bytes, and no slash, colon, percent or space".into())
        }
    }
}

/// A number, decimal or with 0x; 0 is no mark.
fn number(text: &str) -> Result<u32, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.ok().filter(|n| *n > 0).ok_or_else(|| "a mark is a number from 1, below 2^32".into())
}
