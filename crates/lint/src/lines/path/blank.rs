//! Paths with a blank in them, where no URL has one.

use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::Findings;
use crate::lines::path::start_alone::start_alone;
use crate::lines::path_without_slash::LONGEST_ADVICE;
use crate::lines::plain_path::escaped;
use crate::proposal::{Effect, Proposal};
use crate::text::part::Part;
use crate::text::whole_site::is_whole_site;

impl Findings<'_, '_> {
    /// Reports a blank in a path, and returns whether there is one.
    pub(super) fn blank(&mut self, value: Part<'_>) -> bool {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        if !value.bytes.iter().any(is_blank) {
            return false;
        }
        let message = || {
            let (fix, proposals) = advice(value);
            let message = format!(
                "{} holds a blank, so it matches nothing for Google; {fix}",
                quote(value.bytes)
            );
            let advice = Advice::new(message);
            proposals.into_iter().fold(advice, Advice::propose)
        };
        self.report(DiagnosticCode::BlankInPath, value, message);
        true
    }
}

fn advice(value: Part<'_>) -> (String, Vec<Proposal>) {
    let mut words = value.bytes.split(u8::is_ascii_whitespace);
    let first = words.next().unwrap_or_default();
    if words.all(|word| word.is_empty() || is_whole_site(word)) && is_whole_site(first) {
        let (fix, proposal) = start_alone(value, first);
        return (fix, vec![proposal]);
    }
    // `%20` would make the mistake permanent where the line holds several paths.
    let has_other = value.bytes.windows(2).any(|pair| pair == b" /");
    let Some(fixed) = Some(value.bytes).filter(|_| !has_other).and_then(escaped) else {
        let fix = "a rule holds one path, and the blank of a URL is `%20`";
        return (fix.into(), Vec::new());
    };
    // A tab is hardly a part of a path.
    let is_shown = fixed.len() <= LONGEST_ADVICE && !value.bytes.contains(&b'\t');
    let joined = fixed.replacen("%20", "", 1);
    let is_start = value.bytes.starts_with(b"/ ") && !is_whole_site(joined.as_bytes());
    let proposal = Proposal::replace(value.span(), fixed.clone(), Effect::Google);
    match (is_shown, is_start) {
        (true, true) => {
            let fix = format!("write `{fixed}` if the path has this blank, or `{joined}` if not");
            let other = Proposal::replace(value.span(), joined, Effect::Answers);
            (fix, vec![proposal, other])
        }
        (true, false) => {
            let fix = format!("write `{fixed}` if it is one path, and Google follows the rule too");
            (fix, vec![proposal])
        }
        (false, _) => ("the blank of a URL is `%20`".into(), vec![proposal]),
    }
}
