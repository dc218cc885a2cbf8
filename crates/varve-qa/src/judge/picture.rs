//! How the page looks, pixel by pixel.
//!
//! A pixel differs if it is another than at capture in every visit, and the same in all of them.
//! Not compared is what moves: where the page plays films or turns without end, by the word of any
//! visit, and the surroundings of whatever differs between visits.

use crate::capture::Before;
use crate::finding::{Finding, Kind};
use crate::report::{Comparison, PictureReport};
use crate::stage::Replayed;
use std::collections::BTreeSet;
use std::io::Cursor;
use varve_browser::Area;

/// Larger pictures are not compared.
const MAX_PIXELS: u64 = 48 << 20;
/// What differs between visits is left out in squares of so many pixels, with those around them:
/// more of them to the sides, where the rest of a line is (of a clock, say).
const SQUARE: usize = 16;
const BESIDE: usize = 6;
const ABOVE: usize = 1;

/// A picture as it is on the screen.
struct Pixels {
    width: usize,
    height: usize,
    /// Red, green, blue and opacity of each, line by line.
    bytes: Vec<u8>,
}

/// What is known of each pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Same,
    Differs,
    NotCompared,
}

/// Two pictures, compared.
pub(crate) struct Compared {
    width: usize,
    then: Pixels,
    fates: Vec<Fate>,
}

impl Pixels {
    /// Reads a PNG; nothing if it is none, or too large.
    fn read(png: &[u8]) -> Option<Pixels> {
        let mut decoder = png::Decoder::new(Cursor::new(png));
        decoder.set_transformations(
            png::Transformations::EXPAND
                | png::Transformations::ALPHA
                | png::Transformations::STRIP_16,
        );
        let mut reader = decoder.read_info().ok()?;
        let (width, height) = reader.info().size();
        if u64::from(width) * u64::from(height) > MAX_PIXELS {
            return None;
        }
        let mut bytes = vec![0; reader.output_buffer_size()?];
        let frame = reader.next_frame(&mut bytes).ok()?;
        bytes.truncate(frame.buffer_size());
        let pixels = Pixels {
            width: width as usize,
            height: height as usize,
            bytes,
        };
        (frame.color_type == png::ColorType::Rgba).then_some(pixels)
    }

    /// The colours of a line from one place up to another, as far as the picture goes.
    fn line(&self, y: usize, from: usize, to: usize) -> &[u8] {
        let start = y * self.width;
        let (from, to) = (from.min(self.width), to.min(self.width));
        let line = self.bytes.get((start + from) * 4..(start + to) * 4);
        line.unwrap_or_default()
    }

    /// The colour at a place; nothing outside of the picture.
    fn at(&self, x: usize, y: usize) -> &[u8] {
        self.line(y, x, x + 1)
    }
}

pub(super) fn judge(before: &Before, visits: &[Replayed]) -> (PictureReport, Option<Compared>) {
    let not = |why| (PictureReport::not_compared(why), None);
    let (Some(then), Some(log)) = (&before.picture, &before.log) else {
        return not(Comparison::NotRecorded);
    };
    let now: Option<Vec<Pixels>> = visits
        .iter()
        .map(|it| Pixels::read(it.visit.screenshot.as_deref()?))
        .collect();
    let (Some(then), Some(now)) = (Pixels::read(then), now) else {
        return not(Comparison::NotComparable);
    };
    let of_visits = visits.iter().flat_map(|it| &it.visit.moving);
    let moving: Vec<Area> = log.moving.iter().chain(of_visits).copied().collect();
    let compared = compare(then, &now, &moving, before.client.pixel_ratio);
    (compared.report(), Some(compared))
}

/// What is wrong.
pub(super) fn finding(report: &PictureReport) -> Option<Finding> {
    (report.differing_pixels > 0).then(|| {
        let (pixels, share) = (report.differing_pixels, report.differing_percent);
        let what = format!("{pixels} pixels differ, {share:.3} % of the picture");
        Finding::new(Kind::Picture, what)
    })
}

