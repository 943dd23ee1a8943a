//! Finds files that crawlers need and that the rules close: sitemaps, and the styles and scripts of pages.

use alloc::format;
use alloc::vec::Vec;

use crate::access::Access;
use crate::document::groups::RuleRecord;
use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::lint::example_path::example_path;
use crate::lint::merged_rules::matches_everything;
use crate::robots::robots_txt::RobotsTxt;
use crate::text::quote::quote;

/// Reports sitemaps and page resources that the file closes.
pub(super) fn closed_files(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    closed_sitemaps(robots_txt, findings);
    findings.extend(closed_resources(robots_txt));
}

/// Sitemaps that a rule for everyone closes.
fn closed_sitemaps(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    let mut robot = None;
    for (sitemap, line) in robots_txt.sitemap_records() {
        let Ok(url) = core::str::from_utf8(sitemap.bytes) else {
            continue;
        };
        if robot.is_none() {
            robot = robots_txt.robot("*").ok();
        }
        let Some(rule) = robot.as_ref().and_then(|robot| robot.check(url).rule()) else {
            continue;
        };
        // Whoever closes the whole site does not wait for crawlers of the sitemap.
        if rule.access() == Access::Allow
            || rule.length() == 0
            || matches_everything(rule.pattern().as_bytes())
        {
            continue;
        }
        let message = format!(
            "crawlers may not fetch this sitemap if it is on the same host, because {} on line {} closes it; open it with an `Allow`",
            quote(rule.pattern().as_bytes()),
            rule.line()
        );
        let code = DiagnosticCode::SitemapDisallowed;
        findings.push(Diagnostic::new(code, line, sitemap.span(), message));
    }
}

/// The first rule that keeps Googlebot from styles or scripts.
fn closed_resources(robots_txt: &RobotsTxt) -> Option<Diagnostic> {
    let is_about_resources = |rule: &RuleRecord<'_>| {
        rule.access() == Access::Disallow && resource_end(rule.value()).is_some()
    };
    let mut rules = robots_txt.groups().flat_map(|group| group.rules());
    rules.find(is_about_resources)?;
    let robot = robots_txt.robot("Googlebot").ok()?;
    let mut rules = robots_txt
        .groups()
        .flat_map(|group| group.rules())
        .filter(is_about_resources);
    rules.find_map(|rule| {
        let text = core::str::from_utf8(rule.value()).ok()?;
        let mut path = example_path(text, "x");
        path.push_str(resource_end(rule.value())?);
        let decides = robot.check(&path).rule().is_some_and(|by| by.line() == rule.line());
        let message = format!(
            "Googlebot may not fetch styles or scripts such as {}, so it may not see the pages as visitors do; allow them",
            quote(path.as_bytes())
        );
        let code = DiagnosticCode::ResourcesDisallowed;
        let span = rule.part().span();
        decides.then(|| Diagnostic::new(code, rule.line(), span, message))
    })
}

/// The text that makes an example of a style or a script of a pattern that is about these.
fn resource_end(pattern: &[u8]) -> Option<&'static str> {
    let is_end = |byte: &&u8| matches!(byte, b'$' | b'*');
    let ends = pattern.iter().rev().take_while(is_end).count();
    let pattern = pattern.get(..pattern.len().saturating_sub(ends))?;
    let is_open = |start: &[u8]| start.iter().all(|byte| matches!(byte, b'/' | b'*'));
    let folder = pattern.strip_suffix(b"/").unwrap_or(pattern);
    // A rule for one script is deliberate; a rule for all of them is seldom meant.
    if FILES
        .iter()
        .any(|end| pattern.strip_suffix(*end).is_some_and(is_open))
    {
        Some("")
    } else if FOLDERS.iter().any(|end| folder.ends_with(end)) {
        Some(if folder.len() < pattern.len() {
            "x.js"
        } else {
            "/x.js"
        })
    } else {
        None
    }
}

/// Ends of the names of styles and scripts.
const FILES: [&[u8]; 2] = [b".css", b".js"];

/// Folders in which content management systems keep the styles and scripts of pages.
const FOLDERS: [&[u8]; 8] = [
    b"/css",
    b"/js",
    b"/wp-includes",
    b"/wp-content",
    b"/wp-content/themes",
    b"/wp-content/plugins",
    b"/_next",
    b"/_nuxt",
];
