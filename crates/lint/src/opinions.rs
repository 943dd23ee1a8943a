//! Finds lines that some owners would write otherwise, though the file does what it says. They are
//! reported to callers who ask for opinions.

use polite_robots::document::{Group, RuleRecord, UserAgent};
use polite_robots::{Access, RobotsTxt};

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::text::private_names::is_hidden;

/// The opinions about a file: the findings whose codes are
/// [opinions](DiagnosticCode::is_opinion).
pub(crate) fn opinions(robots_txt: &RobotsTxt) -> Vec<Diagnostic> {
    if robots_txt.groups().next().is_none() {
        return Vec::new();
    }
    let found = [
        no_sitemap(robots_txt),
        query_disallowed(robots_txt),
        revealing_path(robots_txt),
    ];
    found.into_iter().flatten().collect()
}

fn no_sitemap(robots_txt: &RobotsTxt) -> Option<Diagnostic> {
    let is_closed = || {
        let robot = robots_txt.robot("*").ok();
        robot.is_some_and(|robot| !robot.allowed("/"))
    };
    if robots_txt.sitemaps().next().is_some() || is_closed() {
        return None;
    }
    let message =
        "the file has no `Sitemap` line, which shows search engines all pages of the site";
    Some(Diagnostic::new(DiagnosticCode::NoSitemap, 1, 0..0, message))
}

/// The first rule that closes every query to search engines.
fn query_disallowed(robots_txt: &RobotsTxt) -> Option<Diagnostic> {
    let closes_queries = |rule: &RuleRecord<'_>| {
        let open = rule.value().strip_suffix(b"*").unwrap_or(rule.value());
        rule.access() == Access::Disallow && matches!(open, b"/*?" | b"*?")
    };
    let opens_queries =
        |rule: &RuleRecord<'_>| rule.access() == Access::Allow && rule.value().contains(&b'?');
    let is_read = |agent: UserAgent<'_>| {
        agent.is_wildcard() || agent.product_token().eq_ignore_ascii_case("googlebot")
    };
    let groups = robots_txt.groups();
    let mut groups = groups.filter(|group| group.user_agents().any(is_read));
    let rule = groups.find_map(|group| {
        let rule = group.rules().find(closes_queries)?;
        (!group.rules().any(|rule| opens_queries(&rule))).then_some(rule)
    })?;
    let message = "every URL with a query is closed, also further pages of lists, and styles and scripts with a version, where the parameters that make endless lists would be enough";
    let code = DiagnosticCode::QueryDisallowed;
    Some(Diagnostic::on(&rule, code, message))
}

/// The first path with a private name, and how many there are.
fn revealing_path(robots_txt: &RobotsTxt) -> Option<Diagnostic> {
    let is_revealing = |rule: &RuleRecord<'_>| {
        let mut names = rule.value().split(|byte| *byte == b'/');
        rule.access() == Access::Disallow && names.any(is_hidden)
    };
    let rules = robots_txt
        .groups()
        .flat_map(|group: Group<'_>| group.rules());
    let mut revealing = rules.filter(is_revealing);
    let first = revealing.next()?;
    let these = match revealing.count() {
        0 => "this line shows".to_owned(),
        1 => "this line and another show".to_owned(),
        more => format!("this line and {more} others show"),
    };
    let message = format!(
        "{these} anybody where something private may be, and robots.txt keeps nobody out; only a password on the server does"
    );
    let code = DiagnosticCode::RevealingPath;
    Some(Diagnostic::on(&first, code, message))
}
