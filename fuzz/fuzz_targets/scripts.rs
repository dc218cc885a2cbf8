#![no_main]
#[path = "../cases.rs"]
#[allow(dead_code)]
mod cases;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| cases::scripts(bytes));
