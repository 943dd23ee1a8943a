//! Findings that only several lines together show: goes through the merged groups and collects
//! them.

mod allow_alone;
mod closed_files;
mod compiled_rule;
mod dropped_rules;
mod generic_path;
mod glob;
pub(crate) mod google_reading;
mod home_page;
mod letter_case;
mod merged_rules;
mod of_agents;
pub(crate) mod openings;
mod overruled_rules;
mod prefix_index;
mod readers;
mod short_exception;
mod site_closed;
mod wildcard_index;

use polite_robots::RobotsTxt;

use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::groups::idle_groups::idle_groups;
use crate::groups::joined_groups::join_groups;
use crate::groups::no_record::no_record;
use crate::groups::several_delays::several_delays;
use crate::groups::sitemap_hosts::sitemap_hosts;
use crate::groups::sitemap_schemes::sitemap_schemes;
use crate::lines::Text;
use crate::rules::closed_files::closed_files;
use crate::rules::google_reading::{OtherReading, explain_google_reading};
use crate::rules::home_page::home_page;
use crate::rules::letter_case::letter_case;
use crate::rules::of_agents::Pass;
use crate::rules::readers::Readers;
use crate::rules::short_exception::short_exception;
use crate::usage::preferences;

/// The findings about rules, groups and preferences.
///
/// Each is exact: a rule reported as shadowed decides about no URL, for any agent that its group
/// names. The work on one file is bounded by its length, so in hostile files, with thousands of
/// patterns that may contain each other or thousands of groups that share rules, some findings may
/// be missing.
///
/// `keeps_open` says of the value of a `User-agent` line whether a site that is open to this agent
/// alone is open on purpose.
pub(crate) fn lint_rules(
    robots_txt: &RobotsTxt,
    text: Text,
    keeps_open: impl Fn(&[u8]) -> bool,
) -> Vec<Diagnostic> {
    let file = FileRules::of(robots_txt);
    let readers = Readers::of(robots_txt);
    let mut findings = of_single_groups(&file, &readers, text);
    let other = OtherReading::of(&file);
    let (mut found, overruled) = Pass::new(&file, &other, text).run(&readers, keeps_open);
    findings.append(&mut found);
    let effect = other.effect_of_idle_rules();
    let mut overruled = overruled.findings(&file, readers.groups(), effect);
    if text == Text::Read {
        let lint = |google: &RobotsTxt| lint_rules(google, Text::Unread, keeps_any);
        explain_google_reading(&mut overruled, &file, lint);
    }
    findings.append(&mut overruled);
    findings.append(&mut preferences(robots_txt, &file.work));
    findings.extend(no_record(robots_txt));
    findings
}

/// The findings that a group, or a record of the whole file, shows alone.
fn of_single_groups(file: &FileRules<'_>, readers: &Readers<'_>, text: Text) -> Vec<Diagnostic> {
    let robots_txt = file.robots_txt;
    let mut findings = Vec::new();
    idle_groups(file, &mut findings);
    closed_files(file, &mut findings);
    letter_case(file, &mut findings);
    several_delays(robots_txt, &mut findings);
    findings.extend(sitemap_schemes(robots_txt));
    findings.extend(sitemap_hosts(robots_txt));
    let mut several = readers.several_groups();
    if text == Text::Read {
        join_groups(&mut several, robots_txt);
    }
    findings.append(&mut several);
    home_page(file, &mut findings);
    short_exception(file, &mut findings);
    findings
}

/// Every agent may be kept out on purpose: the findings that ask are not about overruled rules.
fn keeps_any(_: &[u8]) -> bool {
    true
}
