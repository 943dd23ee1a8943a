//! Finds files that crawlers need and that the rules close: sitemaps, and the styles and scripts of
//! pages.

use polite_robots::document::{Group, RuleRecord, UserAgent};
use polite_robots::record::{Extension, ExtensionField};
use polite_robots::text::quote;
use polite_robots::{Access, Rule, Target};
use polite_robots_audit::example_path::example_path;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::proposal::Proposal;
use crate::rule_text::RuleText;
use crate::rules::merged_rules::matches_everything;
use crate::text::entity::first_entity;
use crate::text::line::line_at;
use crate::text::words::words;

/// Reports sitemaps and page resources that the file closes.
pub(super) fn closed_files(file: &FileRules<'_>, findings: &mut Vec<Diagnostic>) {
    closed_sitemaps(file, findings);
    findings.extend(closed_resources(file));
}

/// Sitemaps that a rule for everyone closes.
fn closed_sitemaps(file: &FileRules<'_>, findings: &mut Vec<Diagnostic>) {
    let robots_txt = file.robots_txt;
    let mut robot = None;
    let mut closed: Option<Vec<&[u8]>> = None;
    let is_sitemap = |record: &Extension<'_>| record.field() == ExtensionField::Sitemap;
    let sitemaps = robots_txt.extensions().filter(is_sitemap);
    for sitemap in sitemaps.take(MOST_SITEMAPS) {
        let Ok(url) = core::str::from_utf8(sitemap.value()) else {
            continue;
        };
        // Most files close nothing near their sitemaps, and compiling the rules takes longer than
        // the whole lint.
        let target = Target::new(url);
        let path = target.path(robots_txt.dialect());
        let closed = closed.get_or_insert_with(|| closed_to_everyone(file));
        if !closed.iter().any(|pattern| may_match(pattern, &path)) {
            continue;
        }
        if robot.is_none() {
            robot = robots_txt.robot("*").ok();
        }
        let Some(rule) = robot.as_ref().and_then(|robot| robot.check(url).rule()) else {
            continue;
        };
        // An owner who closes the whole site does not wait for crawlers of the sitemap.
        if rule.access() == Access::Allow
            || rule.length() == 0
            || matches_everything(rule.pattern().as_bytes())
        {
            continue;
        }
        let message = format!(
            "crawlers may not fetch this sitemap if it is on the same host, because {} on line {} closes it",
            quote(rule.pattern().as_bytes()),
            rule.line()
        );
        let advice = match exception(file, &path, &rule) {
            Some(advice) => advice.after(message),
            None => message.into(),
        };
        let code = DiagnosticCode::SitemapDisallowed;
        findings.push(Diagnostic::on(&sitemap, code, advice));
    }
}

/// An `Allow` of a path below the rule that closes it; `None` if it could not win.
fn exception(file: &FileRules<'_>, path: &[u8], rule: &Rule<'_>) -> Option<Advice> {
    let path = core::str::from_utf8(path).ok()?;
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'*' | b'$' | b'#' | b'`');
    // An entity would be a mistake of its own.
    let can_win = path.len() >= rule.pattern().len()
        && path.bytes().all(is_plain)
        && first_entity(path.as_bytes()).is_none();
    let closing = file.rule_on(rule.line()).filter(|_| can_win)?;
    let text = format!("Allow: {path}");
    let bytes = file.bytes();
    let line = line_at(bytes, closing.span().start);
    let proposal = Proposal::line_below(bytes, line, &text);
    Some(Advice::new(format!("write `{text}` below that line")).propose(proposal))
}

/// The patterns that are closed to everyone.
fn closed_to_everyone<'r>(file: &FileRules<'r>) -> Vec<&'r [u8]> {
    let is_for_everyone = |group: &Group<'_>| group.user_agents().any(|agent| agent.is_wildcard());
    let groups = file.groups().filter(|(group, _)| is_for_everyone(group));
    let rules = groups.flat_map(|(_, rules)| rules);
    let closing = rules.filter(|rule| rule.access() == Access::Disallow);
    closing.map(|rule| rule.value()).collect()
}

/// Fast and conservative: whether the text before the first `*` is where the path begins, and the
/// text after it is in the path. An escape may be written in another way.
fn may_match(pattern: &[u8], path: &[u8]) -> bool {
    let is_plain =
        |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'*' | b'$' | b'%' | b'#');
    let plain_len = |text: &[u8]| text.iter().take_while(|byte| is_plain(byte)).count();
    let (start, rest) = pattern
        .split_at_checked(plain_len(pattern))
        .unwrap_or_default();
    let is_whole_site = start == b"/" && rest.is_empty();
    if is_whole_site || !path.starts_with(start) {
        return false;
    }
    let after_star = match rest {
        [b'*', after @ ..] => after,
        _ => return true,
    };
    let after = after_star.get(..plain_len(after_star)).unwrap_or_default();
    memchr::memmem::find(path, after).is_some()
}

