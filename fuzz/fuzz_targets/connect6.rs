#![no_main]

#[path = "../bodies.rs"]
#[allow(dead_code, reason = "every target uses one")]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::connect6(data));
