//! Patterns in compared form, one after the other in one block, and the comparison of each with a
//! path.

use alloc::vec::Vec;

use crate::compared_form::{Escapes, canonical_classes, push_pattern};
use crate::options::Dialect;
use crate::parse::trim::{trim, value_of};
use crate::rules::pattern::{Form, Tier, is_prefix_match};
#[cfg(feature = "regex")]
use crate::rules::regex::Regexes;
use crate::rules::span;
use crate::rules::steps;
use crate::text::byte_class::Classes;

/// The patterns of one dialect: of an agent's rules, or of the records that name a path.
///
/// ```text
/// let mut patterns = Patterns::new(Dialect::Rfc9309);
/// let pattern = patterns.push(b"/*.css$");
/// patterns.finish(pattern.into_iter());
/// assert!(patterns.is_match(pattern.unwrap(), b"/style.css"));
/// ```
#[derive(Debug)]
pub(crate) struct Patterns {
    dialect: Dialect,
    pub(super) text: Vec<u8>,
    #[cfg(feature = "regex")]
    regexes: Regexes,
}

/// The place of one pattern in its [`Patterns`], and how it is compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pattern {
    pub(crate) start: u32,
    pub(crate) len: u32,
    pub(crate) form: Form,
}

impl Patterns {
    pub(crate) fn new(dialect: Dialect) -> Patterns {
        Patterns {
            dialect,
            text: Vec::new(),
            #[cfg(feature = "regex")]
            regexes: Regexes::default(),
        }
    }

    #[inline]
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Makes room for this many more bytes of patterns.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.text.reserve(bytes);
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
    }

    /// Takes the value of a rule, or the path of another record, as it is written: with a comment
    /// and white space.
    ///
    /// ```text
    /// path-pattern  = ( "/" / "*" ) *any         ; the `*` by erratum 7995
    /// empty-pattern = *WS
    /// ```
    ///
    /// `None` for a value that can match nothing: one that starts with neither `/` nor `*`, as
    /// every path starts with `/`. The empty value matches nothing either, but in the Google
    /// dialect it can be the matching line.
    #[inline(always)]
    pub(crate) fn push(&mut self, written: &[u8]) -> Option<Pattern> {
        let start = self.text.len();
        // Nearly every value is in compared form as it stands and has no comment: it is tested and
        // copied.
        let usual = trim(written);
        let is_path = matches!(usual, [b'/' | b'*', ..]);
        let classes = is_path.then(|| canonical_classes(usual)).flatten();
        let (classes, escapes) = if let Some(classes) = classes {
            self.text.extend_from_slice(usual);
            (classes, Escapes::Settled)
        } else {
            let value = value_of(written);
            match (value, self.dialect) {
                ([b'/' | b'*', ..], _) | ([], Dialect::Google) => {}
                _ => return None,
            }
            let escapes = push_pattern(&mut self.text, value, self.dialect);
            let pattern = self.text.get(start..).unwrap_or_default();
            (Classes::of(pattern), escapes)
        };
        let pattern = self.text.get(start..).unwrap_or_default();
        self.pattern_from(start, Form::new(pattern, classes, escapes))
    }

    /// Adds `/d/$` for a pattern such as `/d/index.html`, as Google reads the rule `Allow:
    /// /d/index.html` as `Allow: /d/$` too. `None` for every other pattern.
    pub(crate) fn push_directory_of_index(&mut self, page: Pattern) -> Option<Pattern> {
        let pattern = self.bytes(page);
        let slash = memchr::memrchr(b'/', pattern)?;
        let is_index = pattern.get(slash..)?.starts_with(b"/index.htm");
        if !is_index {
            return None;
        }
        let page_start = page.start as usize;
        let start = self.text.len();
        self.text
            .extend_from_within(page_start..page_start.saturating_add(slash).saturating_add(1));
        self.text.push(b'$');
        let directory = self.text.get(start..).unwrap_or_default();
        let form = Form::new(directory, Classes::of(directory), Escapes::Settled);
        self.pattern_from(start, form)
    }

    /// The text from `start` as a pattern. Never `None`: the limit of the parse stage keeps both
    /// numbers within `u32`.
    #[inline(always)]
    fn pattern_from(&self, start: usize, form: Form) -> Option<Pattern> {
        let len = self.text.len().saturating_sub(start);
        Some(Pattern {
            start: u32::try_from(start).ok()?,
            len: u32::try_from(len).ok()?,
            form,
        })
    }

    /// Frees unused memory and sets up the regexes of the patterns that are in use, in the order of
    /// their starts. Call it after the last push.
    pub(crate) fn finish(&mut self, in_use: impl Iterator<Item = Pattern>) {
        give_back_idle(&mut self.text);
        #[cfg(feature = "regex")]
        {
            let for_regex = in_use.filter(|pattern| pattern.form.tier() == Tier::Regex);
            self.regexes =
                Regexes::new(for_regex.map(|pattern| (pattern.start, slice(&self.text, pattern))));
        }
        #[cfg(not(feature = "regex"))]
        drop(in_use);
    }

    #[inline]
    pub(crate) fn bytes(&self, pattern: Pattern) -> &[u8] {
        slice(&self.text, pattern)
    }

    /// The pattern as text. Every byte of a compared form is ASCII: both dialects escape the
    /// others.
    pub(crate) fn text(&self, pattern: Pattern) -> &str {
        core::str::from_utf8(self.bytes(pattern)).unwrap_or_default()
    }

    /// Compares a pattern with a path in the form of the dialect.
    // Inlined, as a check may compare forty rules with the same literal prefix.
    #[inline(always)]
    pub(crate) fn is_match(&self, pattern: Pattern, path: &[u8]) -> bool {
        let bytes = self.bytes(pattern);
        match pattern.form.tier() {
            Tier::Prefix => {
                steps::add(1 + bytes.len());
                is_prefix_match(bytes, path)
            }
            Tier::Span => span::matches(bytes, pattern.form.escapes(), &path),
            #[cfg(feature = "regex")]
            Tier::Regex => {
                let by_regex = self.regexes.is_match(pattern.start, bytes, path);
                by_regex.unwrap_or_else(|| span::matches(bytes, pattern.form.escapes(), &path))
            }
            #[cfg(not(feature = "regex"))]
            Tier::Regex => span::matches(bytes, pattern.form.escapes(), &path),
        }
    }
}

