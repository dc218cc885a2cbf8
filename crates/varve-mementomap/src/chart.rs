//! Charts as SVG: lines through points, on axes that say what they are.

use std::fmt::Write;

/// Points that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    /// What they are.
    pub name: String,
    /// Across and up.
    pub points: Vec<(f64, f64)>,
}

/// What a chart shows.
#[derive(Clone, Copy, Debug)]
pub struct Axes<'a> {
    /// Above it.
    pub title: &'a str,
    /// Below it.
    pub x: &'a str,
    /// Left of it.
    pub y: &'a str,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 60.0;
const COLORS: [&str; 6] = [
    "#1f6f8b", "#c0562f", "#5b8c3a", "#7a4e9e", "#b8860b", "#555555",
];

/// Draws a chart.
pub fn chart(axes: &Axes<'_>, series: &[Series]) -> String {
    let all = || series.iter().flat_map(|series| &series.points);
    let (x_low, x_high) = range(all().map(|point| point.0));
    let (y_low, y_high) = range(all().map(|point| point.1));
    let x = |value: f64| LEFT + (value - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT);
    let y =
        |value: f64| HEIGHT - BOTTOM - (value - y_low) / (y_high - y_low) * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"22\" text-anchor=\"middle\" font-size=\"15\">{}</text>\n",
        WIDTH / 2.0,
        escaped(axes.title)
    );
    for step in 0..=5 {
        let part = f64::from(step) / 5.0;
        let (across, up) = (
            x_low + part * (x_high - x_low),
            y_low + part * (y_high - y_low),
        );
        let (at, level) = (x(across), y(up));
        let (foot, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let _ = write!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{level:.1}\" x2=\"{right}\" y2=\"{level:.1}\" stroke=\"#dddddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
            LEFT - 8.0,
            level + 4.0,
            number(up),
            foot + 18.0,
            number(across),
        );
    }
    let _ = write!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
         <text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        (WIDTH + LEFT) / 2.0,
        HEIGHT - 16.0,
        escaped(axes.x),
        HEIGHT / 2.0,
        escaped(axes.y),
    );
    for (at, one) in series.iter().enumerate() {
        draw(&mut svg, one, at, &x, &y);
    }
    svg + "</svg>\n"
}

fn draw(
    svg: &mut String,
    series: &Series,
    at: usize,
    x: &dyn Fn(f64) -> f64,
    y: &dyn Fn(f64) -> f64,
) {
    let color = COLORS[at % COLORS.len()];
    let mut points = String::new();
    for (across, up) in &series.points {
        let _ = write!(points, "{:.1},{:.1} ", x(*across), y(*up));
        if series.points.len() <= 50 {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{color}\"/>",
                x(*across),
                y(*up)
            );
        }
    }
    let below = TOP + 4.0 + 16.0 * at as f64;
    let _ = write!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>\n\
         <text x=\"{}\" y=\"{below}\" fill=\"{color}\">{}</text>\n",
        points.trim_end(),
        LEFT + 10.0,
        escaped(&series.name),
    );
}

/// From the least to the greatest value, never empty.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((0.0_f64, f64::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
    (low, if high > low { high } else { low + 1.0 })
}

fn number(value: f64) -> String {
    match value.abs() {
        large if large >= 1e6 => format!("{:.1}M", value / 1e6),
        large if large >= 1e4 => format!("{:.0}k", value / 1e3),
        large if large >= 10.0 => format!("{value:.0}"),
        _ => format!("{value:.2}"),
    }
}

/// A text for HTML and SVG.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_show_all_points_and_no_markup_of_others() {
        let axes = Axes {
            title: "A <b>",
            x: "x",
            y: "y",
        };
        let points = vec![(0.0, 0.0), (1.0, 2.0), (2.0, f64::NAN)];
        let svg = chart(
            &axes,
            &[Series {
                name: "a&b".to_owned(),
                points,
            }],
        );
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("A &lt;b&gt;") && svg.contains("a&amp;b") && !svg.contains("<b>"));
        // Nothing to be seen is no reason to fail.
        assert!(chart(&axes, &[]).ends_with("</svg>\n"));
    }
}
