//! Finds names that their crawlers no longer use.

use polite_robots_audit::known::{KnownCrawler, find};

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::crawlers::agent_line::AgentLine;
use crate::crawlers::wrong_names::REMOVAL;
use crate::diagnostic::Diagnostic;

/// A finding about a name that its crawler no longer uses, unless the file has the new name too.
pub(super) fn retired_name(line: AgentLine<'_, '_>, crawler: &KnownCrawler) -> Option<Diagnostic> {
    let successor = crawler.retired()?.successor();
    let token = crawler.token();
    let finding = |advice: Advice| line.finding(DiagnosticCode::RetiredCrawler, advice);
    let Some(name) = successor else {
        let message =
            format!("no crawler is known to use the name `{token}` any longer; {REMOVAL}");
        return Some(finding(Advice::new(message).propose_all(line.removal())));
    };
    let message = match find(name) {
        Some(successor) if line.file.names(successor.token()) => return None,
        Some(successor) if successor.falls_back_to().contains(&token) => {
            match other_old_name(line, successor) {
                Some(obeyed) => format!(
                    "{name} obeys the group for `{obeyed}` and not this one: `{token}` is a name that is no longer used too; write `{name}` too if you mean it"
                ),
                None => {
                    let operator = successor.operator().unwrap_or("its operator");
                    format!(
                        "`{token}` is a name that is no longer used, but {operator} says that {name} still obeys this group where no group names {name}; write `{name}` too"
                    )
                }
            }
        }
        // Another old name in the group is one that its operator says it obeys.
        Some(successor) if line.gives_rules_to(successor) => return None,
        // No page says that the successor passes over the group, so the message claims no more than
        // is known.
        _ => format!(
            "{name} is not known to read this group: `{token}` is a name that is no longer used; write `{name}` too if you mean it"
        ),
    };
    Some(finding(Advice::new(message).propose(line.beside(name))))
}

/// The other old name of a crawler whose groups it obeys, as it obeys those of one alone.
fn other_old_name(line: AgentLine<'_, '_>, crawler: &KnownCrawler) -> Option<&'static str> {
    let mut old_names = crawler.falls_back_to().iter().copied();
    let obeyed = old_names.find(|token| line.file.names(token))?;
    (!line.group.names(obeyed)).then_some(obeyed)
}
