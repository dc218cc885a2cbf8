//! Indexes, maps and look-ups of any size, made as they are written: site by site, each in order.
//!
//! Sites are of very different sizes, some have subdomains, directories have few or many names,
//! and some names extend others (`a`, `a-1`). A URL has one to six captures, and every eighth one
//! a query. What is written depends on nothing but its size.

use anyhow::{Context, Result, bail};
use std::io::{BufWriter, Write};

const USAGE: &str = "usage: varve-bench-mementomap COMMAND
  index LINES    write so many sorted CDXJ lines
  map LINES      write a map of so many lines, in full detail
  misses COUNT   write so many keys of which no such index has any";

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [command, count] = args.as_slice() else {
        bail!(USAGE);
    };
    let count: u64 = count.parse().context(USAGE)?;
    let mut out = BufWriter::with_capacity(1 << 18, std::io::stdout().lock());
    match command.as_str() {
        "index" => index(count, &mut out)?,
        "map" => map(count, &mut out)?,
        "misses" => misses(count, &mut out)?,
        _ => bail!(USAGE),
    }
    Ok(out.flush()?)
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }
}

const TLDS: [&str; 4] = ["com", "de", "org", "uk,co"];
/// So many sites have each top-level domain, at the most: more than any size needs.
const SITES: u64 = 10_000_000;

/// Gives the SURTs of a site, in order and each once.
fn site(tld: &str, number: u64, surts: &mut Vec<String>) {
    let mut dice = Dice(number.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ tld.len() as u64);
    let pages = match dice.throw(100) {
        0 => 20_000,
        1..=9 => 1_000,
        10..=49 => 100,
        _ => 8,
    };
    surts.clear();
    for _ in 0..1 + dice.throw(pages) {
        let mut surt = format!("{tld},s{number:07}");
        if dice.throw(5) == 0 {
            surt += &format!(",h{}", dice.throw(30));
        }
        surt += ")/";
        for depth in 0..dice.throw(6) {
            let names = [12, 20, 50, 200, 1000, 5000][depth as usize];
            let extended = ["", "", "-1", ".html"][dice.throw(4) as usize];
            surt += &format!(
                "{}n{}{extended}",
                if depth > 0 { "/" } else { "" },
                dice.throw(names)
            );
        }
        if dice.throw(8) == 0 {
            surt += &format!("?q={}", dice.throw(1000));
        }
        surts.push(surt);
    }
    surts.sort();
    surts.dedup();
}

/// Gives all SURTs in order until `take` has enough.
fn each(wanted: u64, mut take: impl FnMut(&str) -> Result<bool>) -> Result<()> {
    let mut surts = Vec::new();
    let each_tld = wanted / TLDS.len() as u64 + 1;
    for tld in TLDS {
        let mut taken = 0;
        for number in 0..SITES {
            site(tld, number, &mut surts);
            for surt in &surts {
                if !take(surt)? {
                    return Ok(());
                }
                taken += 1;
            }
            // A line may stand for several captures, and so fewer do.
            if taken >= each_tld {
                break;
            }
        }
    }
    Ok(())
}

fn index(lines: u64, out: &mut impl Write) -> Result<()> {
    let mut dice = Dice(1);
    let mut left = lines;
    each(lines * 2, |surt| {
        let captures = (1 + dice.throw(6)).min(left);
        for capture in 0..captures {
            writeln!(
                out,
                "{surt} 20{:02}0{}{:02}120000 {{\"url\": \"https://example.org/some/page\", \"mime\": \"text/html\", \"status\": \"200\", \"digest\": \"sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A\", \"length\": \"{}\", \"offset\": \"{}\", \"filename\": \"crawl-20140101000000-00000.warc.gz\"}}",
                5 + capture * 3,
                1 + dice.throw(9),
                1 + dice.throw(28),
                500 + dice.throw(100_000),
                dice.throw(1_000_000_000),
            )?;
        }
        left -= captures;
        Ok(left > 0)
    })
}

fn map(lines: u64, out: &mut impl Write) -> Result<()> {
    let mut dice = Dice(2);
    let mut left = lines;
    // Queries and slashes at the end are out of the way, so that keys come in order.
    let mut last = String::new();
    each(lines * 2, |surt| {
        if surt.contains('?') {
            return Ok(true);
        }
        let key = surt.trim_end_matches('/');
        if key > last.as_str() {
            writeln!(out, "{key} {}", 1 + dice.throw(40))?;
            last.clear();
            last.push_str(key);
            left -= 1;
        }
        Ok(left > 0)
    })
}

fn misses(count: u64, out: &mut impl Write) -> Result<()> {
    let mut dice = Dice(3);
    for _ in 0..count {
        let tld = TLDS[dice.throw(4) as usize];
        let site = dice.throw(50_000);
        // Of sites that are there and of sites that are not.
        let name = ["s", "x"][dice.throw(2) as usize];
        writeln!(
            out,
            "{tld},{name}{site:07})/missing/n{}/n{}",
            dice.throw(100),
            dice.throw(100)
        )?;
    }
    Ok(())
}
