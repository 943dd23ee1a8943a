//! Speed as a multiple of the best peer's: all crates and metrics alternate in one process.
//!
//! The machine's speed varies by more than the differences that matter, so each round runs every
//! measurement once, in a new random order, and compared figures come from the same conditions.
//! `ROUNDS` sets how many rounds (15); `cargo bench --bench ratios -- d1` measures only the inputs
//! whose name contains `d1`.

use std::fmt::Display;
use std::hint::black_box;
use std::rc::Rc;

use memchr::{memchr_iter, memchr2_iter};
use polite_robots::{RobotsTxt, Target};
use polite_robots_lint::Linter;

use polite_robots_benches::inputs::xorshift::Xorshift;
use polite_robots_benches::inputs::{Input, corpus, shapes};
use polite_robots_benches::peers::{Peer, PoliteRobots, Robotxt, TextingRobots, assert_answers};
use polite_robots_benches::timing::{duration, least, median, nanoseconds};

fn main() {
    let rounds = match std::env::var("ROUNDS") {
        _ if !polite_robots_benches::timing::is_measured() => 1,
        Ok(rounds) => rounds.parse().expect("ROUNDS is a number"),
        Err(_) => 15,
    };
    let filter = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let tables: Vec<Table> = cases()
        .iter()
        .filter(|case| filter.as_ref().is_none_or(|part| case.name.contains(part)))
        .map(|case| {
            eprintln!("{} …", case.name);
            measure(case, rounds)
        })
        .collect();
    print_ratios(&tables, rounds);
    print_figures(&tables);
    print_lines_ratios(&tables);
}

/// Files that are measured together: one run is one pass over all of them.
struct Case {
    name: String,
    files: Vec<Input>,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut oracle = None;
    if let Some(files) = corpus::top_sites() {
        print_agreement::<TextingRobots>(&files);
        print_agreement::<Robotxt>(&files);
        oracle = files
            .iter()
            .find(|file| file.name == "docs.oracle.com")
            .cloned();
        cases.push(Case {
            name: format!("corpus, {} files", files.len()),
            files,
        });
    }
    for file in [
        shapes::median(),
        corpus::twitter().unwrap_or_else(shapes::twitter_like),
        shapes::p99(),
        shapes::sophos_like(),
        shapes::smugmug_like(),
        oracle.unwrap_or_else(shapes::oracle_like),
        shapes::d1(),
        shapes::d2(),
        shapes::d4(),
        shapes::params(),
    ] {
        assert_answers(&file);
        cases.push(Case {
            name: file.name.clone(),
            files: vec![file],
        });
    }
    cases
}

/// Two parsers differ on some of thousands of unusual files. If they differed on many, their times
/// would be of different work.
fn print_agreement<P: Peer>(files: &[Input]) {
    let mut asked = 0_u32;
    let mut agreed = 0_u32;
    for file in files {
        let ours = PoliteRobots::parse(&file.bytes).unwrap();
        let theirs = P::parse(&file.bytes).unwrap();
        for path in &file.paths {
            asked += 1;
            agreed += u32::from(ours.allowed(path) == P::allows_path(&theirs, path));
        }
    }
    let agreement = f64::from(agreed) / f64::from(asked);
    println!(
        "Corpus: {asked} verdicts, {:.3} % as {}.",
        100.0 * agreement,
        P::NAME
    );
    assert!(agreement > 0.99, "{agreement}");
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Metric {
    /// Parsing to one agent's robot and dropping it, per file.
    Parse,
    /// Parsing to a document of all agents, per file. Ours only.
    ParseAll,
    /// Parsing to a document, with every finding about a line in a `Vec`.
    ParseReported,
    /// Linting a document, with the findings about its rules in a `Vec`.
    Lint,
    /// Parsing, one question about a full URL, and dropping, per file.
    OneQuestion,
    /// Parsing, ten questions about full URLs, and dropping, per file.
    Visit,
    /// One question, from the text of a full URL.
    CheckUrl,
    /// One question, from the text of a path.
    CheckPath,
    /// One question, from a prepared target. Ours only.
    CheckTarget,
    /// Finding the ends of the lines and nothing else, per file: the floor of parsing.
    Lines,
}

struct Measurement<'a> {
    crate_name: &'static str,
    metric: Metric,
    /// Files or questions in one run.
    units: usize,
    run: Box<dyn FnMut() + 'a>,
    repetitions: u32,
    /// Nanoseconds per unit.
    samples: Vec<f64>,
}

