//! Names of several words: the crawlers that they do not reach, by the table of known crawlers.

use std::cell::OnceCell;

use polite_robots::RobotsTxt;
use polite_robots::text::quote;
use polite_robots_audit::known::{KnownCrawler, find};

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::crawlers::agent_line::{AgentGroup, File};
use crate::crawlers::names::readers;
use crate::diagnostic::Diagnostic;
use crate::proposal::usual_line_end;
use crate::text::address::kind_of_address;
use crate::text::words::is_one_of;

/// Adds to findings the crawler whose name is on a `User-agent` line that does not reach it, as in
/// `Yahoo! Slurp` and `Googlebot|bingbot`. Other words, such as `Offline Explorer`, cost no known
/// crawler its group, so one note stands for many such lines: lists of hundreds are copied from
/// file to file.
pub(super) fn name_the_crawlers(findings: &mut Vec<Diagnostic>, robots_txt: &RobotsTxt) {
    let named = NamedCrawlers {
        file: File::new(robots_txt),
        groups: OnceCell::new(),
    };
    let mut notes = Vec::new();
    for (place, finding) in findings.iter_mut().enumerate() {
        let value = robots_txt.as_bytes().get(finding.span());
        let text = core::str::from_utf8(value.unwrap_or_default()).unwrap_or_default();
        let words = Words::new(text);
        if !words.are_meant_by(finding) {
            continue;
        }
        let line = finding.line();
        let advice = words
            .of_a_kind()
            .or_else(|| words.of_a_missed_crawler(line, &named));
        if let Some((message, written)) = advice {
            let span = finding.span();
            let advice = Advice::new(message).write(span.clone(), written);
            *finding = Diagnostic::advised(finding.code(), line, span, advice);
        } else {
            notes.push(place);
            *finding = finding.clone().with_severity(Severity::Note);
        }
    }
    join_notes(findings, &notes);
}

/// The words of a name.
struct Words<'t> {
    text: &'t str,
    first: &'t str,
    /// The crawler that reads the first word as its name.
    read_alone: Option<&'static KnownCrawler>,
}

/// The sentence about a name of several words, and the text to write in its place.
type Fix = (String, String);