/// Frees the unused memory of a finished block, unless that is not worth a call to the allocator.
///
/// A small block is copied. Shrunk in place it would stay where the longer block found room, and no
/// later robot would fill the gaps that earlier ones left: a cache of 64 MiB grew to 68.
pub(super) fn give_back_idle<T>(block: &mut Vec<T>) {
    let idle = block.capacity() - block.len();
    if idle * size_of::<T>() <= IDLE {
        return;
    }
    if block.capacity() * size_of::<T>() > MOST_MOVED {
        return block.shrink_to_fit();
    }
    let mut exact = Vec::with_capacity(block.len());
    exact.append(block);
    *block = exact;
}

/// The largest block that is copied: of a larger one, old and new must not exist together.
const MOST_MOVED: usize = 64 << 10;

/// The most unused bytes that a finished block may keep.
pub(super) const IDLE: usize = 64;

#[inline]
fn slice(text: &[u8], pattern: Pattern) -> &[u8] {
    let start = pattern.start as usize;
    // In range, as `text` holds everything that was pushed.
    text.get(start..start.saturating_add(pattern.len as usize))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shrinking in place leaves a block where only the longer one found room.
    #[test]
    fn a_small_block_moves() {
        let mut block = Vec::with_capacity(4_096);
        block.extend([b'/'; 1_000]);
        let place = block.as_ptr();
        give_back_idle(&mut block);
        assert_eq!((block.len(), block.capacity()), (1_000, 1_000));
        assert_ne!(block.as_ptr(), place);
        let mut block: Vec<u8> = Vec::with_capacity(MOST_MOVED * 2);
        block.extend([b'/'; 1_000]);
        give_back_idle(&mut block);
        assert_eq!((block.len(), block.capacity()), (1_000, 1_000));
    }
}
