//! Uses of content that a `User-agent` line may name in place of a crawler.
//!
//! ```
//! use polite_robots::record::PolicyToken;
//! use polite_robots_audit::policy::use_of;
//!
//! let token = PolicyToken::find("__usage_ai-training");
//! assert_eq!(token.map(use_of), Some("AI training"));
//! ```

use polite_robots::record::PolicyToken;
use polite_robots::{Access, AgentMatch, InvalidToken, Options, Robot, RobotsTxt};
use polite_robots_records::UsageCategory;

/// The use in words: `AI training`. A token without a category has no other name than its own.
#[must_use]
pub fn use_of(token: PolicyToken) -> &'static str {
    match token {
        PolicyToken::AiTraining => "AI training",
        token => token.as_str(),
    }
}

/// The category of preferences that a token names.
#[must_use]
pub fn category(token: PolicyToken) -> Option<UsageCategory> {
    let mut categories = UsageCategory::ALL.iter().copied();
    categories.find(|category| category.policy_token() == Some(token))
}

/// The key by which an edit states that a use is wanted or not: `training`.
pub(crate) fn key_of(token: PolicyToken) -> &'static str {
    match token {
        PolicyToken::AiTraining => "training",
        token => token.as_str(),
    }
}

/// Whether a name is the name of a use, and so of no crawler.
pub(crate) fn is_use(agent: &str) -> bool {
    PolicyToken::find(agent).is_some()
}

/// The robot that shows the rules of an agent, or of a use, for which no rule of `*` counts.
pub(crate) fn robot_of(robots_txt: &RobotsTxt, agent: &str) -> Result<Robot, InvalidToken> {
    let robot = robots_txt.robot(agent)?;
    if is_use(agent) && robot.agent_match() != AgentMatch::Named {
        return Robot::with_options(agent, b"", &Options::new(robots_txt.dialect()));
    }
    Ok(robot)
}

/// The rules about uses, as they would be written. They are statements to every crawler.
pub(crate) fn rules_about_uses<'r>(
    robots_txt: &'r RobotsTxt,
) -> impl Iterator<Item = (PolicyToken, Access, &'r [u8])> {
    let groups = robots_txt.merged_groups();
    let uses = groups.filter_map(|group| Some((PolicyToken::find(group.product_token())?, group)));
    uses.flat_map(|(token, group)| {
        let rules: Vec<(Access, &'r [u8])> = group
            .rules()
            .map(|rule| (rule.access(), rule.value()))
            .collect();
        rules
            .into_iter()
            .map(move |(access, value)| (token, access, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_called_as_its_preference_is() {
        for token in PolicyToken::ALL {
            let category = category(*token).map(|category| category.to_string());
            assert_eq!(category.as_deref(), Some(use_of(*token)));
        }
    }
}