impl<'t> Words<'t> {
    fn new(text: &'t str) -> Words<'t> {
        let first = words_of(text).next().unwrap_or_default();
        Words {
            text,
            first,
            read_alone: current(first),
        }
    }

    /// Whether a finding about the name is about its words. A whole header names its crawler in the
    /// brackets, known or not, and nobody reads it there.
    fn are_meant_by(&self, finding: &Diagnostic) -> bool {
        finding.code() == DiagnosticCode::InvalidProductToken
            && finding.severity() == Severity::Warning
            && self
                .first
                .starts_with(|letter: char| letter.is_ascii_alphabetic())
            && !self.first.eq_ignore_ascii_case("mozilla")
            && kind_of_address(self.text.as_bytes()).is_none()
    }

    /// The advice for `Googlebot Image`, which many crawlers read as `Googlebot`.
    fn of_a_kind(&self) -> Option<Fix> {
        let token = self.read_alone?.token();
        let second = self.after_first().find(|word| !word.is_empty())?;
        if !is_one_of(second.as_bytes(), &KINDS) {
            return None;
        }
        let first = self.first;
        let (fix, name) = match current(&format!("{first}-{second}")) {
            Some(meant) => ("if you mean that one alone", meant.token()),
            None => ("if you mean it", token),
        };
        let message = format!(
            "this group is for {token} too, because many crawlers read only `{first}` of {}; write `{name}` {fix}",
            quote(self.text.as_bytes())
        );
        Some((message, name.to_owned()))
    }

    /// The advice for a crawler whose name is among the later words, and that reads no group of
    /// this line.
    fn of_a_missed_crawler(&self, line: u32, named: &NamedCrawlers<'_>) -> Option<Fix> {
        let missed = self.after_first().find_map(|word| {
            let crawler = current(word).filter(|crawler| !self.reach(crawler))?;
            (!named.names(line, crawler)).then_some((word, crawler))
        });
        let (word, crawler) = missed?;
        let (fix, written) = match self.read_alone {
            Some(_) => {
                let known = words_of(self.text).filter(|word| current(word).is_some());
                let lines: Vec<&str> = known.collect();
                let line_end = usual_line_end(named.file.robots_txt.as_bytes());
                (
                    format!("write `User-agent: {word}` on a line of its own"),
                    lines.join(&format!("{line_end}User-agent: ")),
                )
            }
            None => {
                let readers = readers(crawler, |name| named.file.names(name));
                let fix = format!("write `{word}` if you mean it{readers}");
                (fix, word.to_owned())
            }
        };
        let message = format!(
            "{word} does not read this group, because Google and others read only `{}` of {}; {fix}",
            self.first,
            quote(self.text.as_bytes())
        );
        Some((message, written))
    }

    /// Whether the first word reaches the crawler. A text with brackets counts too: it may be a
    /// header about the first word, with another name in the brackets.
    fn reach(&self, crawler: &KnownCrawler) -> bool {
        self.read_alone.is_some_and(|first| {
            let is_first = |token: &str| token.eq_ignore_ascii_case(first.token());
            is_first(crawler.token())
                || crawler.falls_back_to().iter().any(|token| is_first(token))
                || self.text.contains('(')
        })
    }

    fn after_first(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        words_of(self.text).skip(1)
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && !"_.-".contains(letter))
}

/// The crawler of this name that runs today; `None` for a word or the name of a company, which
/// stand for many.
fn current(word: &str) -> Option<&'static KnownCrawler> {
    let crawler = find(word).filter(|crawler| !crawler.is_word() && !crawler.is_company());
    crawler.filter(|crawler| crawler.retired().is_none())
}

/// The groups of a file with their names, each read once: there may be thousands of findings about
/// a group with thousands of names.
struct NamedCrawlers<'r> {
    file: File<'r>,
    groups: OnceCell<Vec<AgentGroup<'r>>>,
}

impl NamedCrawlers<'_> {
    /// Whether a line of the group that holds this line names the crawler, one to whose rules it
    /// falls back, or everyone.
    fn names(&self, line: u32, crawler: &KnownCrawler) -> bool {
        let groups = || self.file.robots_txt.groups().map(AgentGroup::new).collect();
        let groups = self.groups.get_or_init(groups);
        let after = groups.partition_point(|group| group.line() <= line);
        let group = after.checked_sub(1).and_then(|at| groups.get(at));
        group
            .is_some_and(|group| group.names(crawler.token()) || group.is_second_choice_of(crawler))
    }
}

/// Makes one note of the findings about words that name no known crawler, at these places.
fn join_notes(findings: &mut Vec<Diagnostic>, places: &[usize]) {
    let (Some((first, others)), true) = (places.split_first(), places.len() > MOST_NOTES) else {
        return;
    };
    let last_line = others.last().and_then(|last| findings.get(*last));
    let last_line = last_line.map_or(0, Diagnostic::line);
    if let Some(first) = findings.get_mut(*first) {
        let message = format!(
            "{}; {} further lines have such values, the last one line {last_line}",
            first.message(),
            others.len()
        );
        let (code, line, span) = (first.code(), first.line(), first.span());
        *first = Diagnostic::new(code, line, span, message).with_severity(Severity::Note);
    }
    let mut others = others.iter().peekable();
    let mut place = 0;
    findings.retain(|_| {
        let is_other = others.next_if(|other| **other == place).is_some();
        place += 1;
        !is_other
    });
}

/// The kinds of content that crawlers of their own fetch: `Googlebot-Image`.
const KINDS: [&str; 5] = ["image", "images", "mobile", "news", "video"];

/// The most notes of this kind that are reported one by one.
const MOST_NOTES: usize = 4;
