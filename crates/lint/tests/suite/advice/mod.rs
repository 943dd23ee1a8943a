//! The law that advice proves itself: every claim of a finding is true of the answers, and the text
//! that it says to write changes no answer without saying so.
//!
//! The claims are read from the sentences, by the words of testdata/advice.toml; each is proved by
//! the exact comparison of two versions, in both dialects, for all agents.

use std::collections::{BTreeMap, BTreeSet};

use polite_robots::RobotsTxt;
use polite_robots::document::Line;
use polite_robots_lint::fix::Fixes;
use polite_robots_lint::{Diagnostic, DiagnosticCode, Effect, Linter, Proposal, Severity};

use super::case_files::case_files;
use super::corpus::{self, SITES_OF_2024, TOP_SITES_OF_2019};
use super::notation::{self, Encoding, Repeat};
use super::shared;

mod change;
mod generated;
mod planted;
mod proof;
mod sentence;
mod touched;

use change::Changes;
use proof::File;
use sentence::{Claim, Table, is_imperative, texts_to_write};
use touched::Touched;

#[test]
fn advice_proves_itself_on_the_cases() {
    let table = Table::read();
    let mut law = Law::new(&table, 3);
    for (name, file) in cases() {
        law.check(&name, file);
    }
    law.judge();
    let met: BTreeSet<&str> = law.words.iter().copied().collect();
    let never: Vec<&str> = law.table.words().difference(&met).copied().collect();
    assert!(never.is_empty(), "no finding has these words: {never:#?}");
}

/// A part of the files that changes with the commit, as the gate sets the seed.
#[test]
fn advice_proves_itself_on_a_sample_of_real_files() {
    let seed = seed().unwrap_or(0) as usize;
    let table = Table::read();
    let mut law = Law::new(&table, 3);
    for (name, file) in real_files().skip(seed % SAMPLE).step_by(SAMPLE) {
        law.check(&name, file.clone());
    }
    law.judge();
}

#[test]
fn advice_proves_itself_on_generated_files() {
    on_generated_files(0, 100);
}

#[test]
#[ignore = "takes minutes; .ci/long advice"]
fn advice_proves_itself_on_many_generated_files() {
    on_generated_files(seed().unwrap_or(1), 10_000);
}

/// The seed that the gate sets, if any.
fn seed() -> Option<u64> {
    let seed = std::env::var("PROPTEST_RNG_SEED").ok()?;
    Some(seed.parse().unwrap())
}

fn on_generated_files(seed: u64, count: usize) {
    let table = Table::read();
    let mut law = Law::new(&table, 3);
    for (name, file) in generated::files(seed, count) {
        law.check(&name, file);
    }
    assert!(
        law.counts["proposals followed"] > count / 2,
        "{:?}",
        law.counts
    );
    law.judge();
}

#[test]
#[ignore = "takes minutes; .ci/long advice"]
fn advice_proves_itself_on_real_files() {
    let table = Table::read();
    let files: Vec<_> = real_files().collect();
    let mut laws = [(); 2].map(|()| Law::new(&table, 3));
    std::thread::scope(|scope| {
        for (at, law) in laws.iter_mut().enumerate() {
            let files = files.iter().skip(at).step_by(2);
            scope.spawn(move || files.for_each(|(name, file)| law.check(name, (*file).clone())));
        }
    });
    let [mut law, other] = laws;
    law.add(other);
    assert!(law.counts["files"] >= 3_000, "{:?}", law.counts);
    law.judge();
}

const SAMPLE: usize = 60;

/// The most bytes of the patterns of a file, and the most agents. Each agent is asked about both
/// versions for each finding, and a file with more is skipped.
const MOST_BYTES: usize = 20_000;
const MOST_AGENTS: usize = 60;

/// The bytes of a line that Google's matcher reads.
const GOOGLE_LINE_BYTES: usize = 16_663;

fn real_files() -> impl Iterator<Item = (String, &'static Vec<u8>)> {
    let archives = [
        (TOP_SITES_OF_2019, corpus::top_sites_of_2019 as fn() -> _),
        (SITES_OF_2024, corpus::sites_of_2024),
    ];
    let there = archives
        .into_iter()
        .filter(|(name, _)| shared(name).exists());
    there.flat_map(|(_, read): (_, fn() -> &'static corpus::Files)| {
        read().iter().map(|(name, file)| (name.clone(), file))
    })
}

