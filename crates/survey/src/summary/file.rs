//! The facts about one robots.txt that are counted. All calls of the library are made here.

use std::ops::Range;
use std::time::{Duration, Instant};

use polite_robots::lint::{Comparison, Diagnostic, DiagnosticCode, Difference, Severity};
use polite_robots::record::Extension;
use polite_robots::{Access, Options, RobotsTxt};
use polite_robots_audit::findings;

use crate::depth::Depth;
use crate::panics;
use crate::summary::pattern::Pattern;
use crate::summary::shape::Shape;

/// A parsed file, with the findings about its lines.
#[derive(Debug)]
pub(crate) struct ParsedFile {
    pub(crate) robots_txt: RobotsTxt,
    pub(crate) findings: Vec<Finding>,
    pub(crate) time: Duration,
}

/// A finding about a line, without its message.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) code: DiagnosticCode,
    /// The severity of this finding, which may be lower than that of its code.
    pub(crate) severity: Severity,
    pub(crate) span: Range<usize>,
}

/// The facts about a file that are counted.
#[derive(Debug)]
pub(crate) struct FileFacts<'r> {
    pub(crate) body: &'r [u8],
    pub(crate) shape: Shape,
    pub(crate) findings: &'r [Finding],
    /// The findings from comparing the rules with each other; `None` if the file is not in the
    /// sample.
    pub(crate) lint: Option<Vec<DiagnosticCode>>,
    pub(crate) groups: u64,
    /// The number of `User-agent` lines.
    pub(crate) user_agents: u64,
    pub(crate) agents: Vec<AgentReach<'r>>,
    /// The reach of the groups for `*`; `None` if there are none.
    pub(crate) everyone: Option<Reach>,
    /// The access to `/` of an agent that the file does not name.
    pub(crate) root: Access,
    pub(crate) rules: Vec<Pattern>,
    pub(crate) extensions: Vec<Extension<'r>>,
    /// The comparison of the dialects; `None` if the file is not in the sample.
    pub(crate) dialects: Option<DialectAnswers>,
    /// The time to compile the rules for `*` and to check a first URL.
    pub(crate) check_time: Duration,
}

/// An agent that a file names.
#[derive(Debug)]
pub(crate) struct AgentReach<'r> {
    pub(crate) token: &'r str,
    pub(crate) reach: Reach,
}

/// The extent of the rules of an agent: what they disallow and allow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Whether a `Disallow` can match.
    disallows: bool,
    /// Whether a `Disallow` matches every path.
    disallows_everything: bool,
    /// Whether an `Allow` can match.
    allows: bool,
}

/// The comparison of the dialects about the URLs of the rules for `*`.
#[derive(Debug, Default)]
pub(crate) struct DialectAnswers {
    pub(crate) urls: u64,
    pub(crate) differences: Vec<Difference>,
}

/// Parses a file; `None` if the library panics, which it must not.
pub(crate) fn parse(body: &[u8]) -> Option<ParsedFile> {
    catch_panic(|| {
        let start = Instant::now();
        let mut findings = Vec::new();
        let mut sink = |diagnostic: Diagnostic| {
            findings.push(Finding {
                code: diagnostic.code(),
                severity: diagnostic.severity(),
                span: diagnostic.span(),
            });
        };
        let robots_txt = RobotsTxt::parse_with(body, &Options::rfc9309(), &mut sink);
        let time = start.elapsed();
        ParsedFile {
            robots_txt,
            findings,
            time,
        }
    })
}

/// Collects the facts of a file; `None` if the library panics. `hash` is the hash of the body.
pub(crate) fn collect_facts<'r>(
    body: &'r [u8],
    hash: u64,
    parsed: &'r ParsedFile,
    depth: Depth,
) -> Option<FileFacts<'r>> {
    catch_panic(|| {
        let robots_txt = &parsed.robots_txt;
        let mut groups: Vec<(u32, Reach)> = Vec::new();
        let mut rules = Vec::new();
        let mut user_agents = 0;
        for group in robots_txt.groups() {
            user_agents += group.user_agents().count() as u64;
            let mut reach = Reach::default();
            for rule in group.rules() {
                let pattern = Pattern::new(rule.access(), rule.value());
                reach.add(&pattern);
                rules.push(pattern);
            }
            groups.push((group.line(), reach));
        }
        let mut everyone = None;
        let mut agents = Vec::new();
        for merged in robots_txt.merged_groups() {
            let mut reach = Reach::default();
            for group in merged.groups() {
                let at = groups.binary_search_by_key(&group.line(), |(line, _)| *line);
                if let Some((_, of_group)) = at.ok().and_then(|at| groups.get(at)) {
                    reach.join(*of_group);
                }
            }
            if merged.user_agent().is_wildcard() {
                everyone = Some(reach);
            } else {
                agents.push(AgentReach {
                    token: merged.product_token(),
                    reach,
                });
            }
        }
        let start = Instant::now();
        let robot = robots_txt.robot("*").ok()?;
        let _ = robot.allowed(TYPICAL_URL);
        let check_time = start.elapsed();
        let root = if robot.allowed("/") {
            Access::Allow
        } else {
            Access::Disallow
        };
        Some(FileFacts {
            body,
            shape: Shape::measure(body),
            findings: &parsed.findings,
            lint: depth
                .includes(hash, LINTED_ONE_IN)
                .then(|| lint(robots_txt)),
            groups: groups.len() as u64,
            user_agents,
            agents,
            everyone,
            root,
            rules,
            extensions: robots_txt.extensions().collect(),
            dialects: depth
                .includes(hash >> 8, COMPARED_ONE_IN)
                .then(|| compare(robots_txt)),
            check_time,
        })
    })
    .flatten()
}