/// The first rule that keeps Googlebot from styles or scripts.
fn closed_resources(file: &FileRules<'_>) -> Option<Diagnostic> {
    let mut robot = None;
    // The groups that Googlebot reads are among these.
    let is_read = |agent: UserAgent<'_>| {
        agent.is_wildcard() || starts_with_ignore_case(agent.value(), b"googlebot")
    };
    let groups = file.groups();
    let groups = groups.filter(|(group, _)| group.user_agents().any(is_read));
    let closing = groups
        .flat_map(|(_, rules)| rules)
        .filter(|rule| rule.access() == Access::Disallow)
        .filter_map(|rule| Some((rule, resource_end(rule.value())?)));
    for (closing, end) in closing.take(MOST_RESOURCES) {
        if robot.is_none() {
            robot = file.robots_txt.robot("Googlebot").ok();
        }
        let folder = folder(closing.value());
        let Ok(pattern) = core::str::from_utf8(folder) else {
            continue;
        };
        let mut path = example_path(pattern, "x");
        path.push_str(end);
        let rule = robot.as_ref().and_then(|robot| robot.check(&path).rule());
        // An owner who opens a part of the folder has thought of the pages.
        let has_exception = || {
            let mut rules = robot.iter().flat_map(|robot| robot.rules());
            rules.any(|rule| {
                rule.access() == Access::Allow
                    && rule.pattern().len() > pattern.len()
                    && rule.pattern().starts_with(pattern)
            })
        };
        if rule.is_some_and(|rule| rule.line() == closing.line()) && !has_exception() {
            return Some(opening(file, closing, pattern, &path));
        }
    }
    None
}

/// The finding about a rule that closes styles or scripts such as `path`. A rule for these alone is
/// to be removed; a rule for a folder closes other files too.
fn opening(file: &FileRules<'_>, closing: &RuleRecord<'_>, folder: &str, path: &str) -> Diagnostic {
    let rule = RuleText::of(file.bytes(), closing);
    let is_of_files = FILES
        .iter()
        .any(|end| folder.as_bytes().ends_with(end) && path.as_bytes().ends_with(end));
    let fix = match is_of_files {
        true => Advice::new("remove this line").write(rule.removal(file.bytes()), ""),
        false => {
            let [styles, scripts] = ["css", "js"].map(|end| format!("Allow: {folder}*.{end}"));
            let text = format!("{styles}\n{scripts}");
            Advice::new(format!("write `{styles}` and `{scripts}` below"))
                .propose(Proposal::line_below(file.bytes(), rule.line, &text))
        }
    };
    let advice = fix.after(format_args!(
        "Googlebot may not fetch styles or scripts such as {}, so it may not see the pages as visitors do",
        quote(path.as_bytes())
    ));
    Diagnostic::on(closing, DiagnosticCode::ResourcesDisallowed, advice)
}

fn starts_with_ignore_case(text: &[u8], start: &[u8]) -> bool {
    let text = text.get(..start.len()).unwrap_or_default();
    text.eq_ignore_ascii_case(start)
}

/// The pattern without the `*` and the `$` at its end.
fn folder(pattern: &[u8]) -> &[u8] {
    let is_end = |byte: &&u8| matches!(byte, b'$' | b'*');
    let ends = pattern.iter().rev().take_while(is_end).count();
    let len = pattern.len().saturating_sub(ends);
    pattern.get(..len).unwrap_or(pattern)
}

/// Whether a pattern is about styles and scripts alone.
pub(super) fn is_of_resources(pattern: &[u8]) -> bool {
    resource_end(pattern).is_some()
}

/// Whether Googlebot is among some agents.
pub(super) fn is_googlebot(agents: &[&[u8]]) -> bool {
    let mut agents = agents.iter();
    agents.any(|agent| starts_with_ignore_case(agent, b"googlebot"))
}

/// The ending that makes an example path of a pattern about styles or scripts.
fn resource_end(pattern: &[u8]) -> Option<&'static str> {
    let pattern = folder(pattern);
    let is_open = |start: &[u8]| start.iter().all(|byte| matches!(byte, b'/' | b'*'));
    let folder = pattern.strip_suffix(b"/").unwrap_or(pattern);
    // The last letters of all names below. Each rule of each file comes here, and few end so.
    if !matches!(folder.last(), Some(b'c' | b's' | b't')) {
        return None;
    }
    // A rule for one script is deliberate; a rule for all of them is seldom meant.
    let is_for_visitors = || memchr::memmem::find(pattern, b"admin/").is_none();
    if FILES
        .iter()
        .any(|end| pattern.strip_suffix(*end).is_some_and(is_open))
    {
        Some("")
    } else if words(FOLDERS).any(|end| folder.ends_with(end)) && is_for_visitors() {
        Some(if folder.len() < pattern.len() {
            "x.js"
        } else {
            "/x.js"
        })
    } else {
        None
    }
}

/// Sitemaps of a file that are looked at: those of a site are in one or two folders.
const MOST_SITEMAPS: usize = 50;

/// Rules about styles and scripts that are looked at, each with all rules for Googlebot.
const MOST_RESOURCES: usize = 50;

/// Ends of the names of styles and scripts.
const FILES: [&[u8]; 2] = [b".css", b".js"];

/// Folders in which content management systems keep the styles and scripts of pages.
const FOLDERS: &str = include_str!("../words/folders_of_pages.txt");
