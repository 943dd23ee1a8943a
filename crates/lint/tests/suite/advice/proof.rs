//! The proof of a sentence: the file is changed as the sentence says, one change alone, and both
//! versions are compared about every URL; or the core is asked about an answer.

use std::collections::BTreeSet;
use std::ops::Range;

use polite_robots::document::{Group, LineKind, RuleRecord, leading_token};
use polite_robots::{Access, Options, Robot, RobotsTxt};
use polite_robots_audit::answer::{Reading, Readings};
use polite_robots_audit::coverage::{CoverageSearch, Extent};
use polite_robots_audit::difference::{AgentChange, Question, Versions};
use polite_robots_audit::example_path::example_path;
use polite_robots_audit::known::{self, KnownCrawler};
use polite_robots_lint::Diagnostic;
use polite_robots_records::{Preference, Usage, UsageCategory};

use super::change::{Change, Changes, Kind, first};
use super::sentence::{Claim, Slots, agents, quotations};

/// A file as RFC 9309 and Google's matcher read it.
pub(super) struct File {
    pub(super) bytes: Vec<u8>,
    pub(super) readings: [RobotsTxt; 2],
}

/// The answers that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    /// Verdicts and preferences, but not the records beside them.
    Rules,
    Verdicts,
    Preferences,
}

impl File {
    pub(super) fn new(bytes: Vec<u8>) -> File {
        let readings = [Options::rfc9309(), Options::google()];
        let readings = readings.map(|options| RobotsTxt::parse_with(&bytes, &options));
        File { bytes, readings }
    }

    /// The changes of answers for all agents that either version names, for all others, and for the
    /// known crawlers that read the group of another one.
    pub(super) fn changes(&self, new: Vec<u8>) -> Changes {
        self.changes_of(new, Scope::All, |_| true)
    }

    fn changes_of(
        &self,
        new: Vec<u8>,
        scope: Scope,
        is_meant: impl Fn(&AgentChange) -> bool,
    ) -> Changes {
        let new = File::new(new);
        let pairs = [0, 1].map(|reading| [&self.readings[reading], &new.readings[reading]]);
        pairs.map(|[old, new]| {
            let versions = Versions::new(old, new);
            let difference = versions.difference(Question::Rules);
            let urls = difference.changes().iter().flat_map(AgentChange::verdicts);
            // No client sends the shortest URL of some rules, but clients send a longer one.
            let urls =
                urls.flat_map(|verdict| [verdict.url.to_owned(), format!("{}x", verdict.url)]);
            let urls = urls.map(|url| escaped(&url));
            let urls = urls.filter(is_sent).chain(["/".to_owned()]);
            let urls = Question::Urls(urls.collect());
            let verdicts = versions.difference(urls);
            let of_file = (scope == Scope::All && !difference.records().is_empty())
                .then(|| format!("{:?}", difference.records()));
            let mut changes = Vec::new();
            let of_verdicts = verdicts.changes().iter().filter(|change| is_meant(change));
            if scope != Scope::Preferences {
                changes.extend(of_verdicts.flat_map(Change::of_verdicts));
            }
            for change in difference
                .changes()
                .iter()
                .filter(|change| is_meant(change))
            {
                let of_records = Change::of_records(change).filter(|_| scope == Scope::All);
                let of_use = Change::of_preferences(change).filter(|_| scope != Scope::Verdicts);
                changes.extend(of_use.into_iter().chain(of_records));
            }
            changes.extend(of_file.map(|text| Change::new(&[], Kind::Records, &text)));
            changes.extend(other_groups(old, new));
            changes
        })
    }

    fn line(&self, finding: &Diagnostic) -> Range<usize> {
        let number = finding.line() as usize;
        let mut lines = self.readings[0].lines().skip(number - 1);
        let start = lines.next().map_or(0, |line| line.span().start);
        start
            ..lines
                .next()
                .map_or(self.bytes.len(), |line| line.span().start)
    }

    fn with(&self, span: Range<usize>, text: impl AsRef<[u8]>) -> Vec<u8> {
        [
            &self.bytes[..span.start],
            text.as_ref(),
            &self.bytes[span.end..],
        ]
        .concat()
    }

    fn without_line(&self, finding: &Diagnostic) -> Vec<u8> {
        self.with(self.line(finding), "")
    }

