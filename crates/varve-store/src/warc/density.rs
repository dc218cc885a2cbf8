//! How dense bytes are: whether deflating them can make them much shorter.

/// Shorter bodies are deflated anyway: it costs nothing.
const SHORTEST: u64 = 1_024;
/// Samples are so long, and there are so many of them.
const SAMPLE: usize = 4_096;
const SAMPLES: u64 = 4;
/// Bits in a byte, at least. Random bytes have 8, pictures and compressed bodies hardly less, text
/// has 4 to 6, programs have 6 to 7.
const DENSE: f64 = 7.7;
/// A sample cannot show all of them: of random bytes it lacks about this number divided by its
/// length.
const LACKING: f64 = 190.0;

/// Whether bytes of this length look as if they were compressed already, judged by samples from
/// all over them. `read` gives those at an offset, as many as fit.
pub(super) fn is_dense<E>(
    length: u64,
    mut read: impl FnMut(u64, &mut [u8]) -> Result<usize, E>,
) -> Result<bool, E> {
    if length < SHORTEST {
        return Ok(false);
    }
    let mut sample = [0; SAMPLE];
    let last = length.saturating_sub(SAMPLE as u64);
    for number in 0..SAMPLES {
        // What files begin with is not like what follows.
        let offset = last * (number + 1) / SAMPLES;
        let filled = read(offset, &mut sample)?;
        if !looks_dense(&sample[..filled]) {
            return Ok(false);
        }
        if last == 0 {
            break;
        }
    }
    Ok(true)
}

fn looks_dense(sample: &[u8]) -> bool {
    if sample.is_empty() {
        return false;
    }
    let mut counts = [0_u32; 256];
    sample
        .iter()
        .for_each(|byte| counts[usize::from(*byte)] += 1);
    let total = sample.len() as f64;
    let bits: f64 = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / total;
            -share * share.log2()
        })
        .sum();
    bits + LACKING / total >= DENSE
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn dense(bytes: &[u8]) -> bool {
        let read = |offset: u64, sample: &mut [u8]| -> Result<usize, std::convert::Infallible> {
            let rest = &bytes[offset as usize..];
            let length = rest.len().min(sample.len());
            sample[..length].copy_from_slice(&rest[..length]);
            Ok(length)
        };
        is_dense(bytes.len() as u64, read).unwrap_or(false)
    }

    /// Words that follow no pattern, so that deflating them leaves much.
    fn words(length: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let mut next = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        let word = |number: u32| format!("word{} ", number % 5_000);
        let mut text = String::new();
        while text.len() < length {
            text.push_str(&word(next()));
        }
        text.into_bytes()
    }

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
        let _ = encoder.write_all(bytes);
        encoder.finish().unwrap_or_default()
    }

    #[test]
    fn what_is_compressed_is_dense_and_what_is_not_is_not() {
        let text = words(1 << 20);
        for length in [2_000, 5_000, 30_000, 1 << 20] {
            let zipped = gzipped(&text[..length.max(10_000) * 3 / 4 + length / 4 - 1]);
            assert!(dense(&zipped), "{length}: {}", zipped.len());
            assert!(!dense(&text[..length]), "{length}");
        }
        assert!(!dense(&[]));
        assert!(!dense(&[0; 100_000]));
    }

    #[test]
    fn one_part_that_can_be_deflated_is_enough() {
        let zipped = gzipped(&words(1 << 20));
        assert!(dense(&zipped));
        assert!(!dense(&[zipped.clone(), words(zipped.len())].concat()));
        assert!(!dense(&[&zipped[..], &[0; SAMPLE]].concat()));
    }
}
