//! The explanation of one verdict.

use polite_robots::RobotsTxt;
use polite_robots_audit::explanation::{Explainer, Explanation, Role};
use serde::Serialize;

use crate::json::json;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Explained<'a> {
    is_allowed: bool,
    why: &'a str,
    marks: Vec<MarkOfLine<'a>>,
    group: Option<&'a str>,
    other_matches: Option<&'a str>,
    other_dialect: Option<&'a str>,
    operator: Option<&'a str>,
    path: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MarkOfLine<'a> {
    line: u32,
    is_deciding: bool,
    is_overruled: bool,
    label: &'a str,
    /// The rule as it is compared, where the line writes it in another way.
    compared: Option<&'a str>,
}

#[derive(Serialize)]
struct Error {
    error: String,
}

pub(crate) fn explained(robots_txt: &RobotsTxt, agent: &str, url: &str) -> String {
    match Explainer::new(robots_txt, agent, robots_txt.dialect()) {
        Ok(explainer) => json(&Explained::new(robots_txt, &explainer.explain(url))),
        Err(error) => json(&Error {
            error: error.to_string(),
        }),
    }
}

impl<'a> Explained<'a> {
    fn new(robots_txt: &RobotsTxt, explanation: &'a Explanation<'a>) -> Explained<'a> {
        let verdict = explanation.verdict();
        let compared = |line: u32| {
            let mut rules = [verdict.rule(), verdict.overruled()].into_iter().flatten();
            let pattern = rules.find(|rule| rule.line() == line)?.pattern();
            let written = robots_txt.lines().find(|other| other.number() == line)?;
            (written.value()? != pattern.as_bytes()).then_some(pattern)
        };
        let overruled = verdict.overruled().map(|rule| rule.line());
        let marks = explanation.marks().iter().map(|mark| MarkOfLine {
            line: mark.line,
            is_deciding: mark.role == Role::Deciding,
            is_overruled: mark.role == Role::Context && Some(mark.line) == overruled,
            label: &mark.label,
            compared: compared(mark.line),
        });
        Explained {
            is_allowed: verdict.is_allowed(),
            why: explanation.why(),
            marks: marks.collect(),
            group: explanation.group(),
            other_matches: explanation.other_matches(),
            other_dialect: explanation.other_dialect(),
            operator: explanation.operator(),
            path: explanation.path(),
        }
    }
}
