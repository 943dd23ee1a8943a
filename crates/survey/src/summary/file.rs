//! The facts about one robots.txt that are counted. All calls of the library are made here.

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use crate::summary::plain_rules::{PlainRules, RuleValue};
use crate::summary::tried_urls;
use polite_robots::document::{Group, MergedGroup, Scope};
use polite_robots::record::{Extension, ExtensionField, PolicyToken};
use polite_robots::{Access, RobotsTxt};
use polite_robots_audit::agent::RuleCounts;
use polite_robots_audit::comparison::{Comparison, DisagreementReason};
use polite_robots_audit::coverage::{CoverageSearch, Extent};
use polite_robots_lint::{Diagnostic, DiagnosticCode, Linter, Severity, Sink};

use crate::depth::Depth;
use crate::panics;
use crate::summary::agent_name::AgentName;
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
    /// The agents that the file names, without `*`.
    pub(crate) agents: Vec<AgentFacts<'r>>,
    /// The groups for `*`; `None` if there are none.
    pub(crate) everyone: Option<AgentFacts<'r>>,
    /// The parsed file.
    pub(crate) robots_txt: &'r RobotsTxt,
    /// The access to `/` of an agent that the file does not name.
    pub(crate) root: Access,
    pub(crate) rules: Vec<Pattern>,
    pub(crate) extensions: Vec<Extension<'r>>,
    /// The comparison of the dialects; `None` if the file is not in the sample.
    pub(crate) dialects: Option<DialectAnswers>,
    /// The time to compile the rules for `*` and to check a first URL; `None` if the file is not in
    /// the sample.
    pub(crate) check_time: Option<Duration>,
}

/// An agent that a file names, or everyone: `*`.
#[derive(Debug)]
pub(crate) struct AgentFacts<'r> {
    pub(crate) token: &'r str,
    pub(crate) name: AgentName,
    /// The line that names the agent first.
    pub(crate) line: u32,
    pub(crate) plain: PlainRules,
    /// How much the agent may fetch, by the exact walk that `robots agents` does.
    pub(crate) extent: Extent,
    /// Whether the walk came to its end. Some rules meet in more ways than the walk can try.
    pub(crate) is_certain: bool,
    /// The rules that are not empty.
    pub(crate) rules: RuleCounts,
    /// The longest crawl delay, because a crawler keeps the longest of several.
    pub(crate) crawl_delay: Option<Duration>,
}

/// The comparison of the dialects about the URLs of the rules for `*`.
#[derive(Debug, Default)]
pub(crate) struct DialectAnswers {
    pub(crate) urls: u64,
    pub(crate) reasons: Vec<DisagreementReason>,
}

/// Parses a file; `None` if the library panics, which it must not.
pub(crate) fn parse(body: &[u8]) -> Option<ParsedFile> {
    catch_panic(|| {
        let start = Instant::now();
        let robots_txt = RobotsTxt::parse(body);
        let time = start.elapsed();
        let mut findings = Findings::default();
        let linter = Linter::without_crawlers().only_lines();
        linter.report(&robots_txt, &mut findings);
        ParsedFile {
            robots_txt,
            findings: findings.list,
            time,
        }
    })
}

/// A sink of findings that drops their messages, because a survey shows none.
#[derive(Default)]
struct Findings {
    list: Vec<Finding>,
}

impl Sink for Findings {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.list.push(Finding {
            code: diagnostic.code(),
            severity: diagnostic.severity(),
            span: diagnostic.span(),
        });
    }

    fn reads_text(&self) -> bool {
        false
    }
}

