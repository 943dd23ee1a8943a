//! The law that advice proves itself: of each finding, every claim is true of the answers, and the
//! text that it says to write changes no answer unsaid.
//!
//! The claims are read from the sentences, by the words of testdata/advice.toml; each is proved by
//! the exact comparison of two versions, in both dialects, for all agents.

use std::collections::{BTreeMap, BTreeSet};

use polite_robots::RobotsTxt;
use polite_robots_lint::fix::{Fixes, Suggestions};
use polite_robots_lint::{Diagnostic, DiagnosticCode, Linter, Severity};

use super::corpus::{self, SITES_OF_2024, TOP_SITES_OF_2019};
use super::notation::{self, Encoding, Repeat};
use super::shared;

mod change;
mod planted;
mod proof;
mod sentence;

use change::{Changes, Effect, Written};
use proof::File;
use sentence::{Claim, Edit, Table};

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
    let seed = std::env::var("PROPTEST_RNG_SEED").map_or(0, |seed| seed.parse::<usize>().unwrap());
    let table = Table::read();
    let mut law = Law::new(&table, 3);
    for (name, file) in real_files().skip(seed % SAMPLE).step_by(SAMPLE) {
        law.check(&name, file.clone());
    }
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

/// Bytes of the patterns of a file, and its agents, each of whom is asked about both versions for
/// each finding. A file with more is passed over.
const MOST_BYTES: usize = 20_000;
const MOST_AGENTS: usize = 60;

/// Google's matcher reads no more of a line.
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
    let testdata = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let folders = [
        "diagnostics",
        "google",
        "hostile",
        "issues",
        "records",
        "rfc9309",
    ];
    let folders = folders
        .iter()
        .map(|folder| std::fs::read_dir(testdata.join(folder)).unwrap());
    let mut files: Vec<_> = folders
        .flatten()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let cases = files.iter().flat_map(|path| {
        let cases: Cases = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        cases
            .case
            .into_iter()
            .chain(cases.hit)
            .chain(cases.near_miss)
    });
    let file = |case: &Case| notation::bytes(&case.robots, case.repeat.as_ref(), case.encoding);
    cases.map(|case| (case.name.clone(), file(&case))).collect()
}

