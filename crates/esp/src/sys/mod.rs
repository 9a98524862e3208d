//! System calls.
#![allow(unsafe_code)]

pub mod local;
pub mod message;
pub mod privileges;
pub mod socket;
pub mod tun;
