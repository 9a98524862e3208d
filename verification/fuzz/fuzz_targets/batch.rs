#![no_main]
//! A batch of the jobs that the input chooses, against the modes' own objects, by the code of the library's test.
#[path = "../../../crates/bulat/tests/batch.rs"]
#[allow(dead_code, unexpected_cfgs, unused_imports)]
mod batch;

use testkit::Random;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let mut r = Random::given(input);
    let jobs = 1 + r.below(40);
    batch::compare(&mut r, jobs, false);
});