fn compare(then: Pixels, now: &[Pixels], moving: &[Area], ratio: f64) -> Compared {
    let largest = |of: fn(&Pixels) -> usize| now.iter().chain([&then]).map(of).max().unwrap_or(0);
    let (width, height) = (largest(|it| it.width), largest(|it| it.height));
    let mut left_out = LeftOut::new(width, height);
    for area in moving {
        left_out.area(*area, ratio);
    }
    left_out.what_differs_between(now);
    let mut fates = vec![Fate::Same; width * height];
    for (y, line) in fates.chunks_mut(width.max(1)).enumerate() {
        let was = then.line(y, 0, width);
        // Where one visit has the line as it was, nothing differs in all of them.
        let may_differ = now.iter().all(|now| now.line(y, 0, width) != was);
        for (x, fate) in line.iter_mut().enumerate() {
            if left_out.has(x, y) {
                *fate = Fate::NotCompared;
            } else if may_differ && now.iter().all(|now| now.at(x, y) != then.at(x, y)) {
                *fate = Fate::Differs;
            }
        }
    }
    Compared { width, then, fates }
}

impl Compared {
    fn report(&self) -> PictureReport {
        let count = |fate| self.fates.iter().filter(|it| **it == fate).count();
        let percent = |count: usize| 100.0 * count as f64 / self.fates.len().max(1) as f64;
        let differing = count(Fate::Differs);
        PictureReport {
            compared: Comparison::Compared,
            differing_pixels: differing,
            differing_percent: percent(differing),
            not_compared_percent: percent(count(Fate::NotCompared)),
            files: None,
        }
    }
}

/// The squares of a picture that are not compared.
struct LeftOut {
    columns: usize,
    rows: usize,
    squares: Vec<bool>,
}

impl LeftOut {
    fn new(width: usize, height: usize) -> LeftOut {
        let (columns, rows) = (width.div_ceil(SQUARE), height.div_ceil(SQUARE));
        LeftOut {
            columns,
            rows,
            squares: vec![false; columns * rows],
        }
    }

    fn has(&self, x: usize, y: usize) -> bool {
        let square = (y / SQUARE) * self.columns + x / SQUARE;
        self.squares.get(square).copied().unwrap_or(false)
    }

    /// Leaves out a part of the page.
    fn area(&mut self, area: Area, ratio: f64) {
        // Numbers too large for a picture become the largest there are.
        let square = |length: f64| (length * ratio / SQUARE as f64).max(0.0) as usize;
        let (left, top) = (square(area.x), square(area.y));
        let (right, bottom) = (square(area.x + area.width), square(area.y + area.height));
        for row in top..bottom.saturating_add(1).min(self.rows) {
            for column in left..right.saturating_add(1).min(self.columns) {
                self.squares[row * self.columns + column] = true;
            }
        }
    }

    /// Leaves out what is not the same in all pictures, and the squares around it.
    fn what_differs_between(&mut self, pictures: &[Pixels]) {
        let Some((first, others)) = pictures.split_first() else {
            return;
        };
        let mut found = BTreeSet::new();
        for y in 0..self.rows * SQUARE {
            let whole = self.columns * SQUARE;
            let line = first.line(y, 0, whole);
            for other in others.iter().filter(|it| it.line(y, 0, whole) != line) {
                let differs = |column: &usize| {
                    let (from, to) = (column * SQUARE, (column + 1) * SQUARE);
                    other.line(y, from, to) != first.line(y, from, to)
                };
                found.extend((0..self.columns).filter(differs).map(|it| (it, y / SQUARE)));
            }
        }
        for (column, row) in found {
            for row in row.saturating_sub(ABOVE)..(row + ABOVE + 1).min(self.rows) {
                let right = (column + BESIDE + 1).min(self.columns);
                for column in column.saturating_sub(BESIDE)..right {
                    self.squares[row * self.columns + column] = true;
                }
            }
        }
    }
}

