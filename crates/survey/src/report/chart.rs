//! The drawing of a chart as SVG. Text stays text, and the colours are those of the page, so that
//! dark mode applies.

use charts_rs::{Color, FontConfig, HorizontalBarChart, Position, Series as BarSeries};

use crate::report::document::Chart;

/// Draws a chart, as high as its bars need.
pub(crate) fn svg(chart: &Chart) -> charts_rs::Result<String> {
    let series = chart.series.iter().map(|series| {
        // The library draws the first bar at the bottom.
        let values = series.percent.iter().rev().map(|share| rounded(*share));
        let mut bars = BarSeries::new(series.name.clone(), values.collect());
        bars.label_show = true;
        bars
    });
    let labels = chart
        .labels
        .iter()
        .rev()
        .map(|label| shortened(label))
        .collect();
    let mut drawing = HorizontalBarChart::new(series.collect(), labels);
    let bars = chart.labels.len() * chart.series.len();
    drawing.width = WIDTH;
    drawing.height = bars as f32 * BAR_HEIGHT + chart.labels.len() as f32 * GROUP_GAP + AXIS_HEIGHT;
    drawing.background_color = Color::transparent();
    drawing.font_family = String::from(FONT_SENTINEL);
    drawing.margin = charts_rs::Box {
        left: MARGIN,
        top: MARGIN,
        right: VALUE_WIDTH,
        bottom: 0.0,
    };
    let font = FontConfig {
        size: FONT_SIZE,
        color: TEXT.sentinel(),
        weight: None,
    };
    // The page has a legend in HTML, whose text fits in any font.
    drawing.legend.show = Some(false);
    drawing.x_axis.font = font.clone();
    drawing.x_axis.stroke_color = GRID.sentinel();
    drawing.x_axis.height = AXIS_HEIGHT;
    drawing.x_axis.name_gap = 8.0;
    drawing.grid.stroke_color = GRID.sentinel();
    drawing.series.colors = SERIES.iter().map(Ink::sentinel).collect();
    drawing.series.label.font = font.clone();
    drawing.series.label.formatter = String::from("{c} %");
    drawing.series_label_position = Some(Position::Right);
    let shares = chart.series.iter().flat_map(|series| &series.percent);
    let largest = shares.copied().fold(0.0, f64::max);
    for axis in &mut drawing.y_axis_configs {
        axis.font = font.clone();
        axis.stroke_color = GRID.sentinel();
        axis.formatter = Some(String::from("{c} %"));
        axis.split_number = 4;
        axis.min = Some(0.0);
        axis.max = (largest > 80.0).then_some(100.0);
    }
    Ok(with_page_colours(&drawing.svg()?))
}

/// A colour of the page, and the colour that stands for it until the chart is drawn.
struct Ink {
    stand_in: (u8, u8, u8),
    /// The CSS variable of the colour.
    variable: &'static str,
}

impl Ink {
    fn sentinel(&self) -> Color {
        self.stand_in.into()
    }
}

fn with_page_colours(svg: &str) -> String {
    let inks = SERIES.iter().chain([&TEXT, &GRID]);
    let svg = inks.fold(String::from(svg), |svg, ink| {
        svg.replace(&ink.sentinel().hex(), &format!("var({})", ink.variable))
    });
    svg.replace(FONT_SENTINEL, FONTS)
}

/// Rounds a share to one place, or to two below 1 %.
fn rounded(percent: f64) -> f32 {
    let places = if percent >= 1.0 { 10.0 } else { 100.0 };
    ((percent * places).round() / places) as f32
}

/// Shortens a label. Anybody can invent names, and a long one would leave no room for the bars.
fn shortened(label: &str) -> String {
    if label.chars().count() <= LONGEST_LABEL {
        return String::from(label);
    }
    let start: String = label.chars().take(LONGEST_LABEL - 1).collect();
    start + "…"
}

const TEXT: Ink = Ink {
    stand_in: (1, 2, 3),
    variable: "--text",
};
const GRID: Ink = Ink {
    stand_in: (4, 5, 6),
    variable: "--line",
};
const SERIES: [Ink; 3] = [
    Ink {
        stand_in: (7, 8, 9),
        variable: "--first",
    },
    Ink {
        stand_in: (10, 11, 12),
        variable: "--second",
    },
    Ink {
        stand_in: (13, 14, 15),
        variable: "--third",
    },
];

/// The fonts of the text. The library places labels by the widths of Roboto, and the other fonts
/// are nearly as wide.
const FONTS: &str = "Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', system-ui, sans-serif";
const FONT_SENTINEL: &str = "page-font";
const FONT_SIZE: f32 = 13.0;
const LONGEST_LABEL: usize = 26;

/// The width, narrow enough for readable text on a phone.
const WIDTH: f32 = 460.0;
const BAR_HEIGHT: f32 = 17.0;
const GROUP_GAP: f32 = 11.0;
const AXIS_HEIGHT: f32 = 26.0;
const MARGIN: f32 = 4.0;

/// The room for the value after the longest bar.
const VALUE_WIDTH: f32 = 52.0;