    /// The file without the effect of a line. A rule becomes an empty rule, because a rule ends the
    /// list of agents above. Another record becomes an empty record, because it ends the list of
    /// agents that share the records below.
    fn without_effect(&self, finding: &Diagnostic) -> Vec<u8> {
        let mut lines = self.readings[0].lines().skip(finding.line() as usize - 1);
        match lines.next().map(|line| line.kind()) {
            Some(LineKind::Rule(_)) => self.with(self.line(finding), "Disallow:\n"),
            Some(LineKind::Extension(field)) => {
                self.with(self.line(finding), format!("{field}:\n"))
            }
            _ => self.without_line(finding),
        }
    }

    /// The file with another value in a preference.
    fn with_preference(&self, finding: &Diagnostic, value: &str) -> Option<Vec<u8>> {
        let marked = String::from_utf8(self.bytes[finding.span()].to_vec()).ok()?;
        let (key, _) = marked.split_once('=')?;
        Some(self.with(finding.span(), format!("{key}={value}")))
    }

    /// The file with another name in the line of an agent.
    fn with_agent(&self, finding: &Diagnostic, name: &str) -> Option<Vec<u8>> {
        let line = self.readings[0].lines().nth(finding.line() as usize - 1)?;
        let value = line.value_span()?;
        Some(match value.is_empty() {
            true => self.with(finding.span().end..finding.span().end, format!(" {name}")),
            false => self.with(value, name),
        })
    }

