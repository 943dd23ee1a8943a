//! Paths with a blank in them, where no URL has one.

use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::{Findings, Reported};
use crate::lines::path::start_alone::start_alone;
use crate::lines::path_without_slash::LONGEST_ADVICE;
use crate::lines::plain_path::escaped;
use crate::text::part::Part;
use crate::text::whole_site::is_whole_site;

impl Findings<'_, '_> {
    /// Reports a blank in a path, and returns whether there is one.
    pub(super) fn blank(&mut self, value: Part<'_>) -> Option<Reported> {
        value.bytes.iter().find(|byte| byte.is_ascii_whitespace())?;
        self.report(DiagnosticCode::BlankInPath, value, || {
            let quoted = quote(value.bytes);
            let start = format!("{quoted} holds a blank, so it matches nothing for Google");
            advice(value).after(start)
        })
    }
}

fn advice(value: Part<'_>) -> Advice {
    let mut words = value.bytes.split(u8::is_ascii_whitespace);
    let first = words.next().unwrap_or_default();
    if words.all(|word| word.is_empty() || is_whole_site(word)) && is_whole_site(first) {
        return start_alone(value, first);
    }
    // `%20` would make the mistake permanent where the line holds several paths.
    let has_other = value.bytes.windows(2).any(|pair| pair == b" /");
    let Some(fixed) = Some(value.bytes).filter(|_| !has_other).and_then(escaped) else {
        return "a rule holds one path, and the blank of a URL is `%20`".into();
    };
    // A tab is hardly a part of a path.
    let is_shown = fixed.len() <= LONGEST_ADVICE && !value.bytes.contains(&b'\t');
    let joined = fixed.replacen("%20", "", 1);
    let is_start = value.bytes.starts_with(b"/ ") && !is_whole_site(joined.as_bytes());
    let fix = match (is_shown, is_start) {
        (true, true) => format!("write `{fixed}` if the path has this blank, or `{joined}` if not"),
        (true, false) => {
            format!("write `{fixed}` if it is one path, and Google follows the rule too")
        }
        (false, _) => "the blank of a URL is `%20`".into(),
    };
    let other = Some(joined).filter(|_| is_shown && is_start);
    let advice = Advice::new(fix).suggest(value.span(), fixed);
    advice.write_if(value.span(), other)
}
