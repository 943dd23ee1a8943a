//! [`CompiledRule`]: a rule of a merged group in compared form, with its precedence.

use std::borrow::Cow;
use std::cmp::Reverse;

use polite_robots::document::RuleRecord;
use polite_robots::{Access, Dialect};

/// A rule as its dialect compares it.
#[derive(Debug)]
pub(super) struct CompiledRule<'r> {
    /// ASCII; begins with `/` or `*`.
    pattern: Cow<'r, str>,
    pub(super) access: Access,
    pub(super) line: u32,
    pub(super) origin: Origin,
    pub(super) escapes: Escapes,
}

/// The source of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The line of the file, as it is written.
    File,
    /// Google reads `Allow: /d/index.html` as `Allow: /d/$` too.
    DirectoryOfIndex,
}

/// Whether the escapes of a pattern have one meaning each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    Settled,
    /// The pattern has `%2F`, `%3F`, `%26` or `%3D` after a `*` and before any `?`. The escape
    /// means one byte in the path and another one in the query, and the `*` may or may not run into
    /// the query.
    QueryDependent,
}

/// The order of RFC 9309 §2.2.2: most bytes, then `Allow`, then the first line of the file. The
/// matching rule with the greatest precedence decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Precedence {
    len: usize,
    is_allow: bool,
    line: Reverse<u32>,
}

impl<'r> CompiledRule<'r> {
    /// Adds a rule to those of its group; a rule that matches nothing is left out.
    pub(super) fn push(rules: &mut Vec<CompiledRule<'r>>, rule: RuleRecord<'r>, dialect: Dialect) {
        let Some(pattern) = rule.pattern(dialect) else {
            return;
        };
        let (access, line) = (rule.access(), rule.line());
        let directory = match (dialect, access) {
            (Dialect::Google, Access::Allow) => directory_of_index(&pattern),
            _ => None,
        };
        rules.push(CompiledRule {
            escapes: match dialect {
                Dialect::Rfc9309 => Escapes::of(pattern.as_bytes()),
                Dialect::Google => Escapes::Settled,
            },
            origin: Origin::File,
            pattern,
            access,
            line,
        });
        rules.extend(directory.map(|pattern| CompiledRule {
            pattern: Cow::Owned(pattern),
            access,
            line,
            origin: Origin::DirectoryOfIndex,
            escapes: Escapes::Settled,
        }));
    }

    pub(super) fn pattern(&self) -> &[u8] {
        self.pattern.as_bytes()
    }

    pub(super) fn is_wildcard(&self) -> bool {
        self.pattern().contains(&b'*')
    }

    pub(super) fn precedence(&self) -> Precedence {
        Precedence {
            len: self.pattern.len(),
            is_allow: self.access == Access::Allow,
            line: Reverse(self.line),
        }
    }
}

impl Escapes {
    fn of(pattern: &[u8]) -> Escapes {
        let end = memchr::memchr(b'?', pattern).unwrap_or(pattern.len());
        let star = memchr::memchr(b'*', pattern).unwrap_or(end);
        let between = pattern.get(star..end).unwrap_or_default();
        let is_dependent = |escape: &[u8]| {
            matches!(
                escape,
                [b'%', b'2', b'F' | b'6'] | [b'%', b'3', b'F' | b'D']
            )
        };
        match between.windows(3).any(is_dependent) {
            true => Escapes::QueryDependent,
            false => Escapes::Settled,
        }
    }
}

/// The pattern `/d/$` for a page such as `/d/index.html`.
fn directory_of_index(page: &str) -> Option<String> {
    let (directory, page) = page.rsplit_once('/')?;
    page.starts_with("index.htm")
        .then(|| format!("{directory}/$"))
}
