//! Finds agents that no known crawler is called: near names, names of companies, and names that Google cuts.

use std::collections::HashSet;

use polite_robots::RobotsTxt;
use polite_robots::document::UserAgent;
use polite_robots::lint::{Diagnostic, DiagnosticCode};

use crate::findings::names;
use crate::known::KnownCrawler;

/// Adds the findings about the `User-agent` lines of a file.
pub(super) fn agent_names(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    let mut named = None;
    for agent in robots_txt.groups().flat_map(|group| group.user_agents()) {
        let name = names::name(agent.value());
        if name.is_empty() || names::known(name).is_some() || names::is_second_name(name) {
            continue;
        }
        let is_named = |crawler: &KnownCrawler| {
            let named = named.get_or_insert_with(|| names_of(robots_txt));
            named.contains(&crawler.token().to_ascii_lowercase())
        };
        findings.extend(about(agent, name, is_named));
    }
}

/// The names in the file, in lower case.
fn names_of(robots_txt: &RobotsTxt) -> HashSet<String> {
    let agents = robots_txt.groups().flat_map(|group| group.user_agents());
    agents
        .map(|agent| names::name(agent.value()).to_ascii_lowercase())
        .collect()
}

/// A finding about a name that no known crawler has. `is_named` asks whether the file names a crawler somewhere.
fn about(
    agent: UserAgent<'_>,
    name: &str,
    mut is_named: impl FnMut(&KnownCrawler) -> bool,
) -> Option<Diagnostic> {
    let finding = |code: DiagnosticCode, message: String| {
        Some(Diagnostic::new(code, agent.line(), agent.span(), message))
    };
    let read_by_google = agent.product_token();
    if let Some(crawler) = names::known(read_by_google)
        .filter(|_| read_by_google != name && !names::is_word(read_by_google))
    {
        let token = crawler.token();
        return finding(
            DiagnosticCode::DigitInProductToken,
            format!(
                "this group is for {token} too, because many crawlers read only `{read_by_google}` of `{name}`: by RFC 9309 a name has neither digits nor dots; write `{token}` if you mean it"
            ),
        );
    }
    let value = String::from_utf8_lossy(agent.value());
    if let Some(crawler) = names::probably_meant(agent.value()) {
        let token = crawler.token();
        // A list of all spellings that somebody has seen does no harm.
        return (!is_named(crawler)).then_some(()).and_then(|()| {
            finding(
                DiagnosticCode::MisspelledCrawler,
                format!("{token} does not read this group, because `{value}` is not its name; write `{token}` if you mean it"),
            )
        });
    }
    let of_operator = names::of_operator(&value);
    let (first, others) = of_operator.split_first()?;
    if of_operator.iter().any(|crawler| is_named(crawler)) {
        return None;
    }
    let more = match others {
        [] => String::new(),
        [second] => format!(" and `{}`", second.token()),
        [second, ..] => format!(
            ", `{}` and {} more",
            second.token(),
            others.len().saturating_sub(1)
        ),
    };
    finding(
        DiagnosticCode::MisspelledCrawler,
        format!(
            "no known crawler reads this group, because `{value}` is the name of a company; write the names of its crawlers that you mean: `{}`{more}",
            first.token()
        ),
    )
}