#[derive(serde::Deserialize)]
struct Cases {
    #[serde(default)]
    case: Vec<Case>,
    #[serde(default)]
    hit: Vec<Case>,
    #[serde(default)]
    near_miss: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    robots: String,
    encoding: Option<Encoding>,
    repeat: Option<Repeat>,
}

/// The files of the cases of testdata, by their names.
fn cases() -> Vec<(String, Vec<u8>)> {
    let folders = [
        "diagnostics",
        "google",
        "hostile",
        "issues",
        "records",
        "rfc9309",
    ];
    let files = folders.into_iter().flat_map(case_files::<Cases>);
    let cases = files.flat_map(|(_, cases)| {
        cases
            .case
            .into_iter()
            .chain(cases.hit)
            .chain(cases.near_miss)
    });
    let file = |case: &Case| notation::bytes(&case.robots, case.repeat.as_ref(), case.encoding);
    cases.map(|case| (case.name.clone(), file(&case))).collect()
}

/// The findings that were checked, with the failures.
struct Law<'t> {
    table: &'t Table,
    /// The most findings of one code in one file that are checked.
    most_of_code: usize,
    names: BTreeSet<String>,
    words: BTreeSet<&'t str>,
    counts: BTreeMap<&'static str, usize>,
    failures: BTreeSet<String>,
}

