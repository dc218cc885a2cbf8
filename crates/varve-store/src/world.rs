//! Time and chance as the store sees them, so that tests can hold both still.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use varve_model::Timestamp;

/// Tells the time and throws dice.
pub trait World: Send + Sync + Debug {
    /// Now, to the millisecond.
    fn now(&self) -> Timestamp;

    /// Sixteen random bytes.
    fn random(&self) -> [u8; 16];
}

/// The world outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealWorld;

impl World for RealWorld {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let millis = i64::try_from(since.as_millis()).unwrap_or(0);
        Timestamp::from_unix_millis(millis).unwrap_or_else(epoch)
    }

    fn random(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // Without the system's randomness a counter still keeps identifiers apart.
        if getrandom::fill(&mut bytes).is_err() {
            bytes = counter_bytes();
        }
        bytes
    }
}

/// A world that repeats itself: time goes on by a millisecond a look, and chance is a counter.
#[derive(Debug)]
pub struct TestWorld {
    millis: std::sync::atomic::AtomicI64,
}

impl TestWorld {
    /// A world that starts at `start`.
    pub fn new(start: Timestamp) -> Arc<TestWorld> {
        Arc::new(TestWorld {
            millis: start.unix_millis().into(),
        })
    }

    fn tick(&self) -> i64 {
        self.millis
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    }
}

impl World for TestWorld {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_millis(self.tick()).unwrap_or_else(epoch)
    }

    fn random(&self) -> [u8; 16] {
        let mut state = self.tick() as u64;
        let mut bytes = [0; 16];
        for half in bytes.chunks_mut(8) {
            // One step of a multiply-xorshift generator spreads the counter over all bits.
            state = (state ^ (state >> 31))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .wrapping_add(1);
            half.copy_from_slice(&(state ^ (state >> 29)).to_le_bytes());
        }
        bytes
    }
}

fn epoch() -> Timestamp {
    Timestamp::from_unix_millis(0).unwrap_or_else(|| unreachable!("1970 is a year"))
}

fn counter_bytes() -> [u8; 16] {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let nanos = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_nanos() as u64;
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&nanos.to_le_bytes());
    bytes[8..].copy_from_slice(&count.to_le_bytes());
    bytes
}

/// A random UUID (version 4) as an URN, the form of record identifiers.
pub fn record_id(random: [u8; 16]) -> String {
    let mut bytes = random;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = data_encoding::HEXLOWER.encode(&bytes);
    format!(
        "urn:uuid:{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}
