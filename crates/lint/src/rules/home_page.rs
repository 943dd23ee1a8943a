//! Finds `Disallow: /$`, which closes the home page and nothing else.

use polite_robots::document::{Group, RuleRecord, UserAgent};
use polite_robots::{Access, Robot};

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::proposal::Effect;
use crate::rule_text::{RuleText, without_rules};
use crate::rules::openings::{PAGE, in_other_dialect, robots_of_group};
use crate::sentence;
use crate::text::token::use_in;

/// Reports each rule that closes the home page of a site that is open to the agents of its group.
pub(super) fn home_page(file: &FileRules<'_>, findings: &mut Vec<Diagnostic>) {
    let robots_txt = file.robots_txt;
    let groups = file.groups();
    let rules = groups.filter_map(|(group, rules)| {
        let closing = rules.iter().find(|rule| closes_home_page(rule))?;
        Some((group, closing))
    });
    // A page that is not for a use is found all the same.
    let has_agent = |(group, _): &(Group<'_>, &RuleRecord<'_>)| {
        group
            .user_agents()
            .any(|agent| use_in(agent.value()).is_none())
    };
    let mut rules = rules.filter(has_agent).take(MOST_GROUPS).peekable();
    if rules.peek().is_none() {
        return;
    }
    let google = in_other_dialect(robots_txt);
    findings.extend(rules.filter_map(|(group, rule)| {
        let robots = robots_of_group(group, [robots_txt, &google]);
        let is_closed = |robot: &Robot| !robot.allowed("/") && robot.allowed(PAGE);
        let is_hit = !robots.is_empty() && robots.iter().all(is_closed);
        is_hit.then(|| finding(group, rule, file))
    }));
}

fn closes_home_page(rule: &RuleRecord<'_>) -> bool {
    rule.access() == Access::Disallow && rule.value() == b"/$"
}

fn finding(group: Group<'_>, rule: &RuleRecord<'_>, file: &FileRules<'_>) -> Diagnostic {
    let agents = group
        .user_agents()
        .map(|agent: UserAgent<'_>| agent.value());
    let agents = agents.filter(|agent| use_in(agent).is_none());
    let agents: Vec<&[u8]> = agents.take(sentence::MOST_COUNTED + 1).collect();
    let message = format!(
        "this line closes the home page alone to {}, because `$` is the end of a path; write `Disallow: /` if you mean the whole site, and remove the line if the home page should be found",
        sentence::agents(&agents)
    );
    let code = DiagnosticCode::HomePageDisallowed;
    let text = RuleText::of(file.bytes(), rule).text;
    let same = file
        .of_group(group)
        .iter()
        .filter(|rule| closes_home_page(rule));
    let same: Vec<RuleText> = same.map(|rule| RuleText::of(file.bytes(), rule)).collect();
    let open = without_rules(file.bytes(), &same, Effect::Answers);
    let advice = Advice::new(message).write(text, "Disallow: /");
    Diagnostic::on(rule, code, advice.propose_all(open))
}

/// Groups whose rules are looked at together, each in the time of a pass over the file.
const MOST_GROUPS: usize = 8;
