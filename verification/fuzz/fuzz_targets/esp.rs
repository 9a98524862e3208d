#![no_main]
//! An ESP tunnel over a bad line that the input chooses, by the code of the library's test.
#[path = "../../../crates/bulat/tests/esp/line.rs"]
mod line;

use testkit::Random;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    line::run(&mut Random::given(input), 60);
});
