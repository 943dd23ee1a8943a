//! The explanation of one verdict.

use polite_robots::{Dialect, RobotsTxt};
use polite_robots_audit::explanation::{Explainer, Explanation, Role};
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase", untagged)]
pub(crate) enum Explained {
    #[serde(rename_all = "camelCase")]
    Verdict {
        is_allowed: bool,
        sentence: String,
        why: String,
        marks: Vec<MarkOfLine>,
        group: Option<String>,
        other_matches: Option<String>,
        other_dialect: Option<String>,
        operator: Option<String>,
        path: String,
    },
    Error {
        error: String,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MarkOfLine {
    line: u32,
    is_deciding: bool,
    is_overruled: bool,
    label: String,
}

impl Explained {
    pub(crate) fn new(
        robots_txt: &RobotsTxt,
        agent: &str,
        url: &str,
        dialect: Dialect,
    ) -> Explained {
        match Explainer::new(robots_txt, agent, dialect) {
            Ok(explainer) => Explained::of(&explainer.explain(url)),
            Err(error) => Explained::Error {
                error: error.to_string(),
            },
        }
    }

    fn of(explanation: &Explanation<'_>) -> Explained {
        let verdict = explanation.verdict();
        let overruled = verdict.overruled().map(|rule| rule.line());
        let marks = explanation.marks().iter().map(|mark| MarkOfLine {
            line: mark.line,
            is_deciding: mark.role == Role::Deciding,
            is_overruled: mark.role == Role::Context && Some(mark.line) == overruled,
            label: mark.label.clone(),
        });
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Explained::Verdict {
            is_allowed: verdict.is_allowed(),
            sentence: verdict.to_string(),
            why: explanation.why().to_owned(),
            marks: marks.collect(),
            group: owned(explanation.group()),
            other_matches: owned(explanation.other_matches()),
            other_dialect: owned(explanation.other_dialect()),
            operator: owned(explanation.operator()),
            path: explanation.path().to_owned(),
        }
    }
}
