//! Paths with nothing to report, and the rewriting of others as such a path.

use std::fmt::Write as _;

use crate::lines::dot_segment::{has_dot_segment, has_odd_dot};
use crate::lines::path_list::may_be_list;
use crate::lines::path_syntax::{bad_escape, has_dot_star, may_begin_with_host};
use crate::text::entity::first_entity;

/// Whether a path without the white space around it has nothing to report. One pass over its bytes
/// settles nearly all paths.
#[inline]
pub(super) fn is_plain_path(path: &[u8]) -> bool {
    let body = path.strip_suffix(b"$").unwrap_or(path);
    let seen = body.iter().fold(0, |seen, byte| seen | class(*byte));
    starts_well(path)
        && seen & ODD == 0
        && !matches!(body.last(), Some(b',' | b';'))
        && !may_begin_with_host(path)
        && (seen & MAY_BEGIN_A_FAULT == 0 || has_good_dots(path) && has_good_escapes(path))
        && (seen & MAY_PART_PATHS == 0 || !may_be_list(path) && first_entity(path).is_none())
}

fn class(byte: u8) -> u8 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(ODD)
}

/// The class of each byte of a path, or 0 for those that are fine wherever they stand.
#[expect(clippy::indexing_slicing, reason = "computed at compile time")]
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            // A dot of a regular expression or of a segment; an escape that may be none.
            b'.' | b'%' => MAY_BEGIN_A_FAULT,
            // The sign of a list, and the end of an entity.
            b',' | b';' | b'|' => MAY_PART_PATHS,
            // A comment, an end before the end, a tag, and the brackets of regular expressions.
            b'#' | b'$' | b'(' | b')' | b'<' | b'[' | b'\\' | b']' => ODD,
            b'!'..=b'~' => 0,
            _ => ODD,
        };
        byte += 1;
    }
    classes
};

const ODD: u8 = 1;

const MAY_BEGIN_A_FAULT: u8 = 2;

const MAY_PART_PATHS: u8 = 4;

/// Whether no dot is that of a regular expression, and none that of a segment.
fn has_good_dots(path: &[u8]) -> bool {
    !has_odd_dot(path) || !has_dot_star(path) && !has_dot_segment(path)
}

/// Whether each `%` begins an escape, and none of them is the dot of a segment.
fn has_good_escapes(path: &[u8]) -> bool {
    bad_escape(path).is_none() && !has_dot_segment(path)
}

pub(super) fn starts_well(path: &[u8]) -> bool {
    matches!(path, [] | [b'/' | b'*', ..])
}

/// The value with blanks, controls and bytes outside of ASCII percent-encoded: the same pattern to
/// RFC 9309. `None` if the value is not UTF-8: percent-encoding the bytes of another encoding would
/// cement the mistake.
pub(super) fn escaped(value: &[u8]) -> Option<String> {
    let value = core::str::from_utf8(value).ok()?;
    let mut escaped = String::with_capacity(value.len().saturating_mul(3));
    for byte in value.bytes() {
        if byte.is_ascii_graphic() {
            escaped.push(char::from(byte));
        } else {
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    Some(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_a_plain_path_has_nothing_to_report() {
        for byte in 0..=u8::MAX {
            let is_expected = matches!(byte, b'!'..=b'~') && !b"#%()<[\\]/,;".contains(&byte);
            assert_eq!(is_plain_path(&[b'/', byte]), is_expected, "{byte}");
        }
        for (path, is_expected) in [
            ("", true),
            ("*", true),
            ("a", false),
            ("/a$", true),
            ("/a$b", false),
            ("/%2F%c3%A9", true),
            ("/%2", false),
            ("/*%2G", false),
            ("/a.*", false),
            ("/*.a*", true),
            ("/a.b.c", true),
            ("/a/../b", false),
            ("/a/%2e/b", false),
            ("//a", false),
            ("/HTTPS://a", false),
            ("/a,b;c|d&e", true),
            ("/a,/b", false),
            ("/a?b&amp;c", false),
        ] {
            assert_eq!(is_plain_path(path.as_bytes()), is_expected, "{path}");
        }
    }
}
