//! The calls in any order on hostile buffers: a quick run of the function that `verification/fuzz/` calls for longer.

#[path = "../../../verification/fuzz/src/capi.rs"]
mod capi;

use testkit::Random;

#[test]
fn any_calls_in_any_order() {
    let (mut random, mut well) = (Random::new(29), 0);
    for _ in 0..1000 {
        well += capi::calls(&random.bytes(600));
    }
    assert!(well > 3000, "only {well} calls did something");
}
