//! The drawing of a chart as SVG.
//!
//! A chart is drawn in three layouts: as wide as a page with its labels beside the bars, as wide as
//! a phone with its labels above them, and as a file. No text is measured: a label ends at its
//! anchor, whatever the font. On a page the widths are percentages, so that the bars fill the card
//! and the text keeps its size; the colours are those of the page, so that dark mode applies.

use maud::{Markup, html};

use crate::report::document::{Chart, ChartForm};
use crate::report::number::share;

/// Draws a chart for a page. `name` is the id of the element that names it.
pub(crate) fn on_page(chart: &Chart, name: &str) -> Markup {
    html! {
        @for (class, layout) in [("wide", Layout::WIDE), ("narrow", Layout::NARROW)] {
            svg.(class) role="img" aria-labelledby=(name) width="100%" height=(layout.height(chart)) {
                (rows(chart, &layout))
            }
        }
    }
}

/// Draws a chart as an SVG file, with its headline, its title, its legend and its source.
pub(crate) fn file(chart: &Chart, source: &str) -> String {
    let layout = Layout::FILE;
    let headline = lines(&plain(&chart.headline));
    let title_at = MARGIN + 22.0 * headline.len() as f64 + 8.0;
    let has_legend = chart.has_legend();
    let rows_at = title_at + if has_legend { 44.0 } else { 18.0 };
    let source_at = rows_at + layout.height(chart) + 18.0;
    let (width, height) = (FILE_WIDTH + 2.0 * MARGIN, source_at + MARGIN);
    let view_box = format!("0 0 {width} {height}");
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(view_box)
            font-family=(FONTS) font-size="13" {
            rect width=(width) height=(height) fill="#ffffff" {}
            @for (at, line) in headline.iter().enumerate() {
                text x=(MARGIN) y=(MARGIN + 22.0 * at as f64 + 14.0) font-size="18" font-weight="600"
                    fill=(layout.ink(Ink::TEXT)) { (line) }
            }
            text x=(MARGIN) y=(title_at + 6.0) fill=(layout.ink(Ink::QUIET)) { (plain(&chart.title)) }
            @if has_legend { (legend_in_file(chart, &layout, title_at + 28.0)) }
            g transform=(format!("translate({MARGIN} {rows_at})")) { (rows(chart, &layout)) }
            text x=(MARGIN) y=(source_at) font-size="11" fill=(layout.ink(Ink::QUIET)) { (source) }
        }
    };
    svg.into_string()
}

/// The legend, with a column for each series. All columns have the same width.
fn legend_in_file(chart: &Chart, layout: &Layout, y: f64) -> Markup {
    let column = FILE_WIDTH / chart.series.len() as f64;
    html! {
        @for (at, series) in chart.series.iter().enumerate() {
            @let x = MARGIN + column * at as f64;
            rect x=(x) y=(y - 10.0) width="11" height="11" fill=(layout.ink(ink(chart, at))) {}
            text x=(x + 17.0) y=(y) fill=(layout.ink(Ink::TEXT)) { (plain(&series.name)) }
        }
    }
}

/// The colour of a series, as a variable of the page.
pub(crate) fn colour(chart: &Chart, series: usize) -> &'static str {
    ink(chart, series).0
}

/// All rows, each with its label.
fn rows(chart: &Chart, layout: &Layout) -> Markup {
    let scale = Scale::of(chart, layout);
    let row_height = layout.row_height(chart);
    let (head_height, axis_height) = heights_around(chart);
    let bottom = layout.height(chart) - axis_height - GAP / 2.0;
    html! {
        @if layout.labels == Labels::Beside {
            line x1=(layout.x(scale.start)) x2=(layout.x(scale.start)) y1=(head_height) y2=(bottom)
                stroke=(layout.ink(Ink::LINE)) {}
        }
        @match chart.form {
            ChartForm::Grid => (column_names(chart, &scale, layout)),
            _ => (axis(&scale, layout, head_height, bottom)),
        }
        @for (at, label) in chart.labels.iter().enumerate() {
            @let top = head_height + row_height * at as f64;
            (label_text(label, layout, scale.start, top))
            (row(chart, at, &scale, layout, top))
        }
    }
}

/// The axis below the rows, with a line through the rows at each tick.
fn axis(scale: &Scale, layout: &Layout, top: f64, bottom: f64) -> Markup {
    html! {
        @for tick in scale.ticks() {
            @let anchor = match scale.x(tick) {
                ..4.0 => "start",
                96.0.. => "end",
                _ => "middle",
            };
            line x1=(layout.x(scale.x(tick))) x2=(layout.x(scale.x(tick))) y1=(top) y2=(bottom)
                stroke=(layout.ink(Ink::LINE)) {}
            text x=(layout.x(scale.x(tick))) y=(bottom + 14.0) text-anchor=(anchor) font-size="11"
                fill=(layout.ink(Ink::QUIET)) { (tick_text(tick)) }
        }
    }
}

