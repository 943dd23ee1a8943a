//! A document and a verdict as HTML, for notebooks.

use polite_robots::RobotsTxt;
use polite_robots_audit::printable::printable;

/// The file with line numbers, and one line marked.
pub(crate) fn document(robots_txt: &RobotsTxt, marked: Option<u32>) -> String {
    let mut rows = String::new();
    for line in robots_txt.lines().take(MOST_LINES) {
        let text = escape(&printable(&String::from_utf8_lossy(line.as_bytes())));
        let number = line.number();
        let text = if marked == Some(number) {
            format!("<mark>{text}</mark>")
        } else {
            text
        };
        rows.push_str(&format!(
            "<span style=\"opacity:.5\">{number:>5} </span>{text}\n"
        ));
    }
    if robots_txt.lines().nth(MOST_LINES).is_some() {
        rows.push_str("    …\n");
    }
    format!("<pre class=\"polite-robots\" style=\"max-height:30em;overflow:auto\">{rows}</pre>")
}

/// The sentence, with the document below it if it is at hand.
pub(crate) fn verdict(
    sentence: &str,
    is_allowed: bool,
    line: Option<u32>,
    robots_txt: Option<&RobotsTxt>,
) -> String {
    let color = if is_allowed { "green" } else { "crimson" };
    let file = robots_txt.map(|robots_txt| document(robots_txt, line));
    format!(
        "<div><b style=\"color:{color}\">●</b> {}</div>{}",
        escape(sentence),
        file.unwrap_or_default()
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The most lines that a browser shows with ease.
const MOST_LINES: usize = 5000;
