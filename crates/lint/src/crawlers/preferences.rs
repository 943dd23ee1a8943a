//! Finds uses that a file allows to everyone, although crawlers for them are kept out.

use polite_robots::document::Scope;
use polite_robots::record::Extension;
use polite_robots::{AgentMatch, RobotsTxt};
use polite_robots_audit::known::{Compliance, KnownCrawler, Purpose, all, find};
use polite_robots_records::{Preference, UsageCategory};

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::crawlers::names::name;
use crate::diagnostic::Diagnostic;
use crate::sentence;
use crate::usage::pairs::{Opposite, opposite};
use crate::usage::reach::closing_line;
use crate::usage::statements::{preference, stated};

/// Adds the findings about statements that allow a use.
pub(super) fn preferences(
    records: &[Extension<'_>],
    robots_txt: &RobotsTxt,
    findings: &mut Vec<Diagnostic>,
) {
    let is_for_everyone = |record: &Extension<'_>| match record.scope() {
        Scope::File => true,
        Scope::Nobody => false,
        // A wildcard among thousands of agents has no need to be found.
        Scope::Agents(run) => {
            let mut agents = run.user_agents().take(MOST_LOOKED_AT);
            agents.any(|agent| agent.is_wildcard())
        }
    };
    let mut kept_out: Option<Vec<KeptOut>> = None;
    for record in records {
        let allowed = allowed_uses(record);
        if allowed.is_empty() || !is_for_everyone(record) {
            continue;
        }
        let kept_out = kept_out.get_or_insert_with(|| crawlers_kept_out(robots_txt));
        findings.extend(allowed.iter().find_map(|allowed| {
            let of_use = kept_out
                .iter()
                .filter(|crawler| crawler.fetches_for == *allowed);
            finding(record, *allowed, &of_use.collect::<Vec<_>>())
        }));
    }
}

/// The uses of the whole site that a record allows.
fn allowed_uses(record: &Extension<'_>) -> Vec<UsageCategory> {
    let whole_site = stated(record).filter(|(path, _)| matches!(path, None | Some(b"/" | b"/*")));
    let is_allowed = |category: &UsageCategory| {
        whole_site.is_some_and(|(_, value)| preference(value, *category) == Preference::Allowed)
    };
    let categories = UsageCategory::ALL.iter().copied();
    categories.filter(is_allowed).collect()
}

/// A crawler that the file names and that may fetch nothing.
struct KeptOut {
    token: &'static str,
    fetches_for: UsageCategory,
    /// The line of the rule that closes the site to it.
    line: u32,
}

fn crawlers_kept_out(robots_txt: &RobotsTxt) -> Vec<KeptOut> {
    let mut kept_out: Vec<KeptOut> = Vec::new();
    for group in robots_txt.merged_groups() {
        let Some(crawler) = find(name(group.user_agent().value())) else {
            continue;
        };
        let token = crawler.token();
        let (Some(fetches_for), false) = (
            use_of(crawler),
            kept_out.iter().any(|crawler| crawler.token == token),
        ) else {
            continue;
        };
        let robot = robots_txt.robot(token).ok();
        let named = robot.filter(|robot| robot.agent_match() == AgentMatch::Named);
        let line = named.and_then(|robot| closing_line(&robot, b"/"));
        kept_out.extend(line.map(|line| KeptOut {
            token,
            fetches_for,
            line,
        }));
    }
    kept_out.sort_by_key(|crawler| crawler.line);
    kept_out
}

/// The use that a crawler fetches for, if it is one alone and rules reach it.
fn use_of(crawler: &KnownCrawler) -> Option<UsageCategory> {
    // The other search engines are often kept out one by one, by owners who want to be found.
    let leads = || {
        let second = |other: &KnownCrawler| other.falls_back_to().contains(&crawler.token());
        all().iter().any(second)
    };
    if crawler.obeys() != Compliance::Yes || crawler.retired().is_some() {
        return None;
    }
    match crawler.purpose() {
        Purpose::Training => Some(UsageCategory::AiTraining),
        Purpose::AiSearch => Some(UsageCategory::AiInput),
        Purpose::Search => leads().then_some(UsageCategory::Search),
        _ => None,
    }
}

fn finding(
    record: &Extension<'_>,
    allowed: UsageCategory,
    kept_out: &[&KeptOut],
) -> Option<Diagnostic> {
    let first = kept_out.first()?;
    let names: Vec<&str> = kept_out.iter().map(|crawler| crawler.token).collect();
    let message = format!(
        "{allowed} is allowed here, but crawlers for it are kept out of the whole site: {} (line {})",
        sentence::list(&names),
        first.line
    );
    let advice = match opposite(record, allowed, Preference::Allowed) {
        Some(Opposite {
            pair,
            opposite_pair,
            ..
        }) => Advice::new(format!(
            "{message}; write `{opposite_pair}` if the rule is meant"
        ))
        .write(pair, opposite_pair),
        None => message.into(),
    };
    let code = DiagnosticCode::PreferencesAgainstRules;
    Some(Diagnostic::on(record, code, advice))
}

/// Agents of one record among which `*` is looked for.
const MOST_LOOKED_AT: usize = 64;