/// A share of the axis: `0 %`, `2.5 %`.
fn tick_text(tick: f64) -> String {
    let places = if tick >= 1.0 { 1 } else { 4 };
    let text = format!("{tick:.places$}");
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// The names of the series above the columns of a grid, cut to the width of a column.
fn column_names(chart: &Chart, scale: &Scale, layout: &Layout) -> Markup {
    let columns = chart.series.len().max(1) as f64;
    let longest = (100.0 - scale.start) * layout.characters / 100.0 / columns;
    html! {
        @for (at, series) in chart.series.iter().enumerate() {
            text x=(layout.x(column_middle(chart, scale, at))) y=(BASELINE) text-anchor="middle" font-size="11"
                fill=(layout.ink(Ink::QUIET)) { (shortened(&series.name, (longest as usize).max(2))) }
        }
    }
}

fn label_text(label: &str, layout: &Layout, start: f64, top: f64) -> Markup {
    let text = shortened(label, LONGEST_LABEL);
    let fill = layout.ink(Ink::TEXT);
    html! {
        @match layout.labels {
            Labels::Beside => text x=(layout.x(start)) dx="-8" y=(top + BASELINE) text-anchor="end"
                fill=(fill) { (text) },
            Labels::Above => text x="0" y=(top + BASELINE) fill=(fill) { (text) },
        }
    }
}

/// The shares of one row.
fn row(chart: &Chart, at: usize, scale: &Scale, layout: &Layout, top: f64) -> Markup {
    let shares = shares_of(chart, at);
    let bars_top = top + layout.label_height();
    match chart.form {
        ChartForm::Bars => bars(chart, &shares, scale, layout, bars_top),
        ChartForm::Stacked => stack(chart, &shares, scale, layout, bars_top),
        ChartForm::Nested => nest(chart, &shares, scale, layout, bars_top),
        ChartForm::Dots => dots(chart, &shares, scale, layout, bars_top),
        ChartForm::Grid => cells(chart, &shares, scale, layout, bars_top),
    }
}

/// The share of each series in a row.
fn shares_of(chart: &Chart, row: usize) -> Vec<f64> {
    let shares = chart.series.iter().map(|series| series.percent.get(row));
    shares
        .map(|share| share.copied().unwrap_or_default())
        .collect()
}

fn bars(chart: &Chart, shares: &[f64], scale: &Scale, layout: &Layout, top: f64) -> Markup {
    let thin = if shares.len() > 1 { 4.0 } else { 0.0 };
    html! {
        @for (at, part) in shares.iter().enumerate() {
            @let y = top + at as f64 * (BAR - thin);
            (bar(layout, scale.x(0.0), scale.length(*part), y, BAR - thin, ink(chart, at)))
            @if layout.labels == Labels::Above && shares.len() == 1 {
                (value(layout, 100.0, "end", top - LABEL_HEIGHT, &share(*part)))
            } @else {
                (value(layout, scale.x(*part), "start", y - thin / 2.0, &share(*part)))
            }
        }
    }
}

fn stack(chart: &Chart, shares: &[f64], scale: &Scale, layout: &Layout, top: f64) -> Markup {
    let starts = shares.iter().scan(0.0, |end, share| {
        let start = *end;
        *end += share;
        Some(start)
    });
    html! {
        @for (at, (part, start)) in shares.iter().zip(starts).enumerate() {
            (bar(layout, scale.x(start), scale.length(*part), top, BAR, ink(chart, at)))
        }
        @match layout.labels {
            Labels::Beside => {
                @for (at, part) in shares.iter().enumerate() {
                    @let behind = shares.len().saturating_sub(at + 1) as f64;
                    (value(layout, 100.0 - behind * VALUE, "end", top, &share(*part)))
                }
            },
            Labels::Above => (value(layout, 100.0, "end", top - LABEL_HEIGHT, &in_one_unit(shares))),
        }
    }
}

/// Shares in a row, with the unit at their end: `30.1 / 60.2 / 9.7 %`.
fn in_one_unit(shares: &[f64]) -> String {
    let shares: Vec<String> = shares.iter().map(|part| without_unit(*part)).collect();
    shares.join(" / ") + " %"
}

fn without_unit(part: f64) -> String {
    share(part).replace(" %", "")
}

fn nest(chart: &Chart, shares: &[f64], scale: &Scale, layout: &Layout, top: f64) -> Markup {
    let whole = shares.iter().copied().fold(0.0, f64::max);
    let values = in_one_unit(shares);
    html! {
        @for (at, part) in shares.iter().enumerate().rev() {
            (bar(layout, scale.x(0.0), scale.length(*part), top, BAR, ink(chart, at)))
        }
        @match layout.labels {
            Labels::Beside => (value(layout, scale.x(whole), "start", top, &values)),
            Labels::Above => (value(layout, 100.0, "end", top - LABEL_HEIGHT, &values)),
        }
    }
}

fn dots(chart: &Chart, shares: &[f64], scale: &Scale, layout: &Layout, top: f64) -> Markup {
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let most = shares.iter().copied().fold(0.0, f64::max);
    let middle = top + BAR / 2.0;
    let values = match shares {
        [first, .., last] => format!("{} → {}", share(*first), share(*last)),
        _ => shares.iter().copied().map(share).collect(),
    };
    let values_top = top - layout.label_height();
    html! {
        line x1=(layout.x(scale.x(0.0))) x2=(layout.x(layout.end)) y1=(middle) y2=(middle)
            stroke=(layout.ink(Ink::LINE)) {}
        line x1=(layout.x(scale.x(least))) x2=(layout.x(scale.x(most))) y1=(middle) y2=(middle)
            stroke=(layout.ink(Ink::QUIET)) stroke-width="3" {}
        @for (at, part) in shares.iter().enumerate() {
            circle cx=(layout.x(scale.x(*part))) cy=(middle) r="5.5" fill=(layout.ink(ink(chart, at))) {}
        }
        (value(layout, 100.0, "end", values_top, &values))
    }
}

/// A cell for each share with its number. The colour leaves the number readable, also on the
/// darkest cell.
fn cells(chart: &Chart, shares: &[f64], scale: &Scale, layout: &Layout, top: f64) -> Markup {
    let all = chart.series.iter().flat_map(|series| &series.percent);
    let largest = all.copied().fold(0.0, f64::max);
    let columns = shares.len().max(1) as f64;
    let width = (100.0 - scale.start) / columns;
    html! {
        @for (at, part) in shares.iter().enumerate() {
            @let middle = column_middle(chart, scale, at);
            @if *part > 0.0 {
                rect x=(layout.x(middle - width / 2.0 + 0.2)) y=(top - 1.5) width=(layout.x(width - 0.4)) height=(BAR + 3.0)
                    fill=(layout.ink(Ink::FIRST)) fill-opacity=(format!("{:.2}", DARKEST * part / largest)) {}
            }
            text x=(layout.x(middle)) y=(top + BASELINE) text-anchor="middle"
                fill=(layout.ink(Ink::TEXT)) { (without_unit(*part)) }
        }
    }
}

/// The middle of a column of a grid.
fn column_middle(chart: &Chart, scale: &Scale, at: usize) -> f64 {
    let width = (100.0 - scale.start) / chart.series.len().max(1) as f64;
    scale.start + width * (at as f64 + 0.5)
}

/// A rectangle. Every share above zero is drawn wide enough to be seen.
fn bar(layout: &Layout, start: f64, length: f64, y: f64, height: f64, ink: Ink) -> Markup {
    html! {
        @if length > 0.0 {
            rect x=(layout.x(start)) y=(y) width=(layout.x(length.max(SHORTEST))) height=(height)
                fill=(layout.ink(ink)) {}
        }
    }
}

/// The number of a row, at a distance from the bar before it.
fn value(layout: &Layout, x: f64, anchor: &str, top: f64, text: &str) -> Markup {
    let distance = if anchor == "start" { "6" } else { "0" };
    html! {
        text x=(layout.x(x)) dx=(distance) y=(top + BASELINE) text-anchor=(anchor)
            fill=(layout.ink(Ink::TEXT)) { (text) }
    }
}

/// The places of shares between the start and the end of the bars.
struct Scale {
    start: f64,
    /// The share at the end of the bars.
    whole: f64,
    /// The part of the width for one percent.
    step: f64,
}

impl Scale {
    fn of(chart: &Chart, layout: &Layout) -> Scale {
        let end_of_row = |at: usize| {
            let shares = shares_of(chart, at).into_iter();
            match chart.form {
                ChartForm::Stacked => shares.sum(),
                _ => shares.fold(0.0, f64::max),
            }
        };
        let ends = (0..chart.labels.len()).map(end_of_row);
        let largest = ends.fold(0.0, f64::max);
        // For a large share the scale ends at 100 %, so that the bar shows what is missing.
        let whole = match largest {
            60.0.. => 100.0_f64.max(largest),
            share if share > 0.0 => share,
            _ => 1.0,
        };
        let end = match (layout.labels, chart.form) {
            (Labels::Above, ChartForm::Bars) if chart.series.len() > 1 => 82.0,
            (Labels::Beside, ChartForm::Bars) => layout.end + 12.0,
            (Labels::Beside, ChartForm::Stacked) => 98.0 - chart.series.len() as f64 * VALUE,
            _ => layout.end,
        };
        let start = layout.start(chart);
        Scale {
            start,
            whole,
            step: (end - start) / whole,
        }
    }

    fn x(&self, share: f64) -> f64 {
        self.start + self.length(share)
    }

    /// The ticks of the axis: at most four steps of a round number.
    fn ticks(&self) -> Vec<f64> {
        let rough = self.whole / 4.0;
        let power = 10.0_f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * power);
        let step = steps.into_iter().find(|step| *step >= rough * 0.999);
        let step = step.unwrap_or(self.whole);
        let ticks = (0_u8..).map(|at| f64::from(at) * step);
        ticks
            .take_while(|tick| *tick <= self.whole * 1.001)
            .collect()
    }

    fn length(&self, share: f64) -> f64 {
        share * self.step
    }
}

