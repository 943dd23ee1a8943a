//! Findings of the library that the table of known crawlers proves wrong, which are left out, or
//! that it explains better.

use polite_robots::RobotsTxt;
use polite_robots::document::{Group, UserAgent};
use polite_robots_audit::known::{KnownCrawler, all};

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
/// `Yahoo! Slurp`. Where there is none, nobody known loses his group by words such as `Offline
/// Explorer`, and the finding is a note.
pub(super) fn name_the_crawlers(findings: &mut [Diagnostic], robots_txt: &RobotsTxt) {
    for finding in findings {
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
        let is_current = |word: &&str| {
            let crawler = known(word).filter(|_| !is_word(word));
            crawler.is_some_and(|crawler| crawler.retired().is_none())
        };
        *finding = match words.find(is_current).filter(|_| !is_current(&first)) {
            Some(word) => {
                let message = format!(
                    "{word} does not read this group, because Google and others read only `{first}` of `{}`; write `{word}` if you mean it",
                    shortened(text)
                );
                Diagnostic::new(finding.code(), finding.line(), finding.span(), message)
            }
            None => finding.clone().with_severity(Severity::Note),
        };
    }
}

/// The start of a value from the file, safe for a terminal.
fn shortened(text: &str) -> String {
    let mut start: String = text.chars().take(MOST_SHOWN).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start.escape_debug().to_string()
}

/// Characters of a value that a message shows.
const MOST_SHOWN: usize = 60;

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
