//! Rules that decide about nothing by RFC 9309 and about something to Google's matcher, which
//! compares most escapes as they are written, reads `/index.html` as its directory too, and takes
//! `Allowance` for an `Allow`.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use polite_robots::document::{RuleRecord, UserAgent};
use polite_robots::{Access, Dialect, Options, Robot, RobotsTxt, Rule};
use polite_robots_audit::example_path::example_path;

use crate::code::{DiagnosticCode, Severity};
use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::lines::{GOOGLE_FILE_BYTES, has_another_record};
use crate::proposal::Effect;
use crate::rules::openings::{PAGE, in_other_dialect};
use crate::rules::site_closed::ToGoogle;

/// Says in the findings about overruled rules which of them Google's matcher needs. `lint` finds
/// them in its reading of the file.
pub(super) fn explain_google_reading(
    overruled: &mut [Diagnostic],
    file: &FileRules<'_>,
    lint: fn(&RobotsTxt) -> Vec<Diagnostic>,
) {
    let rules = file.rules();
    if !is_looked_at(file.robots_txt) || overruled.is_empty() || !rules.iter().any(has_two_readings)
    {
        return;
    }
    let to_google = lint(&RobotsTxt::parse_with(file.bytes(), &Options::google()));
    let to_google = to_google.into_iter().filter(is_about_overruled);
    let to_google: BTreeSet<u32> = to_google.map(|finding| finding.line()).collect();
    let opened: Vec<&[u8]> = rules.iter().filter_map(opened_by_index).collect();
    for finding in overruled {
        let path = file.rule_on(finding.line()).map(RuleRecord::value);
        if !is_about_overruled(finding) {
            continue;
        } else if !to_google.contains(&finding.line()) {
            let proposals = finding.proposals().iter().cloned();
            let proposals = proposals.map(|proposal| proposal.with_effect(Effect::Google));
            let proposals = proposals.collect();
            *finding = finding
                .clone()
                .with_advice(ADVICE)
                .with_proposals(proposals);
        } else if path.is_some_and(|path| opened.contains(&path)) {
            *finding = finding.clone().with_advice(ADVICE_ABOUT_INDEX);
        }
    }
}

/// The answer of Google's matcher about a site that RFC 9309 closes to an agent.
pub(super) fn closed_site_to_google(robots_txt: &RobotsTxt, agent: &str) -> ToGoogle {
    let file = robots_txt.as_bytes();
    if robots_txt.dialect() != Dialect::Rfc9309 || file.len() > GOOGLE_FILE_BYTES {
        return ToGoogle::Closed;
    }
    let google = RobotsTxt::parse_with(file, &Options::google());
    let [Ok(by_rfc9309), Ok(to_google)] = [robots_txt, &google].map(|file| file.robot(agent))
    else {
        return ToGoogle::Closed;
    };
    if ["/", PAGE].iter().all(|path| to_google.allowed(*path)) {
        return match by_rfc9309.allowed("/") {
            true => ToGoogle::OpenByName,
            false => ToGoogle::Open,
        };
    }
    let allows = |robot: &Robot| -> BTreeSet<u32> {
        let allows = robot.rules().filter(|rule| rule.access() == Access::Allow);
        allows.map(|rule| rule.line()).collect()
    };
    let known = allows(&by_rfc9309);
    let new = to_google.rules().filter(|rule| {
        rule.access() == Access::Allow && rule.length() > 0 && !known.contains(&rule.line())
    });
    let opens = |rule: &Rule<'_>| {
        let url = example_path(rule.pattern(), "x");
        to_google.allowed(&url) && !by_rfc9309.allowed(&url)
    };
    let line = new.take(MOST_ALLOWS).find(opens).map(|rule| rule.line());
    line.map_or(ToGoogle::Closed, ToGoogle::OpenedByLine)
}

/// The file in the other dialect, where that takes a record of it for another one.
#[derive(Debug)]
pub(super) struct OtherReading<'p, 'r> {
    file: &'p FileRules<'r>,
    reading: OnceCell<Option<RobotsTxt>>,
}

impl<'p, 'r> OtherReading<'p, 'r> {
    pub(super) fn of(file: &'p FileRules<'r>) -> OtherReading<'p, 'r> {
        let reading = OnceCell::new();
        OtherReading { file, reading }
    }

    /// The answers of RFC 9309 and of Google's matcher that may change without a rule that decides
    /// nothing in this reading; [`explain_google_reading`] looks closer at small files.
    pub(super) fn effect_of_idle_rules(&self) -> Effect {
        let is_another = self.reading().is_some();
        let is_large = !is_looked_at(self.file.robots_txt);
        match is_another || is_large && self.file.rules().iter().any(has_two_readings) {
            true => Effect::Google,
            false => Effect::Nothing,
        }
    }

    /// The rules of an agent in that reading; `None` where no record is another one.
    pub(super) fn robot(&self, agent: UserAgent<'_>) -> Option<Robot> {
        let reading = self.reading()?;
        self.file.work.spend(reading.as_bytes().len());
        let agent = match agent.is_wildcard() {
            true => "*",
            false => agent.product_token(),
        };
        reading.robot(agent).ok()
    }

    fn reading(&self) -> Option<&RobotsTxt> {
        let reading = self.reading.get_or_init(|| {
            let robots_txt = self.file.robots_txt;
            has_another_record(robots_txt).then(|| in_other_dialect(robots_txt))
        });
        reading.as_ref()
    }
}

fn is_looked_at(robots_txt: &RobotsTxt) -> bool {
    robots_txt.dialect() == Dialect::Rfc9309 && robots_txt.as_bytes().len() <= MOST_BYTES
}

/// Whether the dialects read the pattern of a rule differently.
pub(crate) fn has_two_readings(rule: &RuleRecord<'_>) -> bool {
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

/// The `Allow` lines of Google's reading alone that are asked about.
const MOST_ALLOWS: usize = 64;

const ADVICE: &str = "to Google's matcher the two differ, and this line decides about some URLs";

const ADVICE_ABOUT_INDEX: &str =
    "to Google's matcher an `Allow` of its `index.html` opens this directory itself";