    /// The proof that a claim is false; `Err` if the sentence is too short to decide.
    pub(super) fn refutation(
        &self,
        finding: &Diagnostic,
        claim: Claim,
        slots: &Slots,
    ) -> Result<Option<String>, ()> {
        // Where Google's matcher needs the line, a claim of its own is about it, and this one is
        // not.
        let is_of_both = !BY_RFC9309
            .iter()
            .any(|words| finding.message().contains(words));
        let readings = 0..1 + usize::from(is_of_both);
        let both = |changes: Changes| {
            let [rfc9309, google] = first(changes);
            rfc9309.or(google.filter(|_| is_of_both))
        };
        let quoted = |name: &str| slots.get(name).and_then(|text| quotations(text)).ok_or(());
        let named_in = |reading: usize| match slots.get("agents") {
            Some(text) => agents(text).ok_or(()),
            None => Ok(self.agents_of_group(reading, finding)),
        };
        let named = || named_in(0);
        let asked = || match (slots.contains_key("url"), slots.contains_key("path")) {
            (true, _) => quoted("url"),
            (_, true) => Ok(quoted("path")?.iter().flat_map(|path| urls(path)).collect()),
            _ => Ok(urls("/")),
        };
        let cut = || self.with(finding.span(), "");
        Ok(match claim {
            Claim::Idle => both(self.changes(self.without_effect(finding))),
            Claim::IdleByRfc9309 => {
                let edit = self.without_line(finding);
                let [rfc9309, _] = first(self.changes_of(edit, Scope::Verdicts, |_| true));
                rfc9309
            }
            Claim::IdleToGoogle => {
                let edit = self.without_effect(finding);
                let [_, google] = first(self.changes_of(edit, Scope::Verdicts, |_| true));
                google
            }
            Claim::Unread => {
                both(self.changes_of(self.without_effect(finding), Scope::Rules, |_| true))
            }
            Claim::Mute => both(self.changes(cut())),
            Claim::MuteToGoogle => {
                let [_, google] = first(self.changes(cut()));
                google
            }
            Claim::Unknown => both(self.changes(self.with(finding.span(), "x-unknown=x"))),
            Claim::UnknownValue => {
                let edit = self.with_preference(finding, "x-unknown");
                both(self.changes(edit.ok_or(())?))
            }
            Claim::Wrong | Claim::Elsewhere => None,
            Claim::Overruled => {
                let is_change = |change: &AgentChange| {
                    let mut usages = change.usages().iter();
                    let is_named = slots.get("agents").is_none_or(|text| {
                        change.agents().iter().any(|agent| text.contains(agent))
                    });
                    is_named && usages.any(|usage| usage.category.to_string() == slots["use"])
                };
                both(self.changes_of(self.without_line(finding), Scope::Preferences, is_change))
            }
            // Google's matcher is asked about the file without the lines that the sentence excepts.
            Claim::MayNot if is_of_both => {
                let (of_rfc9309, of_google, asked) = (named()?, named_in(1)?, asked()?);
                let file = self.without(|rule| is_excepted(finding, rule));
                let other = self.other_answer(0..1, &of_rfc9309, &asked, false);
                other.or_else(|| file.other_answer(1..2, &of_google, &asked, false))
            }
            Claim::May | Claim::MayNot => {
                self.other_answer(readings, &named()?, &asked()?, claim == Claim::May)
            }
            Claim::Dropped => {
                let (named, paths) = (named()?, quoted("path")?);
                let agents = named.into_iter();
                let mut pairs =
                    agents.flat_map(|agent| paths.iter().map(move |path| (agent.clone(), path)));
                pairs.find_map(|(agent, path)| {
                    let [robot, others] = [agent.as_str(), "*"].map(|agent| self.robot(0, agent));
                    let is_dropped = |url: &String| robot.allowed(url) && !others.allowed(url);
                    let is_shown = urls(path).iter().any(is_dropped);
                    (!is_shown).then(|| format!("{agent} gets for {path} what others get"))
                })
            }
            Claim::DecidesInGoogle => {
                let [_, google] = first(self.changes(self.without_line(finding)));
                let fact = "without the line no answer of Google's matcher changes";
                google.is_none().then(|| fact.to_owned())
            }
            Claim::OpensDirectoryInGoogle => {
                let [_, google] = self.changes(self.without(is_of_index).bytes);
                let opens = google.iter().any(|change| change.kind == Kind::Closes);
                (!opens).then(|| "its index page opens nothing".to_owned())
            }
            Claim::OpensInGoogle => {
                let line: u32 = slots["line"].parse().map_err(drop)?;
                let [_, google] = self.changes(self.without(|rule| rule.line() == line).bytes);
                let opens = google.iter().any(|change| change.kind == Kind::Closes);
                (!opens).then(|| format!("line {line} opens nothing to Google"))
            }
            Claim::OpenInGoogle => {
                let is_open = self.robot(1, "*").allowed("/");
                (!is_open).then(|| "by Google the home page is closed".to_owned())
            }
            Claim::ForbidsSite => self.other_extent_alone("", finding, Extent::Nothing),
            Claim::AllowsSite => {
                self.other_extent_alone("Disallow: /\n", finding, Extent::Everything)
            }
            Claim::ClosesHomePage => {
                let alone = self.alone("", finding);
                let everyone = ["*".to_owned()];
                let others = ["/x", "/x/", "/?x", "/x$"].map(str::to_owned);
                let home = ["/".to_owned()];
                let agents = self.agents_of_group(0, finding);
                let of_file = self.other_answer(0..2, &agents, &home, false);
                of_file.or_else(|| alone.other_answer(0..2, &everyone, &others, true))
            }
            Claim::ClosedWithExceptions | Claim::ClosedButHomePage => {
                let is_allow = |rule: &RuleRecord<'_>| {
                    rule.access() == Access::Allow && !rule.value().is_empty()
                };
                let closed = self.without(is_allow);
                let agents = match slots.contains_key("agents") {
                    true => named()?,
                    false => vec!["*".to_owned()],
                };
                let home = ["/".to_owned()];
                let is_open = claim == Claim::ClosedButHomePage;
                let other = self.other_answer(0..1, &agents, &home, is_open);
                let other = other.or_else(|| {
                    let line: u32 = slots.get("line")?.parse().ok()?;
                    let file = self.without(|rule| rule.line() == line);
                    file.other_answer(0..1, &agents, &home, false)
                });
                other.or_else(|| closed.other_extent(&agents, Extent::Nothing, is_of_both))
            }
            Claim::SharedRules => {
                let (group, _) = self.group(0, finding.line()).ok_or(())?;
                let has_path = |rule: &RuleRecord<'_>| matches!(rule.value(), [b'/' | b'*', ..]);
                let below = group.rules().filter(has_path);
                let below: Vec<u32> = below.map(|rule| rule.line()).collect();
                let mut agents = named()?.into_iter().chain(["*".to_owned()]);
                let other = agents.find(|agent| {
                    let robot = self.robot(0, agent);
                    let rules: BTreeSet<u32> = robot.rules().map(|rule| rule.line()).collect();
                    !below.iter().all(|line| rules.contains(line))
                });
                other.map(|agent| format!("{agent} does not get all rules of the group"))
            }
            Claim::SitemapClosed => {
                let url = String::from_utf8_lossy(&self.bytes[finding.span()]).into_owned();
                let is_open = |reading: &usize| self.robot(*reading, "*").allowed(&url);
                [0, 1]
                    .iter()
                    .find(|reading| is_open(reading))
                    .map(|_| format!("{url} is open"))
            }
            Claim::Everything if slots.contains_key("agents") => {
                self.other_extent(&named()?, Extent::Everything, true)
            }
            Claim::Everything => self.other_extent(&self.all_agents(), Extent::Everything, true),
            Claim::Nothing => self.other_extent(&self.all_agents(), Extent::Nothing, true),
            Claim::Reads | Claim::ReadsInGoogle | Claim::ReadsNot => {
                let reading = usize::from(claim == Claim::ReadsInGoogle);
                let is_expected = claim != Claim::ReadsNot;
                let is_other = |agent: &String| {
                    let reads = self.reads(reading, agent, finding);
                    reads.is_some_and(|reads| reads != is_expected)
                };
                let other = named()?.into_iter().find(is_other);
                other.map(|agent| format!("{agent} reads the group: {}", !is_expected))
            }
            Claim::NoName => {
                let name = quoted("name")?.concat();
                let alone =
                    RobotsTxt::parse(format!("User-agent: {name}\nDisallow: /\n").as_bytes());
                let reads = |crawler: &&KnownCrawler| {
                    let robot = crawler.robot(&alone).ok();
                    robot.is_some_and(|robot| robot.rules().next().is_some())
                };
                let used = known::all().iter();
                let used = used.filter(|known| known.retired().is_none() && !known.is_company());
                let reader = used.into_iter().find(reads);
                reader.map(|crawler| format!("{} reads a group for {name}", crawler.token()))
            }
            Claim::Bleeds => {
                let line: u32 = slots["line"].parse().map_err(drop)?;
                let gets =
                    |agent: &String| self.robot(0, agent).rules().any(|rule| rule.line() == line);
                let rule = self.readings[0].lines().nth(line as usize - 1);
                let is_empty = rule.is_none_or(|rule| rule.value().is_none_or(<[u8]>::is_empty));
                let other = named()?.into_iter().find(|agent| !is_empty && !gets(agent));
                other.map(|agent| format!("{agent} does not get line {line}"))
            }
            Claim::Nobody | Claim::NobodyToGoogle => {
                const NAME: &str = "polite-nobody";
                let edit = self.with_agent(finding, NAME).ok_or(())?;
                let is_change = |change: &AgentChange| change.agents() != [NAME];
                let [rfc9309, google] = first(self.changes_of(edit, Scope::All, is_change));
                rfc9309.filter(|_| claim == Claim::Nobody).or(google)
            }
            Claim::TwoGroups => {
                let line: u32 = slots["line"].parse().map_err(drop)?;
                let lines = [line, finding.line()];
                let has_both = |agent: &String| {
                    let mut groups = self.readings[0].merged_groups();
                    let of_agent =
                        groups.find(|group| group.product_token().eq_ignore_ascii_case(agent));
                    of_agent.is_some_and(|merged| {
                        lines
                            .iter()
                            .all(|line| merged.groups().any(|group| group.line() == *line))
                    })
                };
                let other = named()?.into_iter().find(|agent| !has_both(agent));
                other.map(|agent| format!("{agent} has not these two groups"))
            }
            Claim::Unstated => {
                let states = |agent: &String| {
                    let robot = self.robot(0, agent);
                    let usage = Usage::of(&robot, "/");
                    UsageCategory::ALL
                        .iter()
                        .any(|of| usage.preference(*of) != Preference::Unstated)
                };
                let other = named()?.into_iter().find(states);
                other.map(|agent| format!("{agent} has a preference"))
            }
        })
    }

    /// The file without some rules, in which the lines keep their numbers.
    fn without(&self, is_left_out: impl Fn(&RuleRecord<'_>) -> bool) -> File {
        let mut bytes = self.bytes.clone();
        // Google's matcher reads rules that RFC 9309 does not, so both readings are asked.
        for reading in &self.readings {
            let rules = reading.groups().flat_map(|group| group.rules());
            for rule in rules.filter(|rule| is_left_out(rule)) {
                let span = reading
                    .lines()
                    .nth(rule.line() as usize - 1)
                    .map(|line| line.span());
                let line = span.and_then(|span| bytes.get_mut(span));
                line.into_iter().for_each(|line| line.fill(b'#'));
            }
        }
        File::new(bytes)
    }

    /// A file with the line of a finding below other rules.
    fn alone(&self, above: &str, finding: &Diagnostic) -> File {
        let head = format!("User-agent: *\n{above}");
        File::new([head.as_bytes(), &self.bytes[self.line(finding)]].concat())
    }

    fn other_extent_alone(
        &self,
        above: &str,
        finding: &Diagnostic,
        expected: Extent,
    ) -> Option<String> {
        self.alone(above, finding)
            .other_extent(&["*".to_owned()], expected, true)
    }

    /// The robot of an agent as its operator reads the file, if the agent is known.
    fn robot(&self, reading: usize, agent: &str) -> Robot {
        let agent = name_in(reading, agent);
        let robots_txt = &self.readings[reading];
        let known = known::find(agent).and_then(|crawler| crawler.robot(robots_txt).ok());
        known.unwrap_or_else(|| {
            robots_txt
                .robot(agent)
                .unwrap_or_else(|_| robots_txt.robot("*").unwrap())
        })
    }

    fn group(&self, reading: usize, line: u32) -> Option<(Group<'_>, u32)> {
        let groups: Vec<Group<'_>> = self.readings[reading].groups().collect();
        let at = groups.iter().rposition(|group| group.line() <= line)?;
        let end = groups.get(at + 1).map_or(u32::MAX, |next| next.line());
        Some((groups[at], end))
    }

    fn agents_of_group(&self, reading: usize, finding: &Diagnostic) -> Vec<String> {
        let group = self.group(reading, finding.line());
        let values = group.into_iter().flat_map(|(group, _)| group.user_agents());
        let tokens = values.map(|agent| match agent.is_wildcard() {
            true => "*".to_owned(),
            false => agent.product_token().to_owned(),
        });
        tokens.filter(|token| !token.is_empty()).collect()
    }

    fn all_agents(&self) -> Vec<String> {
        let groups = self.readings[0].merged_groups();
        let named = groups.map(|group| group.product_token().to_owned());
        named.chain(["*".to_owned()]).collect()
    }

    /// Whether an agent reads the group of a finding; `None` if the group has no rule to show it.
    fn reads(&self, reading: usize, agent: &str, finding: &Diagnostic) -> Option<bool> {
        let (group, end) = self.group(reading, finding.line())?;
        let is_within = |line: u32| (group.line()..end).contains(&line);
        let has_path = |rule: &RuleRecord<'_>| matches!(rule.value(), [b'/' | b'*', ..]);
        group.rules().find(has_path)?;
        let robot = self.robot(reading, agent);
        Some(robot.rules().any(|rule| is_within(rule.line())))
    }

    /// An agent and a URL that get another answer in one of the readings.
    fn other_answer(
        &self,
        readings: Range<usize>,
        agents: &[String],
        urls: &[String],
        may: bool,
    ) -> Option<String> {
        let pairs = |agent| readings.clone().map(move |reading| (agent, reading));
        let mut pairs = agents.iter().flat_map(pairs);
        pairs.find_map(|(agent, reading)| {
            let robot = self.robot(reading, agent);
            let other = urls.iter().find(|url| robot.allowed(*url) != may)?;
            let dialect = ["RFC 9309", "Google"][reading];
            Some(format!(
                "by {dialect} {agent} gets another answer about {other}"
            ))
        })
    }

    fn other_extent(
        &self,
        agents: &[String],
        expected: Extent,
        is_of_both: bool,
    ) -> Option<String> {
        let readings = self.readings.iter().enumerate();
        let mut readings = readings.take(1 + usize::from(is_of_both));
        readings.find_map(|(reading, robots_txt)| {
            let mut search = CoverageSearch::new(robots_txt);
            agents.iter().find_map(|agent| {
                let coverage = search.coverage(&robots_txt.robot(name_in(reading, agent)).ok()?);
                (coverage.extent() != expected).then(|| format!("{agent}: {:?}", coverage.extent()))
            })
        })
    }
}

