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
    /// Whether the line itself states the rule. Google reads `Allow: /d/index.html` as
    /// `Allow: /d/$` too.
    pub(super) is_written: bool,
    /// Whether the pattern has `%2F`, `%3F`, `%26` or `%3D` after a `*` and before any `?`. The
    /// escape means one byte in the path and another one in the query, and the `*` may or may not
    /// run into the query.
    pub(super) depends_on_query: bool,
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
            depends_on_query: dialect == Dialect::Rfc9309 && depends_on_query(pattern.as_bytes()),
            is_written: true,
            pattern,
            access,
            line,
        });
        rules.extend(directory.map(|pattern| CompiledRule {
            pattern: Cow::Owned(pattern),
            access,
            line,
            is_written: false,
            depends_on_query: false,
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

fn depends_on_query(pattern: &[u8]) -> bool {
    let end = memchr::memchr(b'?', pattern).unwrap_or(pattern.len());
    let star = memchr::memchr(b'*', pattern).unwrap_or(end);
    let between = pattern.get(star..end).unwrap_or_default();
    let mut escapes = between.windows(3);
    escapes.any(|escape| matches!(escape, b"%2F" | b"%26" | b"%3F" | b"%3D"))
}

/// The pattern `/d/$` for a page such as `/d/index.html`.
fn directory_of_index(page: &str) -> Option<String> {
    let (directory, page) = page.rsplit_once('/')?;
    page.starts_with("index.htm")
        .then(|| format!("{directory}/$"))
}
