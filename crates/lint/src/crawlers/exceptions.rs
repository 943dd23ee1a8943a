//! Findings of the library that the table of known crawlers proves wrong, which are left out, or
//! that it explains better.

use polite_robots::RobotsTxt;
use polite_robots::document::{Group, UserAgent};
use polite_robots_audit::known::{KnownCrawler, all};
use polite_robots_audit::printable::quote;

use crate::code::{DiagnosticCode, Severity};
use crate::crawlers::names::{is_word, known, name};
use crate::diagnostic::Diagnostic;

/// Leaves out the findings that are wrong for the crawlers that they are about.
pub(super) fn leave_out_exceptions(findings: &mut Vec<Diagnostic>, robots_txt: &RobotsTxt) {
    let mut groups: Option<Vec<Group<'_>>> = None;
    findings.retain(|finding| match finding.code() {
        DiagnosticCode::InvalidProductToken => !is_name_with_blanks(finding, robots_txt),
        DiagnosticCode::WildcardRulesDropped => {
            let groups = groups.get_or_insert_with(|| robots_txt.groups().collect());
            !never_reads_the_wildcard(finding, groups)
        }
        _ => true,
    });
}

/// Names the crawler that a `User-agent` line does not reach though its name is there, as in
/// `Yahoo! Slurp` and `Googlebot|bingbot`. Where there is none, nobody known loses his group by
/// words such as `Offline Explorer`, and one note stands for many such lines: lists of hundreds are
/// copied from file to file.
pub(super) fn name_the_crawlers(findings: &mut Vec<Diagnostic>, robots_txt: &RobotsTxt) {
    let mut notes = Vec::new();
    for (place, finding) in findings.iter_mut().enumerate() {
        let value = robots_txt.as_bytes().get(finding.span());
        let text = core::str::from_utf8(value.unwrap_or_default()).unwrap_or_default();
        let is_in_name = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
        let mut words = text.split(|letter| !is_in_name(letter));
        let first = words.next().unwrap_or_default();
        let is_about_words = finding.code() == DiagnosticCode::InvalidProductToken
            && finding.severity() == Severity::Warning
            && first.starts_with(|letter: char| letter.is_ascii_alphabetic())
            // A whole header names its crawler in the brackets, known or not, and nobody reads it
            // there.
            && !first.eq_ignore_ascii_case("mozilla");
        if !is_about_words {
            continue;
        }
        let current = |word: &str| {
            let crawler = known(word).filter(|_| !is_word(word));
            crawler.filter(|crawler| crawler.retired().is_none())
        };
        let read_alone = current(first);
        // Googlebot-Image reads a group for Googlebot.
        let is_missed = |crawler: &&KnownCrawler| match read_alone {
            Some(first) => {
                let is_first = |token: &str| token.eq_ignore_ascii_case(first.token());
                !is_first(crawler.token())
                    && !crawler.falls_back_to().iter().any(|token| is_first(token))
                    && !text.contains('(')
            }
            None => true,
        };
        let missed = words.find(|word| current(word).as_ref().is_some_and(is_missed));
        let Some(word) = missed else {
            notes.push(place);
            *finding = finding.clone().with_severity(Severity::Note);
            continue;
        };
        let fix = match read_alone {
            Some(_) => format!("write `User-agent: {word}` on a line of its own"),
            None => format!("write `{word}` if you mean it"),
        };
        let message = format!(
            "{word} does not read this group, because Google and others read only `{first}` of {}; {fix}",
            quote(text.as_bytes())
        );
        let (line, span) = (finding.line(), finding.span());
        *finding = Diagnostic::new(finding.code(), line, span, message);
    }
    join_notes(findings, &notes);
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

/// Notes of this kind that a file has one by one.
const MOST_NOTES: usize = 4;

/// Whether the value is a name such as `Sogou web spider`, which its operator asks owners to write
/// so.
fn is_name_with_blanks(finding: &Diagnostic, robots_txt: &RobotsTxt) -> bool {
    let value = robots_txt.as_bytes().get(finding.span());
    let value = value.unwrap_or_default();
    let is_name = |crawler: &KnownCrawler| crawler.name().as_bytes().eq_ignore_ascii_case(value);
    value.contains(&b' ') && all().iter().any(is_name)
}

/// Whether no agent of the group would read the group for `*` if it were not named: AdsBot-Google.
fn never_reads_the_wildcard(finding: &Diagnostic, groups: &[Group<'_>]) -> bool {
    let after = groups.partition_point(|group| group.line() <= finding.line());
    let group = after.checked_sub(1).and_then(|at| groups.get(at));
    let never_reads = |agent: UserAgent<'_>| {
        known(name(agent.value())).is_some_and(KnownCrawler::ignores_wildcard)
    };
    group.is_some_and(|group| group.user_agents().all(never_reads))
}