/// The places of labels and bars, in % of the width.
struct Layout {
    labels: Labels,
    end: f64,
    /// The number of characters in the widest of the usual fonts that fit the narrowest page of
    /// this layout.
    characters: f64,
    medium: Medium,
}

/// Where the labels of the rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Labels {
    Beside,
    Above,
}

/// The medium that the chart is drawn for, which decides on the units and the colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Medium {
    Page,
    File,
}

impl Layout {
    const WIDE: Layout = Layout {
        labels: Labels::Beside,
        end: 77.0,
        characters: 82.0,
        medium: Medium::Page,
    };
    const NARROW: Layout = Layout {
        labels: Labels::Above,
        end: 100.0,
        characters: 40.0,
        medium: Medium::Page,
    };
    const FILE: Layout = Layout {
        medium: Medium::File,
        ..Layout::WIDE
    };

    /// The start of the bars. The room before bars with labels beside them holds the longest label,
    /// in the widest of the usual fonts and on the narrowest page of this layout.
    fn start(&self, chart: &Chart) -> f64 {
        let labels = chart.labels.iter().map(|label| label.chars().count());
        let longest = labels.max().unwrap_or_default().min(LONGEST_LABEL);
        match self.labels {
            Labels::Beside => 3.0 + 1.15 * longest as f64,
            Labels::Above => 0.0,
        }
    }