/// Collects the facts of a file; `None` if the library panics. `site` is the hash of the file's
/// source, by which the samples are drawn. A hash of the body would take or leave all copies of a
/// template at once, and in one crawl these were a quarter of the files.
pub(crate) fn collect_facts<'r>(
    body: &'r [u8],
    site: u64,
    parsed: &'r ParsedFile,
    depth: Depth,
) -> Option<FileFacts<'r>> {
    catch_panic(|| {
        let robots_txt = &parsed.robots_txt;
        let mut groups: Vec<(u32, GroupFacts)> = Vec::with_capacity(USUAL_GROUPS);
        let mut rules = Vec::with_capacity(USUAL_RULES);
        let mut written: Vec<(Access, &[u8])> = Vec::with_capacity(USUAL_RULES);
        let mut user_agents = 0;
        for group in robots_txt.groups() {
            user_agents += group.user_agents().count() as u64;
            let mut facts = GroupFacts::default();
            let first = written.len();
            for rule in group.rules() {
                let value = RuleValue::new(rule.value());
                let pattern = Pattern::new(rule.access(), value);
                facts.add(&pattern, value);
                rules.push(pattern);
                written.push((rule.access(), value.as_bytes()));
            }
            facts.written = first..written.len();
            groups.push((group.line(), facts));
        }
        let extensions: Vec<Extension<'r>> = robots_txt.extensions().collect();
        let delays = agent_delays(&extensions);
        let is_compared = depth.includes(site >> 8, COMPARED_ONE_IN);
        let mut search = Search {
            robots_txt,
            groups: &groups,
            written: &written,
            tries: tried_urls::MOST_WORK,
            walk: None,
            found: HashMap::new(),
        };
        let mut everyone = None;
        let mut root = Access::Allow;
        let mut agents = Vec::with_capacity(USUAL_GROUPS);
        for merged in robots_txt.merged_groups() {
            // A use such as `__usage_ai-training` is no crawler, and has no place among them.
            if PolicyToken::find(merged.product_token()).is_some() {
                continue;
            }
            let mut facts = GroupFacts::default();
            for group in merged.groups() {
                if let Some(of_group) = search.facts_of(group) {
                    facts.join(of_group);
                }
            }
            let agent = search.agent(&merged, &facts, &delays);
            if merged.user_agent().is_wildcard() {
                root = access_to_root(robots_txt, &facts.plain);
                everyone = Some(agent);
            } else {
                agents.push(agent);
            }
        }
        FileFacts {
            body,
            shape: Shape::measure(body),
            findings: &parsed.findings,
            lint: depth
                .includes(site, LINTED_ONE_IN)
                .then(|| lint(robots_txt)),
            groups: groups.len() as u64,
            user_agents,
            agents,
            everyone,
            root,
            robots_txt,
            rules,
            extensions,
            check_time: is_compared.then(|| time_a_check(robots_txt)),
            dialects: is_compared.then(|| compare(robots_txt)),
        }
    })
}

impl Depth {
    /// Whether a sample of one file in `one_in` includes the file of the site with this hash.
    fn includes(self, site: u64, one_in: u64) -> bool {
        self == Depth::Thorough || site.is_multiple_of(one_in)
    }
}

/// The facts about the rules of a group.
#[derive(Debug, Default)]
struct GroupFacts {
    plain: PlainRules,
    rules: RuleCounts,
    /// The places of its rules among all rules of the file.
    written: Range<usize>,
}

impl GroupFacts {
    fn add(&mut self, pattern: &Pattern, value: RuleValue<'_>) {
        self.plain.add(pattern.access, value);
        let count = match pattern.access {
            Access::Allow => &mut self.rules.allow,
            Access::Disallow => &mut self.rules.disallow,
        };
        *count += usize::from(!value.as_bytes().is_empty());
    }

    fn join(&mut self, other: &GroupFacts) {
        self.plain.join(other.plain);
        self.rules.allow += other.rules.allow;
        self.rules.disallow += other.rules.disallow;
    }
}

