//! `--explain`: the deciding line in its place, and the reasons for it.

mod source;

use std::io::{self, Write};

use annotate_snippets::{Group, Level, Renderer};
use polite_robots::RobotsTxt;
use polite_robots_audit::explanation::{Explainer, Explanation};
use polite_robots_audit::printable::shortened;

use crate::check::explain::source::Source;
use crate::check::questions::Asked;
use crate::input::Input;
use crate::terminal::{ALLOWED, DISALLOWED, printable};

pub(super) fn write(
    out: &mut dyn Write,
    file: &Input,
    robots_txt: &RobotsTxt,
    asked: &[Asked<'_>],
) -> io::Result<()> {
    let source = Source::new(file, robots_txt);
    let mut separator = "";
    for asked in asked {
        let explainer = Explainer::new(&asked.answers);
        for url in asked.urls {
            let rendered = render(url, asked.agent(), &source, &explainer.explain(url));
            writeln!(out, "{separator}{rendered}")?;
            separator = "\n";
        }
    }
    Ok(())
}

fn render(url: &str, agent: &str, source: &Source, explanation: &Explanation<'_>) -> String {
    let (level, style) = if explanation.verdict().is_allowed() {
        (Level::NOTE.with_name("allowed"), ALLOWED)
    } else {
        (Level::ERROR.with_name("disallowed"), DISALLOWED)
    };
    let title = format!("{} for {agent}", shortened(&printable(url)));
    let mut report = Group::with_title(level.primary_title(title));
    if let Some(snippet) = source.snippet(explanation.marks()) {
        report = report.element(snippet);
    }
    let path = format!(
        "`{}` is compared",
        shortened(&printable(explanation.path()))
    );
    let answer = explanation.answer();
    let notes = [
        ("path", Some(path.as_str())),
        ("why", Some(explanation.why())),
        ("group", explanation.group()),
        ("also", explanation.other_matches()),
        ("operator", answer.operator()),
        ("request", answer.other_path()),
        ("dialect", answer.other_dialect()),
    ];
    for (name, note) in notes {
        if let Some(note) = note {
            report = report.element(Level::INFO.with_name(name).message(note));
        }
    }
    let renderer = Renderer::styled().term_width(WIDTH);
    let renderer = renderer.note(style.bold()).error(style.bold());
    renderer.render(&[report])
}

/// The width in columns. Notes do not wrap; only longer lines are cut around their mark.
const WIDTH: usize = 240;