impl Depth {
    /// Whether a sample of one file in `one_in` includes the file with this hash.
    fn includes(self, hash: u64, one_in: u64) -> bool {
        self == Depth::Thorough || hash.is_multiple_of(one_in)
    }
}

impl Reach {
    /// Whether everything is disallowed: a `Disallow` matches every path, and no `Allow` can match.
    pub(crate) fn disallows_all(self) -> bool {
        self.disallows_everything && !self.allows
    }

    /// Whether everything is allowed: no `Disallow` can match.
    pub(crate) fn allows_all(self) -> bool {
        !self.disallows
    }

    fn add(&mut self, rule: &Pattern) {
        self.join(match rule.access {
            Access::Allow => Reach {
                allows: rule.can_match,
                ..Reach::default()
            },
            Access::Disallow => Reach {
                disallows: rule.can_match,
                disallows_everything: rule.matches_everything,
                ..Reach::default()
            },
        });
    }

    fn join(&mut self, other: Reach) {
        self.disallows |= other.disallows;
        self.disallows_everything |= other.disallows_everything;
        self.allows |= other.allows;
    }
}

fn lint(robots_txt: &RobotsTxt) -> Vec<DiagnosticCode> {
    let mut codes = Vec::new();
    findings::of_rules(robots_txt, &mut |diagnostic: Diagnostic| {
        codes.push(diagnostic.code());
    });
    codes
}

fn compare(robots_txt: &RobotsTxt) -> DialectAnswers {
    let mut compared = DialectAnswers::default();
    let Ok(comparison) = Comparison::of("*", robots_txt) else {
        return compared;
    };
    for url in comparison.urls_of_rules().take(MOST_URLS) {
        compared.urls += 1;
        if let Some(disagreement) = comparison.disagreement(&url) {
            compared.differences.push(disagreement.difference());
        }
    }
    compared
}

/// Turns a panic into `None`: one file on which the library panics must not end a survey of
/// millions.
fn catch_panic<T>(ask: impl FnOnce() -> T) -> Option<T> {
    panics::catch(ask).ok()
}

/// One file in this many is linted: linting takes as long as the rest of the work.
const LINTED_ONE_IN: u64 = 8;

/// One file in this many is compared: comparing takes five times as long as the rest of the work.
const COMPARED_ONE_IN: u64 = 32;

/// The most URLs of a file that are compared. Most files have fewer than 20 rules.
const MOST_URLS: usize = 1000;

/// A URL long enough for wildcard patterns to be walked.
const TYPICAL_URL: &str = "/category/shelf/2024/a-page-with-a-name.html?session=1&page=2";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_gives_none() {
        assert_eq!(catch_panic(|| 1), Some(1));
        assert_eq!(catch_panic(|| -> u8 { panic!("of a test") }), None);
    }

    #[test]
    fn groups_of_one_agent_are_joined() {
        let body = b"User-agent: a\nUser-agent: b\nDisallow: /\n\nUser-agent: a\nAllow: /x\n\nUser-agent: *\nDisallow:";
        let parsed = parse(body).unwrap();
        let facts = collect_facts(body, 0, &parsed, Depth::Thorough).unwrap();
        let blocked: Vec<(&str, bool)> = facts
            .agents
            .iter()
            .map(|agent| (agent.token, agent.reach.disallows_all()))
            .collect();
        assert_eq!(blocked, [("a", false), ("b", true)]);
        assert!(facts.everyone.unwrap().allows_all());
        assert_eq!((facts.groups, facts.user_agents), (3, 4));
    }
}
