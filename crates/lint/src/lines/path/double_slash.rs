//! Paths that begin with two slashes.

use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::{Findings, Reported};
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports slashes before the first name of a path.
    pub(in crate::lines) fn double_slash(&mut self, value: Part<'_>) -> Option<Reported> {
        let path = after_slashes(value.bytes)?;
        self.report(DiagnosticCode::DoubleSlashInPath, value, || {
            let slashes = value.bytes.len().saturating_sub(path.len());
            let message = format!(
                "{} matches only URLs whose path begins with {}, and none of {path} does; write {path}",
                quote(value.bytes),
                quote(value.head(slashes.saturating_add(1)).bytes),
                path = quote(path)
            );
            Advice::new(message).write_if(value.span(), core::str::from_utf8(path).ok())
        })
    }
}

/// The path from its last leading slash on, if that is one with a plain name. Files close `//` and
/// `//index.php` on purpose, as broken links lead there.
fn after_slashes(value: &[u8]) -> Option<&[u8]> {
    let slashes = value.iter().take_while(|byte| **byte == b'/').count();
    let path = value.get(slashes.checked_sub(1)?..)?;
    let name = path.get(1..)?;
    let end = name
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b'*' | b'$'));
    let name = name.get(..end.unwrap_or(name.len()))?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'%');
    let is_name = !name.is_empty() && name.iter().all(is_plain);
    (slashes > 1 && is_name).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_follows_the_slashes() {
        for (value, path) in [
            ("//a/", Some("/a/")),
            ("///a", Some("/a")),
            ("//cart?x", Some("/cart?x")),
            ("//wp-admin/*.php$", Some("/wp-admin/*.php$")),
            ("/a//b", None),
            ("//", None),
            ("//*", None),
            ("//?", None),
            ("//index.php", None),
            ("//;jsessionid", None),
        ] {
            let found = after_slashes(value.as_bytes());
            assert_eq!(found, path.map(str::as_bytes), "{value}");
        }
    }
}
