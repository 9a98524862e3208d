//! The installed peer: gost-engine's provider, timed by `openssl speed` as its users would.

use std::process::{Command, Stdio};

/// Our names of algorithms and the peer's.
const ALGORITHMS: [(&str, &str); 10] = [
    ("kuznyechik-ecb", "kuznyechik-ecb"),
    ("kuznyechik-ctr", "kuznyechik-ctr"),
    ("kuznyechik-ctr-acpkm", "kuznyechik-ctr-acpkm"),
    ("kuznyechik-cbc", "kuznyechik-cbc"),
    ("magma-ctr", "magma-ctr"),
    ("magma-cbc", "magma-cbc"),
    ("gost89", "gost89"),
    ("gost89-cnt-12", "gost89-cnt-12"),
    ("streebog256", "md_gost12_256"),
    ("streebog512", "md_gost12_512"),
];

/// Returns the peer's name, or the reason why it is missing.
pub fn find() -> Result<String, String> {
    let mut openssl = openssl(&["list", "-digest-algorithms"]);
    let ran = openssl.output().map_err(|e| format!("openssl cannot be run: {e}"))?;
    if !String::from_utf8_lossy(&ran.stdout).contains("md_gost12_512") {
        return Err(
            "openssl has no provider gostprov: apt-get install libengine-gost-openssl (Debian 12)"
                .into(),
        );
    }
    let version = Command::new("openssl").arg("version").output().map_err(|e| e.to_string())?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let words: Vec<&str> = version.split(' ').take(2).collect();
    Ok(format!("gostprov under {}", words.join(" ")))
}

fn openssl(args: &[&str]) -> Command {
    let (word, rest) = args.split_first().expect("a word");
    let mut command = Command::new("openssl");
    command.arg(word).args(["-provider", "gostprov", "-provider", "default"]).args(rest);
    command.stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// Returns the peer's speed in bytes per second for this algorithm of ours, on 16 KiB; `None` if it lacks the
/// algorithm.
pub fn speed(algorithm: &str) -> Option<f64> {
    let (_, theirs) = ALGORITHMS.iter().find(|(ours, _)| *ours == algorithm)?;
    let args = ["speed", "-evp", theirs, "-bytes", "16384", "-seconds", "1", "-elapsed", "-mr"];
    let out = openssl(&args).output().ok()?;
    // +F:25:kuznyechik-ctr:98952533.33
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let line = text.lines().find(|line| line.starts_with("+F:"))?;
    line.rsplit(':').next()?.parse().ok().filter(|speed| *speed > 0.0)
}