/// The search for the extents of a file's agents. Most agents need no walk, and most files none at
/// all.
struct Search<'r, 's> {
    robots_txt: &'r RobotsTxt,
    /// The groups by their lines.
    groups: &'s [(u32, GroupFacts)],
    /// The rules of all groups, with their values as the file has them.
    written: &'s [(Access, &'r [u8])],
    /// The work that is left for tried URLs.
    tries: usize,
    walk: Option<CoverageSearch>,
    /// The extents that were found so far, each with whether it is certain, by the lines of the
    /// groups.
    found: HashMap<Vec<u32>, (Extent, bool)>,
}

impl<'r, 's> Search<'r, 's> {
    fn facts_of(&self, group: Group<'_>) -> Option<&'s GroupFacts> {
        let line = group.line();
        let at = self.groups.binary_search_by_key(&line, |(line, _)| *line);
        let (_, facts) = self.groups.get(at.ok()?)?;
        Some(facts)
    }

    fn agent(
        &mut self,
        merged: &MergedGroup<'r>,
        facts: &GroupFacts,
        delays: &[(&str, Duration)],
    ) -> AgentFacts<'r> {
        let token = merged.product_token();
        let (extent, is_certain) = match facts.plain.extent() {
            Some(extent) => (extent, true),
            None => {
                let groups: Vec<u32> = merged.groups().map(|group| group.line()).collect();
                let found = self.found.get(&groups).copied();
                let found = found.unwrap_or_else(|| self.find(merged));
                self.found.insert(groups, found);
                found
            }
        };
        let own_delays = delays
            .iter()
            .filter(|(agent, _)| agent.eq_ignore_ascii_case(token))
            .map(|(_, delay)| *delay);
        AgentFacts {
            token,
            name: AgentName::new(token),
            line: merged.user_agent().line(),
            plain: facts.plain,
            extent,
            is_certain,
            rules: facts.rules,
            crawl_delay: own_delays.max(),
        }
    }

    /// Finds an extent that does not follow from the kinds and lengths of the rules.
    fn find(&mut self, merged: &MergedGroup<'r>) -> (Extent, bool) {
        let mut rules: Vec<(Access, &[u8])> = Vec::new();
        for facts in merged.groups().filter_map(|group| self.facts_of(group)) {
            let of_group = self.written.get(facts.written.clone());
            rules.extend(of_group.unwrap_or_default());
        }
        if tried_urls::show_a_part(&rules, &mut self.tries) {
            return (Extent::Part, true);
        }
        let robots_txt = self.robots_txt;
        // The product token of everyone is `*`.
        let Ok(robot) = robots_txt.robot(merged.product_token()) else {
            // A name without a product token is the name of no crawler.
            return (Extent::Part, false);
        };
        let walk = self
            .walk
            .get_or_insert_with(|| CoverageSearch::new(robots_txt));
        let coverage = walk.coverage(&robot);
        (coverage.extent(), coverage.is_certain())
    }
}

/// The crawl delays of a file with the agents that they are for. Nine files in ten have none.
fn agent_delays<'r>(extensions: &[Extension<'r>]) -> Vec<(&'r str, Duration)> {
    let mut delays = Vec::new();
    let records = extensions.iter();
    for record in records.filter(|record| record.field() == ExtensionField::CrawlDelay) {
        if let (Some(delay), Scope::Agents(run)) = (record.crawl_delay(), record.scope()) {
            delays.extend(run.user_agents().map(|agent| match agent.is_wildcard() {
                true => ("*", delay),
                false => (agent.product_token(), delay),
            }));
        }
    }
    delays
}

/// The access to `/` of an agent that the file does not name. Nearly all files show it without a
/// compiled rule.
fn access_to_root(robots_txt: &RobotsTxt, everyone: &PlainRules) -> Access {
    everyone.access_to_root().unwrap_or_else(|| {
        let robot = robots_txt.robot("*");
        match robot.is_ok_and(|robot| !robot.allowed("/")) {
            true => Access::Disallow,
            false => Access::Allow,
        }
    })
}

/// The time to compile the rules for `*` and to check a first URL.
fn time_a_check(robots_txt: &RobotsTxt) -> Duration {
    let start = Instant::now();
    let robot = robots_txt.robot("*");
    let _ = robot.map(|robot| robot.allowed(TYPICAL_URL));
    start.elapsed()
}

