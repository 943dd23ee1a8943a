//! Recorded verdicts on files beside the checkout, compared with the verdicts of the crate.

use std::io::{BufRead as _, BufReader, Read};
use std::time::Duration;

use flate2::read::GzDecoder;
use polite_robots::{Dialect, InvalidToken, Reason, Robot, RobotsTxt, Target};
use serde::Deserialize;

use super::{corpus, shared};
use crate::suite::verdict::entry_points::{Answer, Robots, options};

pub(crate) const SUITE_CASES: &str = "oracle/cases.jsonl";
pub(crate) const CRAWL_DELAYS: &str = "oracle/crawl-delay-cases.jsonl";
pub(crate) const CORPUS_VERDICTS: &str = "oracle/google-corpus-verdicts.tsv.gz";

fn lines(path: &str) -> impl Iterator<Item = String> {
    let file = std::fs::File::open(shared(path)).unwrap();
    let reader: Box<dyn Read> = if path.ends_with(".gz") {
        Box::new(GzDecoder::new(file))
    } else {
        Box::new(file)
    };
    BufReader::new(reader).lines().map(Result::unwrap)
}

#[derive(Deserialize)]
struct SuiteCase {
    id: String,
    robots: String,
    encoding: String,
    agent: String,
    agent_valid: bool,
    url: String,
    google: bool,
    google_line: u32,
    rfc9309: bool,
    rfc9309_line: u32,
}

/// Reads the rows that this crate considers wrong, one `id: reason` a line; empty lines and `#`
/// lines are skipped.
fn expected_failures() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/testdata/expected_failures.txt"
    ))
    .unwrap();
    let rows = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|line| {
        line.split_once(": ")
            .unwrap_or_else(|| panic!("the line gives no reason: {line}"))
    })
    .map(|(id, reason)| (id.to_string(), reason.to_string()))
    .collect()
}

