//! The plot: requests over time, and under them the refusals, a line a limit.

mod axis;

use crate::failure::Failure;
use crate::replay::Replayed;
use crate::text::{grouped, percent, printable, span};
use crate::timeline::Timeline;
use axis::TimeAxis;
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordu64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::cmp::Reverse;
use std::fs;
use std::path::Path;

const WIDTH: u32 = 1000;
const HEAD: u32 = 64;
const PANEL: u32 = 240;
const LEGEND_ROW: u32 = 22;
const LEFT: u32 = 76;
/// Slots of time that are drawn, at most: three pixels each.
const SLOTS: usize = 300;

const INK: RGBColor = RGBColor(0x22, 0x28, 0x30);
const FAINT: RGBColor = RGBColor(0x6b, 0x72, 0x80);
const GRID: RGBColor = RGBColor(0xe3, 0xe6, 0xea);
const REQUESTS: RGBColor = RGBColor(0x8a, 0x94, 0xa3);
/// Colours that also the colour-blind tell apart.
const LINES: [RGBColor; 6] = [
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// One curve: counts over the slots of the requests.
struct Curve {
    counts: Vec<u64>,
    color: RGBColor,
    name: String,
}

/// The time that is drawn, and in what slots.
struct Slots {
    start_s: u64,
    width_s: u64,
    count: usize,
}

/// Draws a replay into an SVG file.
pub(crate) fn draw(path: &Path, key: &str, replayed: &Replayed) -> Result<(), Failure> {
    let Some(requests) = replayed.timeline.as_ref().filter(|timeline| !timeline.counts().is_empty()) else {
        return Err(Failure::Usage("--plot: no request was limited, there is nothing to draw".to_owned()));
    };
    let requests = requests.narrowed(SLOTS);
    let slots = Slots { start_s: requests.start_s(), width_s: requests.width_s(), count: requests.counts().len() };
    let refusals = refusals(replayed, &slots);
    let logs: Vec<String> = replayed.logs.iter().map(|log| printable(log.source.to_string().as_bytes())).collect();
    let subtitle = format!("{} by {key}, per {}, UTC", logs.join(", "), span(slots.width_s * 1000));
    let svg = svg(&requests, &refusals, &slots, &subtitle)
        .map_err(|error| Failure::at(path)(std::io::Error::other(error.to_string())))?;
    fs::write(path, svg).map_err(Failure::at(path))
}

/// Makes a curve of each limit's refusals.
fn refusals(replayed: &Replayed, slots: &Slots) -> Vec<Curve> {
    let total = replayed.tally.requests;
    let curve = |(outcome, color): (&crate::trial::Outcome, RGBColor)| {
        let timeline = outcome.timeline.clone().unwrap_or_default().widened_to(slots.width_s);
        let starts = (0..slots.count as u64).map(|slot| slots.start_s + slot * slots.width_s);
        let refused = total - outcome.allowed;
        Curve {
            counts: starts.map(|start_s| timeline.at(start_s)).collect(),
            color,
            name: format!("{}: {} refused, {}", outcome.limit, grouped(refused), percent(refused, total)),
        }
    };
    replayed.outcomes.iter().zip(LINES.into_iter().cycle()).map(curve).collect()
}

fn svg(
    requests: &Timeline,
    refusals: &[Curve],
    slots: &Slots,
    subtitle: &str,
) -> Result<String, Box<dyn std::error::Error>> {
    let legend = LEGEND_ROW * u32::try_from(refusals.len())? + 60;
    let height = HEAD + PANEL + legend + PANEL + 10;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, rest) = root.split_vertically(HEAD);
        let (upper, rest) = rest.split_vertically(PANEL);
        let (legend, lower) = rest.split_vertically(legend);
        text(&head, "Requests", (i32::try_from(LEFT)?, 18), 20, INK)?;
        text(&head, subtitle, (i32::try_from(LEFT)?, 44), 13, FAINT)?;
        let curve = Curve { counts: requests.counts().to_vec(), color: REQUESTS, name: String::new() };
        panel(&upper, std::slice::from_ref(&curve), slots, true)?;
        draw_legend(&legend, refusals)?;
        panel(&lower, refusals, slots, false)?;
        root.present()?;
    }
    Ok(svg)
}

fn draw_legend(area: &Area<'_>, refusals: &[Curve]) -> Drawn {
    let left = i32::try_from(LEFT)?;
    text(area, "Refused", (left, 32), 20, INK)?;
    for (curve, row) in refusals.iter().zip(0..) {
        let y = 62 + row * i32::try_from(LEGEND_ROW)?;
        area.draw(&PathElement::new([(left, y), (left + 26, y)], curve.color.stroke_width(3)))?;
        text(area, &curve.name, (left + 36, y), 14, INK)?;
    }
    Ok(())
}

/// Draws curves as steps over a time axis of their own; the requests as a filled one.
fn panel(area: &Area<'_>, curves: &[Curve], slots: &Slots, filled: bool) -> Drawn {
    let top = curves.iter().flat_map(|curve| curve.counts.iter().copied()).max().unwrap_or(0);
    let time = TimeAxis { from_s: slots.start_s, to_s: slots.start_s + slots.width_s * slots.count as u64 };
    let mut chart = ChartBuilder::on(area)
        .margin_top(8)
        .margin_right(44)
        .x_label_area_size(28)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(time, 0..top + top / 20 + 1)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT)
        .y_labels(5)
        .y_label_formatter(&|count| grouped(*count))
        .label_style(("sans-serif", 13).into_font().color(&FAINT))
        .draw()?;
    // The smaller on top: a curve that others reach over would be under them.
    let mut curves: Vec<&Curve> = curves.iter().collect();
    curves.sort_by_key(|curve| Reverse(curve.counts.iter().sum::<u64>()));
    for curve in curves {
        draw_curve(&mut chart, curve, slots, filled)?;
    }
    Ok(())
}

fn draw_curve(
    chart: &mut ChartContext<'_, SVGBackend<'_>, Cartesian2d<TimeAxis, RangedCoordu64>>,
    curve: &Curve,
    slots: &Slots,
    filled: bool,
) -> Drawn {
    let points = curve.counts.iter().zip(0_u64..).flat_map(|(&count, slot)| {
        let start_s = slots.start_s + slot * slots.width_s;
        [(start_s, count), (start_s + slots.width_s, count)]
    });
    if filled {
        chart.draw_series(AreaSeries::new(points, 0, curve.color.mix(0.45)))?;
    } else {
        chart.draw_series(LineSeries::new(points, curve.color.stroke_width(2)))?;
    }
    Ok(())
}

/// Writes text that begins at a point, half above and half below it.
fn text(area: &Area<'_>, text: &str, at: (i32, i32), size: i32, color: RGBColor) -> Drawn {
    let style = ("sans-serif", size).into_font().color(&color).pos(Pos::new(HPos::Left, VPos::Center));
    Ok(area.draw_text(text, &style, at)?)
}