/// The picture at capture, pale, with what differs in red and what was not compared in blue.
pub(crate) fn difference_image(compared: &Compared) -> Option<Vec<u8>> {
    let width = compared.width;
    let mut bytes = Vec::with_capacity(compared.fates.len() * 3);
    for (at, fate) in compared.fates.iter().enumerate() {
        let colour = compared.then.at(at % width, at / width);
        let sum: u32 = colour.iter().take(3).map(|it| u32::from(*it)).sum();
        let grey = (190 + sum / 12).min(255) as u8;
        bytes.extend(match fate {
            Fate::Same => [grey, grey, grey],
            Fate::Differs => [214, 0, 28],
            Fate::NotCompared => [grey / 2, grey / 4 * 3, grey],
        });
    }
    let mut png = Vec::new();
    let (width, height) = (width as u32, (compared.fates.len() / width.max(1)) as u32);
    let mut encoder = png::Encoder::new(&mut png, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&bytes).ok()?;
    writer.finish().ok()?;
    Some(png)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A white picture with black places.
    fn picture(width: usize, height: usize, black: &[(usize, usize)]) -> Pixels {
        let mut bytes = vec![255; width * height * 4];
        for (x, y) in black {
            bytes[(y * width + x) * 4] = 0;
        }
        Pixels {
            width,
            height,
            bytes,
        }
    }

    fn check(then: Pixels, now: &[Pixels], moving: &[Area], differing: usize) {
        let report = compare(then, now, moving, 1.0).report();
        assert_eq!(report.differing_pixels, differing);
        assert_eq!(finding(&report).is_some(), differing > 0);
    }

    #[test]
    fn one_pixel_is_a_difference() {
        let then = || picture(40, 40, &[(1, 1)]);
        check(then(), &[picture(40, 40, &[(1, 1)])], &[], 0);
        check(then(), &[picture(40, 40, &[(1, 2)])], &[], 2);
    }

    #[test]
    fn what_one_picture_does_not_have_differs() {
        check(picture(40, 40, &[]), &[picture(40, 30, &[])], &[], 400);
        check(picture(40, 40, &[]), &[picture(41, 40, &[])], &[], 40);
    }

    #[test]
    fn what_differs_between_visits_is_left_out_with_its_surroundings() {
        let far = (199, 99);
        let now = [
            picture(200, 100, &[(1, 1), far]),
            picture(200, 100, &[(2, 2), far]),
        ];
        check(picture(200, 100, &[(90, 20)]), &now, &[], 1);
    }

    #[test]
    fn what_moves_is_left_out() {
        let film = Area {
            x: 10.0,
            y: 10.0,
            width: 20.0,
            height: 20.0,
        };
        check(
            picture(100, 100, &[]),
            &[picture(100, 100, &[(20, 20)])],
            &[film],
            0,
        );
        check(
            picture(100, 100, &[]),
            &[picture(100, 100, &[(90, 20)])],
            &[film],
            1,
        );
        let everywhere = Area {
            x: f64::MIN,
            y: f64::NAN,
            width: f64::INFINITY,
            height: f64::INFINITY,
        };
        check(
            picture(9, 9, &[]),
            &[picture(9, 9, &[(5, 5)])],
            &[everywhere],
            0,
        );
    }

    #[test]
    fn differences_can_be_seen() {
        let compared = compare(picture(9, 7, &[]), &[picture(9, 7, &[(5, 5)])], &[], 1.0);
        let seen = Pixels::read(&difference_image(&compared).unwrap()).unwrap();
        assert_eq!((seen.width, seen.height), (9, 7));
        assert_eq!(seen.at(5, 5), [214, 0, 28, 255]);
        assert!(Pixels::read(b"no picture").is_none());
    }
}
