#![no_main]
#[path = "../cases.rs"]
mod cases;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| cases::cdxj(bytes));
