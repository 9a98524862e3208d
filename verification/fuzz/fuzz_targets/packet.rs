#![no_main]

#[path = "../src/packet.rs"]
mod packet;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    packet::tun(input);
    packet::wire(input);
    packet::datagrams(input);
    packet::inside(input);
    packet::search(input);
});