pub(crate) fn rows_of_known_suites() {
    let mut known = expected_failures();
    let (mut count, mut refused, mut wrong) = (0, 0, Vec::new());
    for line in lines(SUITE_CASES) {
        let case: SuiteCase = serde_json::from_str(&line).unwrap();
        let body = match case.encoding.as_str() {
            "latin1" => case
                .robots
                .chars()
                .map(|c| u8::try_from(u32::from(c)).unwrap())
                .collect(),
            "utf8" => case.robots.into_bytes(),
            other => panic!("encoding {other}"),
        };
        count += 1;
        if !case.agent_valid {
            let refusal: InvalidToken = Robot::new(&case.agent, &body).unwrap_err();
            assert_eq!(refusal.token(), case.agent);
            refused += 1;
            continue;
        }
        let expected = [
            (Dialect::Google, case.google, case.google_line),
            (Dialect::Rfc9309, case.rfc9309, case.rfc9309_line),
        ];
        for (dialect, allowed, line) in expected {
            let expected = Answer { allowed, line };
            let found = Robots::new(&case.agent, &body, dialect)
                .unwrap()
                .ask(&case.url);
            let is_known = known
                .iter()
                .position(|(id, _)| *id == format!("{} {dialect:?}", case.id));
            match (found == Ok(expected), is_known) {
                (false, None) => wrong.push(format!(
                    "{} {dialect:?}: {found:?}, not {expected:?}",
                    case.id
                )),
                (false, Some(at)) => drop(known.remove(at)),
                (true, _) => {}
            }
        }
    }
    println!(
        "{count} rows, {refused} of them refused, {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty() && count > 0, "{wrong:#?}");
    assert!(
        known.is_empty(),
        "stale in expected_failures.txt: {known:#?}"
    );
}

#[derive(Deserialize)]
struct DelayCase {
    id: String,
    robots: String,
    agent: String,
    delay_secs: Option<u64>,
    delay_nanos: Option<u32>,
}

pub(crate) fn issue_crawl_delays() {
    let mut count = 0;
    for line in lines(CRAWL_DELAYS) {
        let case: DelayCase = serde_json::from_str(&line).unwrap();
        let expected = case
            .delay_secs
            .map(|seconds| Duration::new(seconds, case.delay_nanos.unwrap_or(0)));
        let robot = Robot::new(&case.agent, case.robots.as_bytes()).unwrap();
        assert_eq!(robot.crawl_delay(), expected, "{}", case.id);
        count += 1;
    }
    println!("{count} crawl delays");
    assert!(count >= 77);
}

/// The dialects in the order of the columns of the recorded verdicts.
const DIALECTS: [Dialect; 2] = [Dialect::Google, Dialect::Rfc9309];

pub(crate) fn google_corpus_verdicts() {
    let files = corpus::top_sites_of_2019();
    let (mut count, mut wrong) = (0, Vec::new());
    let mut differences = Differences::default();
    let mut parsed: Option<(String, [RobotsTxt; 2])> = None;
    let mut asked: Vec<(String, [Robots; 2])> = Vec::new();
    for line in lines(CORPUS_VERDICTS) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [file, agent, url, google, google_line, rfc9309, rfc9309_line] = columns[..] else {
            panic!("{line}");
        };
        let body = &files[file];
        parsed = parsed.filter(|(name, _)| name == file);
        let (_, documents) = parsed.get_or_insert_with(|| {
            asked.clear();
            let document = |dialect| RobotsTxt::parse_with(body, &options(dialect));
            (file.to_string(), DIALECTS.map(document))
        });
        if !asked.iter().any(|(known, _)| known == agent) {
            let robots =
                [0, 1].map(|at| Robots::of(&documents[at], agent, body, DIALECTS[at]).unwrap());
            asked.push((agent.to_string(), robots));
        }
        let (_, robots) = asked.iter().find(|(known, _)| known == agent).unwrap();
        let answer = |allowed: &str, line: &str| Answer {
            allowed: allowed == "1",
            line: line.parse().unwrap(),
        };
        let expected = [answer(google, google_line), answer(rfc9309, rfc9309_line)];
        for (robots, expected) in robots.iter().zip(expected) {
            let found = robots.ask(url);
            if found != Ok(expected) {
                wrong.push(format!("{file} {agent} {url}: {found:?}, not {expected:?}"));
            }
        }
        differences.add(file, agent, url, [robots[0].first(), robots[1].first()]);
        count += 1;
    }
    println!("{count} verdicts in both dialects, {} wrong", wrong.len());
    assert!(
        wrong.is_empty() && count > 0,
        "{:#?}",
        &wrong[..wrong.len().min(20)]
    );
    differences.print(count);
    assert_eq!(
        differences.count(),
        111,
        "verdicts that differ between the dialects"
    );
}

/// The verdicts that differ between Google's matcher and the default dialect, by reason.
#[derive(Default)]
struct Differences(std::collections::BTreeMap<&'static str, Vec<String>>);

impl Differences {
    fn add(&mut self, file: &str, agent: &str, url: &str, robots: [&Robot; 2]) {
        let target = Target::new(url);
        let [google, rfc9309] = robots.map(|robot| robot.check(&target));
        if google.is_allowed() == rfc9309.is_allowed() {
            return;
        }
        let rules = [google.rule(), rfc9309.rule()].into_iter().flatten();
        let patterns: String = rules.map(|rule| rule.pattern().to_string()).collect();
        let reason = match (google.reason(), rfc9309.reason()) {
            (_, Reason::RobotsTxtItself) => "/robots.txt itself",
            (Reason::DirectoryOfIndex(_), _) => "the directory of an index page",
            _ if patterns.contains([' ', '\t']) || patterns.contains("%20") => {
                "a raw blank in the rule"
            }
            _ if patterns.contains('%') => "another byte that one side has escaped",
            _ if url.contains('%') => "an escape in the URL",
            _ => "other",
        };
        let line =
            format!("{file} {agent} {url}\n      google:  {google}\n      rfc9309: {rfc9309}");
        self.0.entry(reason).or_default().push(line);
    }

    fn count(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    fn print(&self, of: usize) {
        println!(
            "{} of {of} verdicts differ between the dialects",
            self.count()
        );
        for (reason, lines) in &self.0 {
            println!("  {} by {reason}", lines.len());
            for line in lines {
                println!("    {line}");
            }
        }
    }
}
