//! Finds agents that no known crawler is called: near names, names of companies and of products,
//! and names that Google cuts.

use polite_robots::RobotsTxt;
use polite_robots_audit::known::{self, find, product};

use crate::crawlers::agent_line::{AgentGroup, AgentLine, File};
use crate::crawlers::retired_names::retired_name;
use crate::crawlers::wrong_names::{name_of_product, wrong_name};
use crate::diagnostic::Diagnostic;

/// Adds the findings about the `User-agent` lines of a file.
pub(super) fn agent_names(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    let file = &File::new(robots_txt);
    for group in robots_txt.groups() {
        let in_group = AgentGroup::new(group);
        for agent in group.user_agents() {
            let group = &in_group;
            findings.extend(about(AgentLine { file, group, agent }));
        }
    }
}

fn about(line: AgentLine<'_, '_>) -> Option<Diagnostic> {
    if let Some(product) = product(line.agent.value()) {
        return name_of_product(line, product);
    }
    let token = line.token();
    match find(token).filter(|crawler| !crawler.is_company()) {
        // The old name of a crawler can be a second name too, and is reported all the same.
        Some(crawler) => retired_name(line, crawler),
        None if token.is_empty() || known::is_second_token(token) => None,
        None => wrong_name(line),
    }
}