struct Table {
    name: String,
    rows: Vec<Row>,
}

struct Row {
    crate_name: &'static str,
    metric: Metric,
    least: f64,
    median: f64,
}

fn measure(case: &Case, rounds: usize) -> Table {
    let mut measurements = of_ours(&case.files);
    measurements.extend(of_peer::<PoliteRobots>(&case.files));
    measurements.extend(of_peer::<TextingRobots>(&case.files));
    measurements.extend(of_peer::<Robotxt>(&case.files));
    measurements.extend(of_lines(&case.files));

    for measurement in &mut measurements {
        measurement.repetitions = polite_robots_benches::timing::repetitions(&mut measurement.run);
    }
    let mut random = Xorshift::new(1);
    for round in 0..rounds {
        random.shuffle(&mut measurements);
        for measurement in &mut measurements {
            measurement.sample(round, case.files.len() == 1);
        }
    }
    Table {
        name: case.name.clone(),
        rows: measurements.iter().map(Measurement::row).collect(),
    }
}

impl Measurement<'_> {
    fn sample(&mut self, round: usize, is_one_file: bool) {
        // texting_robots needs 140 ms to parse d2, so one measurement is enough.
        const SLOW: f64 = 2e7;
        const EVERY: usize = 5;

        let is_slow = self.samples.first().is_some_and(|first| *first > SLOW);
        if is_one_file && is_slow && !round.is_multiple_of(EVERY) {
            return;
        }
        let sample = nanoseconds(polite_robots_benches::timing::time(
            self.repetitions,
            &mut self.run,
        ));
        self.samples
            .push(sample / f64::from(self.repetitions) / self.units as f64);
    }

    fn row(&self) -> Row {
        Row {
            crate_name: self.crate_name,
            metric: self.metric,
            least: least(&self.samples),
            median: median(&self.samples),
        }
    }
}

fn measurement<'a>(
    crate_name: &'static str,
    metric: Metric,
    units: usize,
    run: impl FnMut() + 'a,
) -> Measurement<'a> {
    Measurement {
        crate_name,
        metric,
        units,
        run: Box::new(run),
        repetitions: 1,
        samples: Vec::new(),
    }
}