impl<'t> Law<'t> {
    fn new(table: &'t Table, most_of_code: usize) -> Law<'t> {
        Law {
            table,
            most_of_code,
            names: BTreeSet::new(),
            words: BTreeSet::new(),
            counts: BTreeMap::new(),
            failures: BTreeSet::new(),
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn add(&mut self, other: Law<'t>) {
        self.names.extend(other.names);
        self.words.extend(other.words);
        self.failures.extend(other.failures);
        for (what, count) in other.counts {
            *self.counts.entry(what).or_default() += count;
        }
    }

    /// Checks each finding of a file.
    fn check(&mut self, name: &str, bytes: Vec<u8>) {
        let file = File::new(bytes);
        let [robots_txt, _] = &file.readings;
        let agents = robots_txt.groups().flat_map(|group| group.user_agents());
        let has_many_agents = agents.take(MOST_AGENTS + 1).count() > MOST_AGENTS;
        let rules = robots_txt.groups().flat_map(|group| group.rules());
        let bytes: usize = rules.map(|rule| rule.value().len()).sum();
        if bytes > MOST_BYTES || has_many_agents {
            return self.count("files passed over");
        }
        self.count("files");
        self.names.insert(name.to_owned());
        let found = Linter::new().with_opinions().lint(robots_txt);
        let mut of_code: BTreeMap<DiagnosticCode, usize> = BTreeMap::new();
        // Google's matcher reads another record than the one that is written, if the line is cut.
        let is_of_cut_line = |finding: &Diagnostic| {
            let line = robots_txt.lines().nth(finding.line() as usize - 1);
            let is_cut = line.is_some_and(|line| 3 * line.as_bytes().len() > GOOGLE_LINE_BYTES);
            is_cut && finding.code() != DiagnosticCode::LineTooLong
        };
        for finding in &found {
            let seen = of_code.entry(finding.code()).or_default();
            *seen += 1;
            if *seen > self.most_of_code || is_of_cut_line(finding) {
                self.count("findings passed over");
                continue;
            }
            self.count("findings");
            let faults = self.faults(&file, finding, &found);
            let (line, code) = (finding.line(), finding.code());
            let faults = faults
                .into_iter()
                .map(|fault| format!("{name} {line} {code}: {fault}"));
            self.failures.extend(faults);
        }
    }

    /// The false claims of a finding, and the faults of its proposals.
    fn faults(&mut self, file: &File, finding: &Diagnostic, all: &[Diagnostic]) -> Vec<String> {
        let mut faults = Vec::new();
        let claims = self.table.claims(finding);
        for (claim, words, slots) in &claims {
            self.words.insert(words);
            match file.refutation(finding, *claim, slots) {
                Err(()) => self.count("claims that are too short to tell"),
                Ok(_) if *claim >= Claim::Wrong => self.count("claims about others"),
                Ok(refutation) => {
                    self.count("claims");
                    faults.extend(refutation.map(|fact| format!("{claim:?}, but {fact}")));
                }
            }
        }
        if claims.is_empty() {
            faults.push(format!("claims nothing: {}", finding.message()));
        }
        faults.extend(unnamed_texts(finding));
        if finding.code() == DiagnosticCode::LoneCarriageReturn {
            let fixes = Fixes::new(&file.bytes, |code| code == finding.code());
            let changes = file.changes(fixes.file().to_vec());
            let change = changes.into_iter().flatten().next();
            faults.extend(change.map(|change| format!("the fix: {}", change.text)));
        }
        for (at, proposal) in finding.proposals().iter().enumerate() {
            self.count("proposals followed");
            let faults_of_proposal = faults_of(file, finding, all, proposal, &self.table.next);
            let named = |fault| format!("proposal {at} {:?}: {fault}", shown(proposal));
            faults.extend(faults_of_proposal.into_iter().map(named));
        }
        if !finding.proposals().is_empty() {
            faults.extend(endless(&file.bytes, finding));
        }
        faults
    }

    /// Compares the failures with those that are known.
    fn judge(&self) {
        println!(
            "advice: {:?}, {} failures",
            self.counts,
            self.failures.len()
        );
        let is_read = |failure: &&String| {
            failure
                .split(' ')
                .next()
                .is_some_and(|name| self.names.contains(name))
        };
        let known: BTreeSet<String> = self
            .table
            .failures
            .iter()
            .filter(is_read)
            .cloned()
            .collect();
        let new: Vec<_> = self.failures.difference(&known).collect();
        let gone: Vec<_> = known.difference(&self.failures).collect();
        assert!(
            new.is_empty() && gone.is_empty(),
            "new: {new:#?}\nno longer there, so remove them: {gone:#?}"
        );
    }
}

/// A fault if the sentence says to write something that no proposal writes.
fn unnamed_texts(finding: &Diagnostic) -> Option<String> {
    let message = finding.message();
    if finding.proposals().is_empty() {
        return is_imperative(message).then(|| format!("proposes nothing, but says: {message}"));
    }
    let is_written = |text: &String| {
        let mut proposals = finding.proposals().iter();
        proposals.any(|proposal| {
            let mut edits = proposal.edits().iter();
            edits.any(|edit| edit.text().contains(text.as_str()))
        })
    };
    let unwritten = texts_to_write(message)
        .into_iter()
        .find(|text| !is_written(text));
    unwritten.map(|text| format!("no proposal writes `{text}`: {message}"))
}

fn shown(proposal: &Proposal) -> Vec<(std::ops::Range<usize>, &str)> {
    let edits = proposal.edits().iter();
    edits.map(|edit| (edit.span(), edit.text())).collect()
}

/// Follows one proposal, and returns its faults. The finding must be gone, only the answers that
/// the effect names may change, and no error or warning about the text may replace the finding.
fn faults_of(
    file: &File,
    finding: &Diagnostic,
    all: &[Diagnostic],
    proposal: &Proposal,
    next: &BTreeSet<String>,
) -> Vec<String> {
    let apart = |pair: &[polite_robots_lint::Edit]| pair[0].span().end <= pair[1].span().start;
    if !proposal.edits().windows(2).all(apart) {
        return vec!["overlaps".to_owned()];
    }
    let new = File::new(proposal.apply(&file.bytes));
    if new.bytes == file.bytes {
        return vec!["writes what is there".to_owned()];
    }
    let touched = Touched::new(file, &new, proposal);
    let found = Linter::new().with_opinions().lint(&new.readings[0]);
    let mut faults = Vec::new();
    let place = moved(&file.bytes, finding, proposal);
    let is_removed = removes_line(&file.bytes, finding, proposal);
    let is_same = |other: &&Diagnostic| {
        (other.code(), other.line(), other.span().start) == place
            && other.message() == finding.message()
            && !is_removed
    };
    faults.extend(
        found
            .iter()
            .find(is_same)
            .map(|_| "the finding stays".to_owned()),
    );
    let comes = |other: &&Diagnostic| {
        let span = other.span();
        let mut written = touched.written().iter();
        let is_of_text = written.any(|text| {
            // Where a text is only removed, the two sides of its place meet.
            span.start < text.end.max(text.start + 1) && text.start <= span.end
        });
        let mut old = all.iter().map(|old| moved(&file.bytes, old, proposal));
        let is_new = !old.any(|(code, line, _)| code == other.code() && line == other.line());
        let is_grave = other.severity() >= Severity::Warning;
        // The proposal does not cause a fault that the line had before.
        let text = &new.bytes[span.clone()];
        let was_there = !text.is_empty() && {
            // A proposal about the whole file touches other lines too.
            let is_touched = |line: &Line<'_>| {
                let mut edits = proposal.edits().iter();
                let span = line.span();
                line.number() == finding.line()
                    || edits
                        .any(|edit| span.start <= edit.span().start && edit.span().end <= span.end)
            };
            let mut lines = file.readings[0].lines().filter(is_touched);
            let is_in = |line: Line<'_>| {
                let mut parts = line.as_bytes().windows(text.len());
                parts.any(|part| part == text)
            };
            let is_copy =
                |old: &Diagnostic| old.code() == other.code() && &file.bytes[old.span()] == text;
            lines.any(is_in) || all.iter().any(is_copy)
        };
        // One finding stands for all of its kind, on the first of their lines, which may move.
        let count = |findings: &[Diagnostic]| {
            let same = findings
                .iter()
                .filter(|one| one.message() == other.message());
            same.count()
        };
        let is_another = count(&found) > count(all);
        is_of_text
            && is_new
            && is_another
            && is_grave
            && !was_there
            && !next.contains(other.code().as_str())
    };
    faults.extend(
        found
            .iter()
            .find(comes)
            .map(|other| format!("brings {other}")),
    );
    let changes = file.changes(new.bytes.clone());
    faults.extend(other_effect(file, finding, proposal, &changes));
    for (dialect, changes) in changes.iter().enumerate() {
        let mut objections = changes.iter().filter_map(|change| {
            let objection = touched.objection(change, dialect)?;
            Some(format!("{}: {objection}", change.text))
        });
        faults.extend(objections.next());
    }
    faults.extend(closes_unsaid(file, &changes, finding));
    faults
}

/// The code, the line and the start of a finding after a proposal was followed.
fn moved(file: &[u8], finding: &Diagnostic, proposal: &Proposal) -> (DiagnosticCode, u32, usize) {
    let breaks = |text: &[u8]| {
        let pairs = text.windows(2).filter(|pair| pair == b"\r\n").count();
        let ends = text.iter().filter(|byte| matches!(byte, b'\r' | b'\n'));
        (ends.count() - pairs) as i64
    };
    let (mut line, mut start) = (i64::from(finding.line()), finding.span().start as i64);
    for edit in proposal.edits() {
        let is_before = edit.span().end <= finding.span().start;
        if is_before {
            line += breaks(edit.text().as_bytes()) - breaks(&file[edit.span()]);
            start += edit.text().len() as i64 - edit.span().len() as i64;
        }
    }
    (
        finding.code(),
        u32::try_from(line).unwrap(),
        usize::try_from(start).unwrap(),
    )
}

/// Whether a proposal removes the line of a finding, so that the next line takes its place.
fn removes_line(file: &[u8], finding: &Diagnostic, proposal: &Proposal) -> bool {
    let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let (start, end) = (finding.span().start, finding.span().end);
    let line_start = file[..start]
        .iter()
        .rposition(is_end)
        .map_or(0, |at| at + 1);
    let line_end = file[end..]
        .iter()
        .position(is_end)
        .map_or(file.len(), |at| end + at);
    let mut edits = proposal.edits().iter();
    edits.any(|edit| {
        let span = edit.span();
        edit.text().is_empty() && span.start <= line_start && span.end >= line_end
    })
}

/// A fault if other answers change than those that the effect names.
fn other_effect(
    file: &File,
    finding: &Diagnostic,
    proposal: &Proposal,
    changes: &Changes,
) -> Option<String> {
    let [rfc9309, google] = changes.each_ref().map(|changes| changes.first());
    // The versions of a longer file are not compared.
    let is_long = file.bytes.len() > 24 << 10;
    let is_said = |words: &&str| finding.message().contains(words);
    let is_said_to_be_idle = is_long || SAID_TO_BE_IDLE.iter().any(is_said);
    let change = match proposal.effect() {
        Effect::Nothing => rfc9309.or(google),
        Effect::Google => rfc9309,
        Effect::Answers if rfc9309.or(google).is_none() && !is_said_to_be_idle => {
            return Some(format!("changes nothing, but says: {}", finding.message()));
        }
        Effect::Answers => None,
    };
    change.map(|change| format!("{:?}, but {}", proposal.effect(), change.text))
}

/// Words by which a sentence says that its proposal changes no answer of this file.
const SAID_TO_BE_IDLE: [&str; 2] = ["no answer changes", "nothing changes"];

/// A fault if a change closes a site whose home page was open, and the sentence does not say so.
fn closes_unsaid(file: &File, changes: &Changes, finding: &Diagnostic) -> Option<String> {
    const SITE: [&str; 5] = [
        "whole site",
        "`Disallow: /`",
        "everything",
        "all of",
        "closes the home page",
    ];
    let message = finding.message();
    // The line is shown with its finding.
    let number = finding.line() as usize;
    let line = file.readings[0].lines().nth(number - 1);
    let line = line.map_or(&b""[..], |line| line.as_bytes());
    let shown = format!("{message} {}", String::from_utf8_lossy(line)).to_ascii_lowercase();
    let is_of_agent = |agent: &String| shown.contains(&agent.to_ascii_lowercase());
    let is_said = SITE.iter().any(|words| message.contains(words));
    let mut changes = changes.iter().flatten();
    let closing = changes.find(|change| {
        let is_of_named = !change.agents.is_empty() && change.agents.iter().all(is_of_agent);
        change.closes_site() && !is_said && !is_of_named
    });
    closing.map(|change| format!("closes the site unsaid: {}", change.text))
}

/// Follows the first proposals about a line, which must come to an end soon. Each round follows all
/// proposals that an owner can follow at once, because a line may have more faults than rounds.
fn endless(file: &[u8], finding: &Diagnostic) -> Option<String> {
    let (mut file, mut line) = (file.to_vec(), finding.line());
    let mut round = vec![finding.clone()];
    round.extend(with_proposals(&file, line));
    let mut codes = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let mut apart: Vec<(std::ops::Range<usize>, &Diagnostic, &Proposal)> = Vec::new();
        for finding in &round {
            let proposal = finding.proposals().first()?;
            let [first, last] = [proposal.edits().first()?, proposal.edits().last()?];
            let hull = first.span().start..last.span().end;
            if apart
                .iter()
                .all(|(other, ..)| other.end < hull.start || hull.end < other.start)
            {
                apart.push((hull, finding, proposal));
            }
        }
        let (_, anchor, _) = apart.first()?.clone();
        codes.push(anchor.code().as_str());
        // From the last to the first, so that the places of the others stay.
        apart.sort_by_key(|(hull, ..)| std::cmp::Reverse(hull.start));
        let before = file.clone();
        for (_, finding, proposal) in apart {
            if removes_line(&before, finding, proposal) {
                return None;
            }
            line = line + moved(&before, anchor, proposal).1 - anchor.line();
            file = proposal.apply(&file);
        }
        round = with_proposals(&file, line);
        if round.is_empty() {
            return None;
        }
    }
    Some(format!("has no end: {codes:?}"))
}

fn with_proposals(file: &[u8], line: u32) -> Vec<Diagnostic> {
    let mut found = Linter::new().lint(&RobotsTxt::parse(file));
    found.retain(|finding| finding.line() == line && !finding.proposals().is_empty());
    found
}

const MOST_ROUNDS: usize = 5;