fn lint(robots_txt: &RobotsTxt) -> Vec<DiagnosticCode> {
    let mut findings = Findings::default();
    Linter::new().only_rules().report(robots_txt, &mut findings);
    findings.list.iter().map(|finding| finding.code).collect()
}

fn compare(robots_txt: &RobotsTxt) -> DialectAnswers {
    let mut compared = DialectAnswers::default();
    let Ok(comparison) = Comparison::of("*", robots_txt) else {
        return compared;
    };
    for url in comparison.urls_of_rules().take(MOST_URLS) {
        compared.urls += 1;
        if let Some(disagreement) = comparison.disagreement(&url) {
            compared.reasons.push(disagreement.reason());
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

/// One file in this many is compared and has a check timed. The comparison takes five times as long
/// as the rest of the work, and for the check the rules for `*` are compiled.
const COMPARED_ONE_IN: u64 = 32;

/// The room for groups, which most files do not exceed: a vector that grows step by step is copied
/// each time.
const USUAL_GROUPS: usize = 16;

/// The room for rules, which most files do not exceed.
const USUAL_RULES: usize = 64;

/// The most URLs of a file that are compared. Most files have fewer than 20 rules.
const MOST_URLS: usize = 1000;

/// A URL long enough for wildcard patterns to be walked.
const TYPICAL_URL: &str = "/category/shelf/2024/a-page-with-a-name.html?session=1&page=2";

#[cfg(test)]
mod tests {
    use polite_robots_audit::agent::NamedAgents;
    use polite_robots_audit::answer::{Reading, Readings};
    use proptest::prelude::*;

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
            .map(|agent| (agent.token, agent.plain.disallow_all()))
            .collect();
        assert_eq!(blocked, [("a", false), ("b", true)]);
        assert!(facts.everyone.unwrap().plain.allow_all());
        assert_eq!((facts.groups, facts.user_agents), (3, 4));
    }

    #[test]
    fn a_use_is_no_agent() {
        let body = b"User-agent: a\nUser-agent: __Usage_AI-training\nDisallow: /\n";
        let parsed = parse(body).unwrap();
        let facts = collect_facts(body, 0, &parsed, Depth::Thorough).unwrap();
        let agents: Vec<&str> = facts.agents.iter().map(|agent| agent.token).collect();
        assert_eq!((agents, facts.user_agents), (vec!["a"], 2));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 256, ..ProptestConfig::default() })]

        /// `robots agents` prints `NamedAgents`.
        #[test]
        fn agents_have_the_extents_rules_and_delays_that_robots_agents_prints(
            lines in prop::collection::vec(
                "User-agent: (\\*|a|B|b|c/2)|(Disallow|Allow): (/|/[ab]{1,2}|[ab/*$]{0,4})|Crawl-delay: [0-9]{1,2}|Sitemap: x|",
                0..16,
            ),
        ) {
            let body = lines.join("\n");
            let parsed = parse(body.as_bytes()).unwrap();
            let facts = collect_facts(body.as_bytes(), 0, &parsed, Depth::Sampled).unwrap();
            let readings = Readings::new(&parsed.robots_txt);
            let named = NamedAgents::of(&readings, Reading::Crawler);
            let named = named.agents();
            let found = facts.agents.iter().chain(&facts.everyone);
            prop_assert_eq!(found.clone().count(), named.len());
            for agent in found {
                let named = named.iter().find(|named| named.token() == agent.token).unwrap();
                let summary = named.summary();
                prop_assert_eq!(agent.extent, summary.coverage().extent(), "{}", &body);
                prop_assert_eq!(agent.crawl_delay, summary.crawl_delay(), "{}", &body);
                prop_assert_eq!(Some(&agent.line), summary.group_lines().first(), "{}", &body);
            }
        }
    }
}
