#![no_main]

#[path = "../bodies/mod.rs"]
#[allow(dead_code, unused_imports, reason = "every target uses one")]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::analysis(data));