    /// A place or a length in the units of the medium.
    fn x(&self, percent: f64) -> String {
        match self.medium {
            Medium::Page => format!("{percent:.2}%"),
            Medium::File => format!("{:.1}", percent / 100.0 * FILE_WIDTH),
        }
    }

    fn ink(&self, ink: Ink) -> String {
        match self.medium {
            Medium::Page => format!("var({})", ink.0),
            Medium::File => String::from(ink.1),
        }
    }

    fn row_height(&self, chart: &Chart) -> f64 {
        let bars = match chart.form {
            ChartForm::Bars if chart.series.len() > 1 => chart.series.len() as f64 * (BAR - 4.0),
            _ => BAR,
        };
        bars + self.label_height() + GAP
    }

    /// The height of a label above its bars.
    fn label_height(&self) -> f64 {
        match self.labels {
            Labels::Beside => 0.0,
            Labels::Above => LABEL_HEIGHT,
        }
    }

    fn height(&self, chart: &Chart) -> f64 {
        let rows = self.row_height(chart) * chart.labels.len() as f64;
        let (head, axis) = heights_around(chart);
        head + rows + axis
    }
}

/// The height of the names above the columns of a grid, and that of the axis below other rows.
fn heights_around(chart: &Chart) -> (f64, f64) {
    match chart.form {
        ChartForm::Grid => (LABEL_HEIGHT + 4.0, 0.0),
        _ => (0.0, LABEL_HEIGHT),
    }
}

/// A colour: its variable in the style sheet, and the same colour on white.
#[derive(Debug, Clone, Copy)]
struct Ink(&'static str, &'static str);

