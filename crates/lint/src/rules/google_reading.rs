//! Rules that decide about nothing by RFC 9309 and about something to Google's matcher, which
//! compares most escapes as they are written, reads `/index.html` as its directory too, and takes
//! `Allowance` for an `Allow`.

use std::collections::BTreeSet;

use polite_robots::document::RuleRecord;
use polite_robots::{Access, Dialect, Options, RobotsTxt};

use crate::code::{DiagnosticCode, Severity};
use crate::diagnostic::Diagnostic;

/// Says in the findings about overruled rules which of them Google's matcher needs. `lint` finds
/// them in its reading of the file.
pub(super) fn explain_google_reading(
    overruled: &mut [Diagnostic],
    robots_txt: &RobotsTxt,
    lint: fn(&RobotsTxt) -> Vec<Diagnostic>,
) {
    let mut rules = robots_txt.groups().flat_map(|group| group.rules());
    let file = robots_txt.as_bytes();
    if !is_looked_at(robots_txt)
        || overruled.is_empty()
        || !rules.any(|rule| has_two_readings(&rule))
    {
        return;
    }
    let to_google = lint(&RobotsTxt::parse_with(file, &Options::google()));
    let to_google = to_google
        .iter()
        .filter(|finding| is_about_overruled(finding));
    let to_google: BTreeSet<u32> = to_google.map(Diagnostic::line).collect();
    let rules = robots_txt.groups().flat_map(|group| group.rules());
    let opened: Vec<&[u8]> = rules.filter_map(|rule| opened_by_index(&rule)).collect();
    for finding in overruled {
        let text = file.get(finding.span()).unwrap_or_default();
        if !is_about_overruled(finding) {
            continue;
        } else if !to_google.contains(&finding.line()) {
            *finding = finding.clone().with_advice(ADVICE);
        } else if opened.iter().any(|directory| text.ends_with(directory)) {
            *finding = finding.clone().with_advice(ADVICE_ABOUT_INDEX);
        }
    }
}

/// Says in the finding about a closed site which line opens a part of it to Google's matcher alone.
pub(super) fn explain_closed_site(finding: Diagnostic, robots_txt: &RobotsTxt) -> Diagnostic {
    if !is_looked_at(robots_txt) {
        return finding;
    }
    let google = RobotsTxt::parse_with(robots_txt.as_bytes(), &Options::google());
    let lines = |robots_txt: &RobotsTxt| -> BTreeSet<u32> {
        let rules = robots_txt.groups().flat_map(|group| group.rules());
        let allows =
            rules.filter(|rule| rule.access() == Access::Allow && !rule.value().is_empty());
        allows.map(|rule| rule.line()).collect()
    };
    let by_rfc9309 = lines(robots_txt);
    match lines(&google).difference(&by_rfc9309).next() {
        Some(line) => finding.with_advice(&format!(
            "to Google's matcher line {line} is an `Allow`, which opens a part of it"
        )),
        None => finding,
    }
}

fn is_looked_at(robots_txt: &RobotsTxt) -> bool {
    robots_txt.dialect() == Dialect::Rfc9309 && robots_txt.as_bytes().len() <= MOST_BYTES
}

fn has_two_readings(rule: &RuleRecord<'_>) -> bool {
    opened_by_index(rule).is_some()
        || rule.pattern(Dialect::Rfc9309) != rule.pattern(Dialect::Google)
}

/// The directory that Google's matcher opens with its index page, with the `/` at its end.
fn opened_by_index<'r>(rule: &RuleRecord<'r>) -> Option<&'r [u8]> {
    let page = memchr::memmem::find(rule.value(), b"/index.htm")?;
    let directory = rule.value().get(..page.saturating_add(1))?;
    (rule.access() == Access::Allow).then_some(directory)
}

fn is_about_overruled(finding: &Diagnostic) -> bool {
    match finding.code() {
        DiagnosticCode::DuplicateRule
        | DiagnosticCode::RedundantRule
        | DiagnosticCode::SiteOpenedByAllow => true,
        // A warning is about `/robots.txt` itself, which Google fetches whatever its matcher says.
        DiagnosticCode::ShadowedRule => finding.severity() == Severity::Error,
        _ => false,
    }
}

/// Far above the files that people write; a hostile one is not read twice.
const MOST_BYTES: usize = 1 << 16;

const ADVICE: &str = "to Google's matcher the two differ, and this line decides about some URLs";

const ADVICE_ABOUT_INDEX: &str =
    "to Google's matcher an `Allow` of its `index.html` opens this directory itself";