/// The name of an agent in a reading: to Google's matcher one ends before a digit.
fn name_in(reading: usize, agent: &str) -> &str {
    match (reading, agent) {
        (0, _) | (_, "*") => agent,
        _ => std::str::from_utf8(leading_token(agent.as_bytes())).unwrap(),
    }
}

/// Words of a sentence that is about RFC 9309 but for its last part, about Google's matcher.
const BY_RFC9309: [&str; 2] = [
    "; to Google's matcher the two differ,",
    "; to Google's matcher other names are fields too,",
];

/// Whether a sentence says that Google's matcher alone opens something by this rule.
fn is_excepted(finding: &Diagnostic, rule: &RuleRecord<'_>) -> bool {
    let message = finding.message();
    let of_line = format!("; to Google's matcher line {} is an `Allow`", rule.line());
    let is_said = message.contains("; to Google's matcher an `Allow` of its `index.html`");
    message.contains(&of_line) || (is_said && is_of_index(rule))
}

/// Whether Google's matcher reads an `Allow` as one of a directory too.
fn is_of_index(rule: &RuleRecord<'_>) -> bool {
    let mut parts = rule.value().windows(10);
    rule.access() == Access::Allow && parts.any(|part| part == b"/index.htm")
}

/// URLs that a pattern matches and that clients do not resolve to others. For a prefix, there are
/// longer URLs too.
fn urls(pattern: &str) -> Vec<String> {
    let filled = ["", "x"].map(|filler| example_path(pattern, filler));
    let longer = (!pattern.ends_with('$')).then(|| format!("{}x", filled[1]));
    let paths = filled.into_iter().chain(longer);
    let paths = paths.filter(|path| !has_dot_segment(path));
    paths
        .map(|path| format!("http://example.com{path}"))
        .collect()
}

