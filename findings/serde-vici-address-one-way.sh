#!/usr/bin/env bash
# serde_vici, below the Rust crate rsvici for strongSwan's control: an address is written as text, and that text cannot be read. A message with an IpAddr
# or a SocketAddr, or with an array of fixed length, goes to the daemon and does not come back, and the error is about something else.
#
# Crates: serde_vici 0.1.5, serde 1.0.229 and the ones that they need (crates.io); seen with Rust 1.95 on 2026-12-01.
# Input: a message with one key, written by to_vec and read by from_slice of the same type. strongSwan sends local-host and remote-host of list-sas as such
#   text, with dots or colons.
# Behaviour: the Serializer says is_human_readable, the Deserializer says it is not. So serde's own types write their text and then want bytes: an
#   IpAddr the names V4 or V6, an Ipv4Addr a list of four numbers. An array ends after its last element, and the end of the list is then no key.
#   A String, with parse() after it, and a Vec are the ways out.
#
# Output seen (type: the value written; what reading it gives):
#   String: 10.0.0.1; Ok("10.0.0.1")
#   u32: 3600; Ok(3600)
#   bool: yes; Ok(true)
#   IpAddr: 10.0.0.1; unknown variant `10.0.0.1`, expected `V4` or `V6`
#   Ipv4Addr: 10.0.0.1; invalid element type 0x0 at position 7
#   Ipv6Addr: ::1; invalid element type 0x0 at position 7
#   SocketAddr: 10.0.0.1:500; unknown variant `10.0.0.1:500`, expected `V4` or `V6`
#   Vec of two numbers: a list; Ok([1, 2])
#   array of two numbers: a list; unexpected element type 0x6 at position 16
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the crates cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/try/src"
cd "$work/try"
cat >Cargo.toml <<'TOML'
[package]
name = "try"
version = "0.1.0"
edition = "2021"

[dependencies]
serde = "=1.0.229"
serde_vici = "=0.1.5"
TOML
cat >src/main.rs <<'RUST'
use serde::{de::DeserializeOwned, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

fn write<T: Serialize>(value: T) -> Vec<u8> {
    serde_vici::to_vec(&BTreeMap::from([("field", value)])).unwrap()
}

fn read<T: DeserializeOwned + Debug>(bytes: &[u8]) -> String {
    match serde_vici::from_slice::<BTreeMap<String, T>>(bytes) {
        Ok(message) => format!("Ok({:?})", message["field"]),
        Err(error) => error.to_string(),
    }
}

fn there_and_back<T: Serialize + DeserializeOwned + Debug>(name: &str, value: T) {
    let bytes = write(value);
    // A type, the length of the key, the key, two bytes of length, the value.
    println!("{name}: {}; {}", String::from_utf8_lossy(&bytes[9..]), read::<T>(&bytes));
}

fn main() {
    there_and_back("String", "10.0.0.1".to_string());
    there_and_back("u32", 3600u32);
    there_and_back("bool", true);
    there_and_back("IpAddr", IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)));
    there_and_back("Ipv4Addr", Ipv4Addr::new(10, 0, 0, 1));
    there_and_back("Ipv6Addr", Ipv6Addr::LOCALHOST);
    there_and_back("SocketAddr", SocketAddr::from(([10, 0, 0, 1], 500)));
    println!("Vec of two numbers: a list; {}", read::<Vec<u32>>(&write([1u32, 2])));
    println!("array of two numbers: a list; {}", read::<[u32; 2]>(&write([1u32, 2])));
}
RUST
CARGO_TARGET_DIR=$work/target cargo build -q >cargo.log 2>&1 || { tail -5 cargo.log; exit 2; }
"$work/target/debug/try" | tee seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
