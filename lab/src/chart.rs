//! Line charts as SVG. The three colours of ink, lines and ground are replaced by the page's style in the
//! dark, so they are here once; those of the series serve both.

use plotters::prelude::*;

/// Ink, grid and ground, as the page's style names them.
pub const INK: RGBColor = RGBColor(0x1b, 0x1d, 0x20);
/// See [`INK`].
pub const GRID: RGBColor = RGBColor(0xd9, 0xdc, 0xe1);

/// Colours of the series, told apart by people with any colour vision, on light and dark.
pub const SERIES: [&str; 8] =
    ["#0a84d6", "#e0632d", "#2a9d6e", "#b561c4", "#c9970c", "#d6455f", "#6f7d8c", "#5f6ad6"];

/// A line: its points, ascending.
pub struct Line {
    /// For the legend.
    pub name: String,
    /// x and y.
    pub points: Vec<(f64, f64)>,
}

fn colour(i: usize) -> RGBColor {
    let hex = u32::from_str_radix(&SERIES[i % SERIES.len()][1..], 16).unwrap_or(0);
    RGBColor((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// 1-2-5 within the range.
fn ticks(from: f64, to: f64) -> Vec<f64> {
    let all = (-4..9).flat_map(|e| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(e)));
    all.filter(|t| (from..=to).contains(t)).collect()
}

/// The chart; both axes logarithmic, x in powers of two.
pub fn chart(lines: &[Line], x: &str, y: &str, tick: fn(f64) -> String) -> Option<String> {
    let points = || lines.iter().flat_map(|l| &l.points);
    let bound = |f: fn(&(f64, f64)) -> f64| {
        let least = points().map(f).fold(f64::INFINITY, f64::min);
        let most = points().map(f).fold(0.0, f64::max);
        (least.is_finite() && least > 0.0 && most > least).then_some((least, most))
    };
    let ((x0, x1), (y0, y1)) = (bound(|p| p.0)?, bound(|p| p.1)?);
    let (y0, y1) = (y0 / 1.25, y1 * 1.25);
    let mut svg = String::new();
    let root = SVGBackend::with_string(&mut svg, (760, 420)).into_drawing_area();
    let label = ("sans-serif", 15).into_font().color(&INK);
    let mut chart = ChartBuilder::on(&root)
        .margin(12)
        .margin_right(36)
        .x_label_area_size(48)
        .y_label_area_size(64)
        .build_cartesian_2d((x0..x1).log_scale().base(2.0), (y0..y1).log_scale())
        .ok()?;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_label_formatter(&|_| String::new())
        .y_label_formatter(&|_| String::new())
        .set_all_tick_mark_size(0)
        .axis_style(INK)
        .x_desc(x)
        .y_desc(y)
        .axis_desc_style(label.clone())
        .draw()
        .ok()?;
    macro_rules! place {
        ($x:expr, $y:expr) => {
            chart.backend_coord(&($x, $y))
        };
    }
    let text = |words: &str, at: (i32, i32), h: plotters::style::text_anchor::HPos| {
        use plotters::style::text_anchor::{Pos, VPos};
        let style = label.clone().pos(Pos::new(h, VPos::Center));
        root.draw(&Text::new(String::from(words), at, style)).ok()
    };
    use plotters::style::text_anchor::HPos;
    for t in ticks(y0, y1) {
        root.draw(&PathElement::new(vec![place!(x0, t), place!(x1, t)], GRID)).ok()?;
        let at = place!(x0, t);
        text(
            &if t < 1.0 { format!("{t:.1}") } else { t.to_string() },
            (at.0 - 8, at.1),
            HPos::Right,
        )?;
    }
    let steps = (x1 / x0).log2().round().max(1.0) as i32;
    let every = (steps / 8).max(1);
    for i in (0..=steps).step_by(every as usize) {
        let t = x0 * 2f64.powi(i);
        root.draw(&PathElement::new(vec![place!(t, y0), place!(t, y1)], GRID)).ok()?;
        let at = place!(t, y0);
        text(&tick(t), (at.0, at.1 + 14), HPos::Center)?;
    }
    for (i, line) in lines.iter().enumerate() {
        let style = colour(i).stroke_width(2);
        chart.draw_series(LineSeries::new(line.points.iter().copied(), style)).ok()?;
        for p in &line.points {
            root.draw(&Circle::new(place!(p.0, p.1), 3, colour(i).filled())).ok()?;
        }
    }
    root.present().ok()?;
    drop(chart);
    drop(root);
    Some(svg)
}