/// The measurements of every crate.
fn of_peer<'a, P: Peer + 'a>(files: &'a [Input]) -> Vec<Measurement<'a>> {
    let robots: Rc<Vec<P::Robot>> = Rc::new(
        files
            .iter()
            .map(|file| P::parse(&file.bytes).unwrap())
            .collect(),
    );
    let robots_again = Rc::clone(&robots);
    let questions: usize = files.iter().map(|file| file.urls.len()).sum();
    vec![
        measurement(P::NAME, Metric::Parse, files.len(), move || {
            for file in files {
                black_box(P::parse(black_box(&file.bytes)));
            }
        }),
        measurement(P::NAME, Metric::OneQuestion, files.len(), move || {
            visit::<P>(files, 1);
        }),
        measurement(P::NAME, Metric::Visit, files.len(), move || {
            visit::<P>(files, 10);
        }),
        measurement(P::NAME, Metric::CheckUrl, questions, move || {
            for (robot, file) in robots.iter().zip(files) {
                for url in &file.urls {
                    black_box(P::allows_url(black_box(robot), black_box(url)));
                }
            }
        }),
        measurement(P::NAME, Metric::CheckPath, questions, move || {
            for (robot, file) in robots_again.iter().zip(files) {
                for path in &file.paths {
                    black_box(P::allows_path(black_box(robot), black_box(path)));
                }
            }
        }),
    ]
}

/// Parses each file and asks the first of its questions.
fn visit<P: Peer>(files: &[Input], questions: usize) {
    for file in files {
        let robot = P::parse(black_box(&file.bytes)).unwrap();
        for url in file.urls.iter().take(questions) {
            black_box(P::allows_url(black_box(&robot), black_box(url)));
        }
    }
}

/// The measurements that only our crate supports.
fn of_ours(files: &[Input]) -> Vec<Measurement<'_>> {
    let robots: Vec<_> = files
        .iter()
        .map(|file| PoliteRobots::parse(&file.bytes).unwrap())
        .collect();
    let targets: Vec<Vec<Target<'_>>> = files
        .iter()
        .map(|file| file.urls.iter().map(|url| Target::new(url)).collect())
        .collect();
    let questions = targets.iter().map(Vec::len).sum();
    vec![
        measurement(
            PoliteRobots::NAME,
            Metric::ParseAll,
            files.len(),
            move || {
                for file in files {
                    black_box(RobotsTxt::parse(black_box(&file.bytes)));
                }
            },
        ),
        measurement(
            PoliteRobots::NAME,
            Metric::ParseReported,
            files.len(),
            move || {
                for file in files {
                    let robots_txt = RobotsTxt::parse(black_box(&file.bytes));
                    let linter = Linter::without_crawlers().only_lines();
                    black_box(linter.lint(&robots_txt));
                }
            },
        ),
        measurement(PoliteRobots::NAME, Metric::Lint, files.len(), {
            let documents: Vec<RobotsTxt> = files
                .iter()
                .map(|file| RobotsTxt::parse(&file.bytes))
                .collect();
            move || {
                for document in &documents {
                    let linter = Linter::without_crawlers().only_rules();
                    black_box(linter.lint(document));
                }
            }
        }),
        measurement(
            PoliteRobots::NAME,
            Metric::CheckTarget,
            questions,
            move || {
                for (robot, targets) in robots.iter().zip(&targets) {
                    for target in targets {
                        black_box(black_box(robot).allowed(black_box(target)));
                    }
                }
            },
        ),
    ]
}

fn of_lines(files: &[Input]) -> Vec<Measurement<'_>> {
    vec![
        measurement("memchr", Metric::Lines, files.len(), move || {
            for file in files {
                let ends = memchr_iter(b'\n', black_box(&file.bytes));
                black_box(ends.fold(0, |sum: usize, end| sum.wrapping_add(end)));
            }
        }),
        measurement("memchr2", Metric::Lines, files.len(), move || {
            for file in files {
                let ends = memchr2_iter(b'\n', b'\r', black_box(&file.bytes));
                black_box(ends.fold(0, |sum: usize, end| sum.wrapping_add(end)));
            }
        }),
    ]
}

impl Table {
    fn row(&self, crate_name: &str, metric: Metric) -> &Row {
        self.rows
            .iter()
            .find(|row| row.crate_name == crate_name && row.metric == metric)
            .unwrap()
    }

    fn best_peer(&self, metric: Metric) -> &Row {
        self.rows
            .iter()
            .filter(|row| row.metric == metric && row.crate_name != PoliteRobots::NAME)
            .min_by(|a, b| a.least.total_cmp(&b.least))
            .unwrap()
    }
}

