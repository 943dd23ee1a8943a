//! Runner of the cases in testdata/, whose README documents the format.

use std::collections::BTreeSet;
use std::path::PathBuf;

use polite_robots::{AgentMatch, Dialect, Robot};
use serde::Deserialize;

use crate::suite::case_files::case_files;
use crate::suite::delay::in_seconds;
use crate::suite::notation::{self, Encoding, Repeat};
use crate::suite::verdict::entry_points::{Answer, Robots};
use crate::suite::verdict::laws::in_every_tier;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    why: String,
    robots: String,
    encoding: Option<Encoding>,
    #[serde(default = "example_bot")]
    agent: String,
    agent_match: Option<Match>,
    #[serde(default)]
    checks: Vec<Check>,
    crawl_delay: Option<PerDialect>,
    sitemaps: Option<Vec<String>>,
    invalid_agent: Option<String>,
    repeat: Option<Repeat>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Match {
    Named,
    Wildcard,
    None,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    url: String,
    both: Option<String>,
    rfc9309: Option<String>,
    google: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum PerDialect {
    Both(String),
    Each { rfc9309: String, google: String },
}

fn example_bot() -> String {
    "ExampleBot".to_string()
}

#[test]
fn rfc_cases() {
    run("rfc9309", "rfc-");
}

#[test]
fn google_cases() {
    run("google", "google-");
}

#[test]
fn issue_cases() {
    run("issues", "issue-");
}

#[test]
fn hostile_cases() {
    run("hostile", "hostile-");
}

#[test]
fn names_are_unique() {
    let mut names = BTreeSet::new();
    for folder in ["rfc9309", "google", "issues", "hostile"] {
        for (file, case) in cases(folder) {
            assert!(
                names.insert(case.name.clone()),
                "{}: `{}` is used twice",
                file.display(),
                case.name
            );
        }
    }
}

fn run(folder: &str, prefix: &str) {
    let (mut count, mut checks, mut wrong) = (0, 0, Vec::new());
    for (file, case) in cases(folder) {
        count += 1;
        checks += case.checks.len();
        let is_named = case.name.starts_with(prefix) && !case.why.is_empty();
        let failures = if is_named {
            case.run()
        } else {
            vec![format!(
                "expected a `why`, and a name that begins with `{prefix}`"
            )]
        };
        wrong.extend(
            failures
                .iter()
                .map(|failure| format!("{} {}: {failure}", file.display(), case.name)),
        );
    }
    println!(
        "{folder}: {count} cases, {checks} checks, {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty() && count > 0, "{wrong:#?}");
}

fn cases(folder: &str) -> Vec<(PathBuf, Case)> {
    let parsed = case_files(folder).flat_map(|(path, file): (PathBuf, CaseFile)| {
        let cases = file.case.into_iter();
        cases.map(move |case| (path.clone(), case))
    });
    parsed.collect()
}

impl Case {
    fn run(&self) -> Vec<String> {
        let body = self.body();
        if let Some(message) = &self.invalid_agent {
            let refusal = Robot::new(&self.agent, &body)
                .map(|_| ())
                .map_err(|error| error.to_string());
            return match refusal {
                Err(text) if text.contains(message) && self.checks.is_empty() => Vec::new(),
                other => vec![format!(
                    "expected a refusal with `{message}` and no checks, not {other:?}"
                )],
            };
        }
        let mut failures = Vec::new();
        if self.checks.is_empty() {
            failures.push("the case has no checks".to_string());
        }
        for dialect in [Dialect::Rfc9309, Dialect::Google] {
            let robots = match Robots::new(&self.agent, &body, dialect) {
                Ok(robots) => robots,
                Err(error) => return vec![error.to_string()],
            };
            for check in &self.checks {
                let url = self.repeated(&check.url);
                let expected = check.expected(dialect);
                let found = robots.ask(&url);
                if found.as_ref().map_err(Clone::clone) != expected.as_ref().map_err(Clone::clone) {
                    failures.push(format!(
                        "{dialect:?} {}: {found:?}, not {expected:?}",
                        check.url
                    ));
                }
                failures.extend(differing_tiers(&robots, &url, dialect));
            }
            failures.extend(self.differing_facts(&robots, dialect));
        }
        failures
    }

    fn body(&self) -> Vec<u8> {
        notation::bytes(&self.robots, self.repeat.as_ref(), self.encoding)
    }

    fn repeated(&self, text: &str) -> String {
        notation::repeated(text, self.repeat.as_ref())
    }

    fn differing_facts(&self, robots: &Robots, dialect: Dialect) -> Vec<String> {
        let mut failures = Vec::new();
        let mut compare = |field: &str, found: String, expected: String| {
            if found != expected {
                failures.push(format!("{dialect:?} {field}: {found}, not {expected}"));
            }
        };
        if let Some(expected) = self.agent_match {
            let expected = match expected {
                Match::Named => AgentMatch::Named,
                Match::Wildcard => AgentMatch::Wildcard,
                Match::None => AgentMatch::None,
            };
            compare(
                "agent_match",
                format!("{:?}", robots.agent_match()),
                format!("{expected:?}"),
            );
        }
        if let Some(expected) = &self.crawl_delay {
            let expected = match (expected, dialect) {
                (PerDialect::Both(delay), _) => delay,
                (PerDialect::Each { rfc9309, .. }, Dialect::Rfc9309) => rfc9309,
                (PerDialect::Each { google, .. }, Dialect::Google) => google,
            };
            compare(
                "crawl_delay",
                in_seconds(robots.first().crawl_delay()),
                expected.clone(),
            );
        }
        if let Some(expected) = &self.sitemaps {
            compare(
                "sitemaps",
                format!("{:?}", robots.first().sitemaps().collect::<Vec<_>>()),
                format!("{expected:?}"),
            );
            compare(
                "sitemaps",
                format!("{:?}", robots.robots_txt.sitemaps().collect::<Vec<_>>()),
                format!("{expected:?}"),
            );
        }
        failures
    }
}

impl Check {
    fn expected(&self, dialect: Dialect) -> Result<Answer, String> {
        let text = match (&self.both, &self.rfc9309, &self.google, dialect) {
            (Some(both), None, None, _) => both,
            (None, Some(rfc9309), Some(_), Dialect::Rfc9309) => rfc9309,
            (None, Some(_), Some(google), Dialect::Google) => google,
            _ => {
                return Err(format!(
                    "{}: expected `both`, or `rfc9309` and `google`",
                    self.url
                ));
            }
        };
        text.parse()
    }
}

/// Compares every pattern of the file, in every tier that takes it, with the naive matcher.
fn differing_tiers(robots: &Robots, url: &str, dialect: Dialect) -> Vec<String> {
    /// Limit on the steps of the naive matcher; longer walks take too much time.
    const MAX_STEPS: usize = 400_000;

    let mut failures = Vec::new();
    // A hostile file repeats a rule thousands of times; one copy is enough.
    let mut compared = BTreeSet::new();
    for rule in robots.robots_txt.groups().flat_map(|group| group.rules()) {
        let is_path = matches!(rule.value(), [b'/' | b'*', ..]);
        let is_short = rule.value().len() * url.len() <= MAX_STEPS;
        if !is_path || !is_short || !compared.insert(rule.value()) {
            continue;
        }
        for (tier, found, expected) in in_every_tier(rule.value(), url, dialect) {
            if found != expected {
                failures.push(format!(
                    "{dialect:?} {url}: {rule} in {tier:?} is not {expected}"
                ));
            }
        }
    }
    failures
}
