//! The explanation of one verdict.

use polite_robots::{AgentMatch, Dialect, RobotsTxt};
use polite_robots_audit::answer::{Answers, Reading, Readings};
use polite_robots_audit::explanation::{Explainer, Explanation, Role};
use serde::Serialize;

use crate::json::json;
use crate::reading::use_named;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Explained<'a> {
    is_allowed: bool,
    is_google: bool,
    /// The use that the agent's name stands for, where it is no crawler.
    use_name: Option<&'static str>,
    /// Whether a group names the agent, without which the file says nothing about a use.
    is_named: bool,
    why: &'a str,
    marks: Vec<MarkOfLine<'a>>,
    group: Option<&'a str>,
    other_matches: Option<&'a str>,
    /// Every reading that gives another answer.
    note: Option<String>,
    /// The operator's statement about groups, where it changes nothing for this URL.
    statement: Option<String>,
    remarks: Vec<String>,
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

pub(crate) fn explained(readings: &Readings, agent: &str, url: &str, reading: Reading) -> String {
    match readings.answers(agent, reading) {
        Ok(answers) => {
            let robots_txt = readings.in_dialect(answers.dialect());
            let explainer = Explainer::new(&answers);
            json(&Explained::new(
                robots_txt,
                &answers,
                &explainer.explain(url),
            ))
        }
        Err(error) => json(&Error {
            error: error.to_string(),
        }),
    }
}

impl<'a> Explained<'a> {
    fn new(
        robots_txt: &RobotsTxt,
        answers: &Answers<'_>,
        explanation: &'a Explanation<'a>,
    ) -> Explained<'a> {
        let (verdict, answer) = (explanation.verdict(), explanation.answer());
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
            is_google: answer.dialect() == Dialect::Google,
            use_name: use_named(answers.agent()),
            is_named: verdict.agent_match() == AgentMatch::Named,
            why: explanation.why(),
            marks: marks.collect(),
            group: explanation.group(),
            other_matches: explanation.other_matches(),
            note: answer.note(),
            statement: answers.statement().filter(|_| answer.operator().is_none()),
            remarks: answers.remarks().collect(),
            path: explanation.path(),
        }
    }
}