fn print_ratios(tables: &[Table], rounds: usize) {
    println!(
        "
Minimum / median of {rounds} rounds. × is the best peer's time divided by ours, of the minima (of the medians): above 1
ours is faster. Parse is for one agent and includes dropping. A visit is a parse, ten questions about full URLs, and
the drop. Checks are the mean of 50 URLs.
"
    );
    let mut header = vec!["input".to_owned()];
    for metric in COMPARED {
        let name = metric.name();
        header.extend([
            format!("{name}: ours"),
            "best peer".to_owned(),
            "×".to_owned(),
        ]);
    }
    print_row(&header);
    print_row(&vec!["---"; header.len()]);
    for table in tables {
        let mut cells = vec![table.name.clone()];
        for metric in COMPARED {
            let ours = table.row(PoliteRobots::NAME, metric);
            let best = table.best_peer(metric);
            cells.extend([
                ours.figure(),
                format!("{} {}", best.figure(), best.crate_name),
                format!(
                    "**{:.2}** ({:.2})",
                    best.least / ours.least,
                    best.median / ours.median
                ),
            ]);
        }
        print_row(&cells);
    }
}

fn print_figures(tables: &[Table]) {
    println!("\nEvery figure:\n");
    let mut header = vec!["input".to_owned()];
    for (crate_name, metric) in FIGURES {
        header.push(format!("{}: {crate_name}", metric.name()));
    }
    print_row(&header);
    print_row(&vec!["---"; header.len()]);
    for table in tables {
        let figures = FIGURES.map(|(crate_name, metric)| table.row(crate_name, metric).figure());
        print_row(&[vec![table.name.clone()], figures.to_vec()].concat());
    }
}

/// Parsing against its floor, the cost of finding the ends of the lines.
fn print_lines_ratios(tables: &[Table]) {
    println!("\nHow many times as long as iterating over the line ends, of the minima:\n");
    println!("| input | parse / memchr | parse / memchr2 | parse for all agents / memchr2 |");
    println!("|---|---|---|---|");
    for table in tables {
        let ratio = |metric, floor| {
            table.row(PoliteRobots::NAME, metric).least / table.row(floor, Metric::Lines).least
        };
        println!(
            "| {} | {:.2} | {:.2} | {:.2} |",
            table.name,
            ratio(Metric::Parse, "memchr"),
            ratio(Metric::Parse, "memchr2"),
            ratio(Metric::ParseAll, "memchr2"),
        );
    }
}

impl Row {
    fn figure(&self) -> String {
        format!("{} / {}", duration(self.least), duration(self.median))
    }
}

impl Metric {
    fn name(self) -> &'static str {
        match self {
            Metric::Parse => "parse",
            Metric::ParseAll => "parse for all agents",
            Metric::ParseReported => "parse with findings",
            Metric::Lint => "lint",
            Metric::OneQuestion => "parse and one question",
            Metric::Visit => "a visit",
            Metric::CheckUrl => "check full URL",
            Metric::CheckPath => "check path",
            Metric::CheckTarget => "check prepared target",
            Metric::Lines => "line ends",
        }
    }
}

fn print_row<T: Display>(cells: &[T]) {
    let cells: Vec<String> = cells.iter().map(T::to_string).collect();
    println!("| {} |", cells.join(" | "));
}

const COMPARED: [Metric; 5] = [
    Metric::Parse,
    Metric::OneQuestion,
    Metric::Visit,
    Metric::CheckUrl,
    Metric::CheckPath,
];

const FIGURES: [(&str, Metric); 16] = [
    (PoliteRobots::NAME, Metric::ParseAll),
    (PoliteRobots::NAME, Metric::ParseReported),
    (PoliteRobots::NAME, Metric::Lint),
    (TextingRobots::NAME, Metric::Parse),
    (Robotxt::NAME, Metric::Parse),
    (TextingRobots::NAME, Metric::OneQuestion),
    (Robotxt::NAME, Metric::OneQuestion),
    (TextingRobots::NAME, Metric::Visit),
    (Robotxt::NAME, Metric::Visit),
    ("memchr", Metric::Lines),
    ("memchr2", Metric::Lines),
    (PoliteRobots::NAME, Metric::CheckTarget),
    (TextingRobots::NAME, Metric::CheckUrl),
    (Robotxt::NAME, Metric::CheckUrl),
    (TextingRobots::NAME, Metric::CheckPath),
    (Robotxt::NAME, Metric::CheckPath),
];
