//! The data path of GOST ESP (RFC 9227): packets of a TUN device, sealed and opened in bursts, in UDP (RFC 3948) or as
//! protocol 50. An IKEv2 daemon gives it the security associations over a Unix socket; no key comes by hand.
//!
//! | room | contents |
//! |---|---|
//! | [`address`] | prefixes, selectors of traffic, flows |
//! | [`sa`] | a security association of each direction: its keys, numbers, limits and counters |
//! | [`table`] | the security associations and policies of the program; the threads' view of them |
//! | [`control`] | the Unix socket: the daemon's requests and events, the state as text |
//! | [`packet`] | headers, checksums, segmentation and coalescing, ICMP errors, ECN: pure functions over bytes |
//! | [`search`] | the MTU of a path, and the probes that find it |
//! | [`path`] | the threads: from the TUN to the wire and back |
//! | [`sys`] | the system calls; all unsafe code |
#![cfg(target_os = "linux")]

pub mod address;
pub mod control;
pub mod packet;
pub mod path;
pub mod sa;
pub mod search;
pub mod sys;
pub mod table;