/// The findings that were checked, and what was not so.
struct Law<'t> {
    table: &'t Table,
    /// Findings of one code in one file that are checked.
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
        let suggestions = Suggestions::new(robots_txt, &found);
        let mut of_code: BTreeMap<DiagnosticCode, usize> = BTreeMap::new();
        // Google's matcher reads another record than the one that is written, if the line is cut.
        let is_of_cut_line = |finding: &Diagnostic| {
            let line = robots_txt.lines().nth(finding.line() as usize - 1);
            let is_cut = line.is_some_and(|line| 3 * line.as_bytes().len() > GOOGLE_LINE_BYTES);
            is_cut && finding.code() != DiagnosticCode::LineTooLong
        };
        for (at, finding) in found.iter().enumerate() {
            let seen = of_code.entry(finding.code()).or_default();
            *seen += 1;
            if *seen > self.most_of_code || is_of_cut_line(finding) {
                self.count("findings passed over");
                continue;
            }
            self.count("findings");
            let faults = self.faults(&file, finding, &found, suggestions.can_fix(at));
            let (line, code) = (finding.line(), finding.code());
            let faults = faults
                .into_iter()
                .map(|fault| format!("{name} {line} {code}: {fault}"));
            self.failures.extend(faults);
        }
    }

    /// Everything that is not so about a finding.
    fn faults(
        &mut self,
        file: &File,
        finding: &Diagnostic,
        all: &[Diagnostic],
        is_safe: bool,
    ) -> Vec<String> {
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
        let fix = self.fix(file, finding);
        if let Some(changes) = &fix {
            self.count("fixes");
            let google = self.effect_to_google(finding).filter(|_| !is_safe);
            let written = file.written(finding, Edit::Replace, file);
            let unsaid = unsaid(changes, &written, Effect::None, google);
            faults.extend(unsaid.map(|change| format!("the fix: {change}")));
        }
        match self.table.hint(finding) {
            Some((edit, text, words, effect)) => {
                self.words.insert(words);
                faults.extend(self.follow(file, finding, all, (edit, &text, effect)));
            }
            None if fix.is_none() && finding.message().contains("write ") => {
                self.count("hints without a text to write");
            }
            None => {}
        }
        faults
    }

    fn fix(&self, file: &File, finding: &Diagnostic) -> Option<Changes> {
        let fixed = match finding.code() {
            code @ DiagnosticCode::LoneCarriageReturn => {
                let fixes = Fixes::new(&file.bytes, |other| other == code);
                Some(fixes.file().to_vec())
            }
            _ => file.fixed(finding),
        };
        Some(file.changes(fixed?))
    }

    /// Writes the text of a hint. An answer that changes is said to change, the finding goes, and
    /// no error or warning about the text comes in its place.
    fn follow(
        &mut self,
        file: &File,
        finding: &Diagnostic,
        all: &[Diagnostic],
        (edit, text, effect): (Edit, &str, Effect),
    ) -> Option<String> {
        let Some(followed) = file.followed(finding, edit, text) else {
            self.count("hints without a place");
            return None;
        };
        self.count("hints followed");
        let found = Linter::new().lint(&RobotsTxt::parse(&followed));
        let place = |finding: &Diagnostic| {
            (
                finding.code(),
                finding.line(),
                finding.span().start,
                self.table.hint(finding),
            )
        };
        let (code, line, start, hint) = place(finding);
        let moved = match edit {
            Edit::Above => (code, line + 1, start + text.len() + 1, hint),
            _ => (code, line, start, hint),
        };
        let is_same = |other: &Diagnostic| place(other) == moved;
        if edit != Edit::Remove && found.iter().any(is_same) {
            return Some(format!("still there with {edit:?} {text:?}"));
        }
        let codes = all.iter().filter(|other| other.line() == finding.line());
        let text_span = proof::written_span(&file.bytes, &followed);
        let mut comes = found.iter().filter(|other| {
            // Where a text is only removed, the two sides of its place meet.
            let ends = (text_span.start, text_span.end.max(text_span.start + 1));
            let is_of_text = other.span().start < ends.1 && ends.0 <= other.span().end;
            let is_new = codes.clone().all(|old| old.code() != other.code());
            let is_grave = other.severity() >= Severity::Warning;
            is_of_text && is_new && is_grave && !self.table.next.contains(other.code().as_str())
        });
        if let Some(other) = comes.next().filter(|_| edit != Edit::Remove) {
            let text = format!(
                "{edit:?} {text:?} brings {}: {}",
                other.code(),
                other.message()
            );
            return Some(text);
        }
        let new = File::new(followed.clone());
        let written = file.written(finding, edit, &new);
        let changes = file.changes(followed);
        let google = self.effect_to_google(finding);
        let unsaid = unsaid(&changes, &written, effect, google);
        let closing = || closes_unsaid(&changes, finding, effect, &written);
        unsaid
            .or_else(closing)
            .map(|change| format!("{edit:?} {text:?} ({effect:?}): {change}"))
    }

    fn effect_to_google(&mut self, finding: &Diagnostic) -> Option<Effect> {
        let (effect, words) = self.table.of_google(finding)?;
        self.words.insert(words);
        Some(effect)
    }

    /// Compares the failures with those that are known.
    fn judge(&self) {
        println!(
            "advice: {:?}, {} failures",
            self.counts,
            self.failures.len()
        );
        let count = |what: &str| self.counts.get(what).copied().unwrap_or_default();
        let (without, findings) = (count("hints without a text to write"), count("findings"));
        assert!(
            without * 5 <= findings,
            "{without} of {findings} findings name no text to write"
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

/// The change that an edit makes unsaid, with the effect that its sentence names, and that to
/// Google's matcher alone.
fn unsaid(
    changes: &Changes,
    written: &Written,
    effect: Effect,
    google: Option<Effect>,
) -> Option<String> {
    let dialects = ["RFC 9309", "Google"].iter().zip(changes).enumerate();
    let mut unsaid = dialects.filter_map(|(at, (dialect, changes))| {
        let is_said = |effect: Effect, change: &_| effect.permits(change, written, at);
        let is_of_google = |change: &_| at == 1 && google.is_some_and(|own| is_said(own, change));
        let mut others = changes
            .iter()
            .filter(|change| !is_said(effect, change) && !is_of_google(change));
        others
            .next()
            .map(|change| format!("{dialect} {}", change.text))
    });
    unsaid.next()
}

/// A change that closes a site whose home page was open, of which the sentence says nothing.
fn closes_unsaid(
    changes: &Changes,
    finding: &Diagnostic,
    effect: Effect,
    written: &Written,
) -> Option<String> {
    const SITE: [&str; 3] = ["whole site", "`Disallow: /`", "everything"];
    let is_said = SITE.iter().any(|words| finding.message().contains(words));
    let mut changes = changes.iter().flatten();
    let closing = changes.find(|change| {
        let is_of_named = match effect {
            Effect::Agents => written.is_named(change),
            _ => written.names_agent(change),
        };
        change.closes_site() && !is_said && !is_of_named
    });
    closing.map(|change| format!("closes the site unsaid: {}", change.text))
}
