//! How much a server may send, and how long it may take.

use std::time::Duration;

/// Limits on one exchange. What was received until then is kept.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a response's head, informational responses included.
    pub head_bytes: usize,
    /// Fields of a response's head.
    pub head_fields: usize,
    /// Bytes of a body on the wire.
    pub body_bytes: u64,
    /// To resolve a name, and to connect to each of its addresses, TLS not included.
    pub connect: Duration,
    /// For the TLS handshake.
    pub tls: Duration,
    /// From the request sent to the whole head received.
    pub first_byte: Duration,
    /// Between two pieces of a body, received or sent.
    pub stall: Duration,
    /// For everything.
    pub total: Duration,
}

impl Limits {
    /// The default limits, each a little shorter than `total`: the reason that is told should be
    /// the nearest one.
    pub fn within(total: Duration) -> Limits {
        let (usual, most) = (Limits::default(), total.mul_f32(0.9));
        Limits {
            connect: usual.connect.min(most),
            tls: usual.tls.min(most),
            first_byte: usual.first_byte.min(most),
            stall: usual.stall.min(most),
            total,
            ..usual
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            head_bytes: 256 * 1024,
            head_fields: 1_000,
            body_bytes: 20 << 30,
            connect: Duration::from_secs(20),
            tls: Duration::from_secs(20),
            first_byte: Duration::from_secs(60),
            stall: Duration::from_secs(60),
            total: Duration::from_secs(3_600),
        }
    }
}
