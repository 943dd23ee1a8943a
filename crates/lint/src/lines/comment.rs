//! Diagnostics about a `#` that begins a comment in the midst of a path.

use polite_robots::Access;
use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::Findings;
use crate::proposal::{Effect, Proposal};
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports a `#` that directly follows the path of a rule, with more text after it.
    pub(super) fn comment_in_path(&mut self, rule: Access, path: Part<'_>) {
        let Some(cut) = cut_off(self.line.part, path) else {
            return;
        };
        let written = self.file.head(cut.end()).tail(path.start);
        let line = self.line.part.trim();
        let is_whole_site = matches!(path.bytes, b"/" | b"*" | b"/*");
        // Other lines may decide in its place, so the sentence is about the line alone.
        let (severity, effect) = match rule {
            Access::Allow if is_whole_site => {
                (Severity::Error, "this line is an `Allow` of the whole site")
            }
            _ if is_whole_site => (
                Severity::Error,
                "this line is a `Disallow` of the whole site",
            ),
            _ => (Severity::Warning, "this rule is shorter than it looks"),
        };
        self.grade(DiagnosticCode::CommentInPath, severity, cut, || {
            let left = quote(path.bytes);
            let meant = match is_whole_site {
                true => "the whole site is meant",
                false => "that is the path",
            };
            let message = format!(
                "{effect}, because the `#` in {} starts a comment and leaves {left}, as crawlers never send the part of a URL from `#` on; write {left} if {meant}, which changes no answer, or an empty `{rule}:` if not",
                quote(written.bytes),
            );
            let path = core::str::from_utf8(path.bytes).ok();
            let alone = path.map(|path| Proposal::replace(written.span(), path, Effect::Nothing));
            let empty = format!("{rule}:");
            let empty = Proposal::write(line.start..cut.end(), empty);
            Advice::new(message).propose_all(alone).propose(empty)
        });
    }
}

/// The text from the `#` on. `None` for a comment of several words, or with a blank after the `#`,
/// which was meant as one: `/tmp/# temporary`, `/tmp/#only temporary`.
fn cut_off<'a>(line: Part<'a>, path: Part<'a>) -> Option<Part<'a>> {
    let rest = line.tail(path.end().saturating_sub(line.start)).trim();
    let is_glued = rest.start == path.end() && !path.bytes.is_empty();
    let is_one_word = !rest.bytes.iter().any(u8::is_ascii_whitespace);
    (is_glued && is_one_word && rest.bytes.starts_with(b"#")).then_some(rest)
}