/// A known crawler that reads the group of another one in one version alone, with other answers.
fn other_groups(old: &RobotsTxt, new: &RobotsTxt) -> Vec<Change> {
    let [before, after] = [old, new].map(|file| -> BTreeSet<String> {
        let groups = file.merged_groups();
        groups
            .map(|group| group.product_token().to_ascii_lowercase())
            .collect()
    });
    if before == after {
        return Vec::new();
    }
    let readers = known::all().iter();
    let readers =
        readers.filter(|crawler| !crawler.falls_back_to().is_empty() || crawler.ignores_wildcard());
    let readings = [old, new].map(Readings::new);
    let changed = readers.filter_map(|crawler| {
        let tokens = [old, new].map(|file| crawler.second_token_in(file));
        if tokens[0] == tokens[1] {
            return None;
        }
        let versions = Versions::read_by(
            &readings[0],
            &readings[1],
            Reading::Crawler,
            [crawler.token()],
        );
        let difference = versions.unwrap().difference(Question::Rules);
        if !difference.changes().iter().any(AgentChange::is_change) {
            return None;
        }
        let [before, after] = [old, new].map(|file| crawler.robot(file).ok());
        let opens = |robot: Option<Robot>| robot.is_some_and(|robot| robot.allowed("/"));
        let kind = match (opens(before), opens(after)) {
            (true, false) => Kind::Closes,
            _ => Kind::Opens,
        };
        Some(Change::new(
            &[crawler.token().to_owned()],
            kind,
            "reads another group",
        ))
    });
    changed.collect()
}

/// A URL as clients send it: blanks, control characters and bytes outside of ASCII are escaped. A
/// `\` is escaped too, although other clients write it as `/`.
pub(super) fn escaped(url: &str) -> String {
    let bytes = url
        .bytes()
        .map(|byte| match byte.is_ascii_graphic() && byte != b'\\' {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        });
    bytes.collect()
}

/// Whether clients send a URL unchanged, and for a page. They resolve dot segments and escape
/// blanks, and they fetch robots.txt itself whatever it says.
pub(super) fn is_sent(url: &String) -> bool {
    url.bytes().all(|byte| byte.is_ascii_graphic()) && !has_dot_segment(url) && url != "/robots.txt"
}

fn has_dot_segment(url: &str) -> bool {
    let path = url
        .split('?')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let is_dot = |segment: &str| matches!(segment.replace("%2e", ".").as_str(), "." | "..");
    path.split('/').any(is_dot)
}
