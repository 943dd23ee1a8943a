//! Timing for the benches that print tables. Criterion compares a function with its own earlier
//! runs; these benches compare functions with each other in one process.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Length of a sample, long enough that the clock's cost and resolution do not matter.
pub const SAMPLE: Duration = Duration::from_millis(2);

/// Whether to measure or to run everything once: `cargo bench` passes `--bench`, `cargo test
/// --benches` does not.
pub fn is_measured() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// The number of repetitions of `run` that fill a sample. The search for this number calls `run`,
/// which also warms it up.
///
/// The shortest of three tries counts. On a busy machine one try is not enough: a run that was
/// interrupted, or that built parts on first use, fills the sample alone, and each later sample
/// would be a few cold microseconds.
pub fn repetitions(mut run: impl FnMut()) -> u32 {
    if !is_measured() {
        run();
        return 1;
    }
    let mut repetitions: u32 = 1;
    loop {
        let tries = [(); 3].map(|()| time(repetitions, &mut run));
        let spent = tries.into_iter().min().unwrap();
        if spent >= SAMPLE {
            return repetitions;
        }
        // Growth is at most tenfold, as the first runs are cold and mislead.
        let missing = SAMPLE.as_secs_f64() / spent.as_secs_f64().max(1e-9);
        repetitions = (f64::from(repetitions) * (missing * 1.1).min(10.0)).ceil() as u32;
    }
}

pub fn time(repetitions: u32, mut run: impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..repetitions {
        run();
    }
    start.elapsed()
}

/// The nanoseconds of one run: the minimum of several samples, as noise only adds time.
pub fn best(mut run: impl FnMut()) -> f64 {
    const BUDGET: Duration = Duration::from_millis(100);
    const MAX_SAMPLES: usize = 15;

    let repetitions = repetitions(&mut run);
    let start = Instant::now();
    let mut best = f64::INFINITY;
    for _ in 0..if is_measured() { MAX_SAMPLES } else { 1 } {
        let sample = time(repetitions, &mut run);
        best = best.min(nanoseconds(sample) / f64::from(repetitions));
        if start.elapsed() > BUDGET {
            break;
        }
    }
    best
}

/// The nanoseconds of the first use of a value, without making it: the minimum of several samples.
pub fn best_first<T, R>(make: impl Fn() -> T, first_use: impl Fn(&T) -> R) -> f64 {
    const TIMES: usize = 5;

    (0..if is_measured() { TIMES } else { 1 })
        .map(|_| {
            let made = make();
            let start = Instant::now();
            black_box(first_use(black_box(&made)));
            nanoseconds(start.elapsed())
        })
        .fold(f64::INFINITY, f64::min)
}

pub fn nanoseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e9
}

/// Three significant digits and the unit.
pub fn duration(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        n if n < 1e3 => (n, "ns"),
        n if n < 1e6 => (n / 1e3, "µs"),
        n if n < 1e9 => (n / 1e6, "ms"),
        n => (n / 1e9, "s"),
    };
    let digits = match value {
        v if v < 10.0 => 2,
        v if v < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

pub fn least(samples: &[f64]) -> f64 {
    samples.iter().copied().fold(f64::INFINITY, f64::min)
}

pub fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    }
}

/// The exponent of the power law through the points, by least squares of the logarithms: 0 does not
/// grow, 1 is linear.
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let logarithms: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logarithms.len() as f64;
    let mean_x = logarithms.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = logarithms.iter().map(|(_, y)| y).sum::<f64>() / count;
    let covariance: f64 = logarithms
        .iter()
        .map(|(x, y)| (x - mean_x) * (y - mean_y))
        .sum();
    let variance: f64 = logarithms.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    covariance / variance
}
