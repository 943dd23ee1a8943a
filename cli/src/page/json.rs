//! The document of `--json`. Names and order of the fields are part of the command's contract.

use polite_robots_page::PageStatement;

use crate::json::{Fields, Object, object};
use crate::page::effects::AgentPage;
use crate::page::verdict::Gate;
use crate::verdict_fields::verdict_fields;

/// One agent. The uses of a page that was not read are unknown.
pub(super) fn agent_fields<'a>(
    agent: &'a str,
    read: Option<&'a AgentPage<'a>>,
    gate: Option<&'a Gate<'a>>,
) -> Object<impl Fields> {
    let effects = read.into_iter().flat_map(AgentPage::effects);
    let effects = effects.map(|effect| {
        object! {
            "name": effect.name,
            "value": effect.value,
            "decided_by": effect.decided_by.as_ref().map(statement_fields),
        }
    });
    let preferences = read.into_iter().flat_map(AgentPage::preferences);
    let preferences = preferences.map(|(name, _, preference, evidence)| {
        object! {
            "name": name,
            "value": preference.as_str(),
            "decided_by": evidence,
        }
    });
    let controls = read.into_iter().map(AgentPage::controls);
    let licenses = controls.clone().flat_map(|controls| controls.licenses());
    let statements = controls.flat_map(|controls| controls.statements());
    let statements = statements.filter(|statement| statement.recipient().includes_agent());
    object! {
        "agent": agent,
        "effects": effects.collect::<Vec<_>>(),
        "preferences": preferences.collect::<Vec<_>>(),
        "licenses": licenses.map(|license| license.target()).collect::<Vec<_>>(),
        // All rules for the agent, those without an effect too.
        "statements": statements.map(|statement| statement_fields(&statement)).collect::<Vec<_>>(),
        "robots_txt": gate.map(|gate| object! {
            ..verdict_fields(&gate.verdict()),
            // `null` if the page was not read.
            "hides_a_rule": read.map(|page| gate.hides_a_rule(page)),
            "sentence": match read {
                Some(page) => gate.sentence(page),
                None => gate.sentence_alone(agent),
            },
        }),
    }
}

fn statement_fields(statement: &PageStatement<'_>) -> Object<impl Fields + use<>> {
    object! {
        "rule": String::from_utf8_lossy(statement.text()).into_owned(),
        "source": statement.source().as_str(),
        "for": statement.recipient().to_string(),
        // The rules that a rule without an effect was probably meant to be.
        "probably_meant"?: statement.probably_meant(),
    }
}