impl Ink {
    const TEXT: Ink = Ink("--text", "#1f2328");
    const QUIET: Ink = Ink("--quiet", "#57606a");
    const LINE: Ink = Ink("--line", "#d5d8dc");
    const FIRST: Ink = Ink("--first", "#2a6f9e");
    const SECOND: Ink = Ink("--second", "#b8562f");
    const THIRD: Ink = Ink("--third", "#6f8f2f");
    /// Everything is closed.
    const SHUT: Ink = Ink("--shut", "#b23a2a");
    /// A part is closed.
    const PART: Ink = Ink("--part", "#d08c1d");
    /// Nothing is closed.
    const OPEN: Ink = Ink("--open", "#b4d2e7");
}

fn ink(chart: &Chart, series: usize) -> Ink {
    let last = chart.series.len().saturating_sub(1);
    match chart.form {
        ChartForm::Stacked | ChartForm::Nested if series == 0 => Ink::SHUT,
        ChartForm::Stacked | ChartForm::Nested if series == last => Ink::OPEN,
        ChartForm::Stacked | ChartForm::Nested => Ink::PART,
        ChartForm::Dots if series == last => Ink::FIRST,
        ChartForm::Dots if series == 0 => Ink::QUIET,
        ChartForm::Dots => Ink::THIRD,
        ChartForm::Grid => Ink::FIRST,
        ChartForm::Bars => match series {
            0 => Ink::FIRST,
            1 => Ink::SECOND,
            _ => Ink::THIRD,
        },
    }
}

/// Shortens a label. Anybody can invent names, and a long one would leave no room for the bars.
fn shortened(label: &str, longest: usize) -> String {
    if label.chars().count() <= longest {
        return String::from(label);
    }
    let start: String = label.chars().take(longest.saturating_sub(1)).collect();
    start + "…"
}

/// The text without the marks of code.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// The text in lines that fit a file, whatever the font.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < LONGEST_LINE => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(String::from(word)),
        }
    }
    lines
}

const LONGEST_LABEL: usize = 28;
const LONGEST_LINE: usize = 78;

const BAR: f64 = 17.0;
const GAP: f64 = 8.0;
const LABEL_HEIGHT: f64 = 18.0;

/// The baseline of the text beside a bar, below the top of the bar.
const BASELINE: f64 = 13.0;

/// The shortest bar, in % of the width.
const SHORTEST: f64 = 0.15;

/// The width of a number beside stacked bars, in % of the width.
const VALUE: f64 = 10.0;

/// The opacity of the darkest cell of a grid.
const DARKEST: f64 = 0.5;

const FILE_WIDTH: f64 = 820.0;
const MARGIN: f64 = 20.0;

const FONTS: &str = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::document::Series;

    #[test]
    fn lines_break_between_words() {
        let text = "word ".repeat(40);
        let lines = lines(text.trim());
        assert!(lines.len() > 1);
        assert!(
            lines
                .iter()
                .all(|line| line.chars().count() <= LONGEST_LINE)
        );
        assert_eq!(lines.join(" "), text.trim());
    }

    #[test]
    fn the_axis_has_few_round_shares() {
        let of = |whole: f64| {
            let scale = Scale {
                start: 10.0,
                whole,
                step: 67.0 / whole,
            };
            scale
                .ticks()
                .into_iter()
                .map(tick_text)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(of(100.0), "0 % 25 % 50 % 75 % 100 %");
        assert_eq!(of(34.3), "0 % 10 % 20 % 30 %");
        assert_eq!(of(7.4), "0 % 2 % 4 % 6 %");
        assert_eq!(of(1.0), "0 % 0.25 % 0.5 % 0.75 % 1 %");
        assert_eq!(of(0.012), "0 % 0.005 % 0.01 %");
    }

    #[test]
    fn no_bar_or_dot_leaves_the_chart() {
        for form in [
            ChartForm::Bars,
            ChartForm::Stacked,
            ChartForm::Nested,
            ChartForm::Dots,
            ChartForm::Grid,
        ] {
            for shares in [[0.0, 0.0], [40.0, 60.0], [0.001, 0.002], [100.0, 0.0]] {
                let chart = Chart {
                    headline: String::new(),
                    title: String::new(),
                    form,
                    labels: vec![String::from("row")],
                    series: shares
                        .iter()
                        .map(|share| Series {
                            name: String::new(),
                            percent: vec![*share],
                        })
                        .collect(),
                };
                for layout in [Layout::WIDE, Layout::NARROW] {
                    let scale = Scale::of(&chart, &layout);
                    let end = match form {
                        ChartForm::Stacked => scale.x(shares.iter().sum()),
                        ChartForm::Grid => column_middle(&chart, &scale, 1),
                        _ => scale.x(shares.iter().copied().fold(0.0, f64::max)),
                    };
                    assert!(end < 100.01, "{form:?} {shares:?} {end}");
                }
            }
        }
    }
}
