//! Paths with a remark after them that is not a comment, because it has no `#`.

use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::{Findings, Reported};
use crate::lines::path_without_slash::LONGEST_ADVICE;
use crate::lines::plain_path::escaped;
use crate::proposal::{Effect, Proposal};
use crate::text::part::Part;
use crate::text::whole_site::is_whole_site;

impl Findings<'_, '_> {
    /// Reports a remark after the path, and returns whether there is one.
    pub(super) fn remark(&mut self, value: Part<'_>) -> Option<Reported> {
        let text = core::str::from_utf8(value.bytes).ok();
        let (path, remark) = text.and_then(remark)?;
        self.report(DiagnosticCode::BlankInPath, value, || {
            let written = match remark {
                "" => path.to_owned(),
                remark => format!("{path} # {remark}"),
            };
            // A title may have a word in brackets: `/wiki/Plum (fruit)`.
            let may_be_path = remark.starts_with('(') && !path.ends_with(['/', '*', '$']);
            let whole = Some(value.bytes).filter(|_| may_be_path).and_then(escaped);
            let whole = whole.filter(|whole| whole.len() <= LONGEST_ADVICE);
            let end = match &whole {
                Some(whole) => format!(", or `{whole}` if it is one path"),
                None if is_whole_site(path.as_bytes()) => " if the whole site is meant".into(),
                None => format!(", which leaves the rule {}", quote(path.as_bytes())),
            };
            let message = format!(
                "{} is read as one path, so it matches nothing for Google; a comment begins with `#`: write {}{end}",
                quote(value.bytes),
                quote(written.as_bytes())
            );
            let whole = whole.map(|whole| Proposal::replace(value.span(), whole, Effect::Google));
            Advice::new(message)
                .write(value.span(), written)
                .propose_all(whole)
        })
    }
}

/// The path and the text of a remark as other languages have them: `/a/ // text`, `/a/ -- text`,
/// `/a/ ; text`, `/a/ (text)`, `/a/ /* text */`.
fn remark(value: &str) -> Option<(&str, &str)> {
    let (path, rest) = value.split_at_checked(value.find([' ', '\t'])?)?;
    let rest = rest.trim();
    if rest.starts_with('(') {
        return rest.ends_with(')').then_some((path, rest));
    }
    if let Some(text) = rest.strip_prefix("/*") {
        let text = text.strip_suffix("*/")?;
        return Some((path, text.trim()));
    }
    let after = SIGNS.iter().find_map(|sign| rest.strip_prefix(sign))?;
    let text = after.trim_start_matches(['-', '/', ';']).trim_start();
    // `/a/ //b/` and `/a ; /b` are two paths.
    let has_blank =
        after.starts_with([' ', '\t']) && !(rest.starts_with(';') && text.starts_with('/'));
    (text.is_empty() || has_blank || !after.contains('/')).then_some((path, text))
}

const SIGNS: [&str; 5] = ["//", "--", ";", "\u{2013}", "\u{2014}"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_told_from_paths() {
        for (value, found) in [
            ("/a/ // the admin", Some(("/a/", "the admin"))),
            ("/a/ //admin", Some(("/a/", "admin"))),
            ("/a/\t--- admin", Some(("/a/", "admin"))),
            ("/a/ ; admin", Some(("/a/", "admin"))),
            ("/a/ (no robots)", Some(("/a/", "(no robots)"))),
            ("/a/ /* admin */", Some(("/a/", "admin"))),
            ("/a/ \u{2014} admin", Some(("/a/", "admin"))),
            ("/ //", Some(("/", ""))),
            ("/a/ // /b/", Some(("/a/", "/b/"))),
            ("/a/ //b/", None),
            ("/a ; /b", None),
            ("/a /*", None),
            ("/a (1).html", None),
            ("/a - b", None),
            ("/a b -- c", None),
            ("/a//b", None),
        ] {
            assert_eq!(remark(value), found, "{value}");
        }
    }
}
