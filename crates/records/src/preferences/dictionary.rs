//! Dictionaries of structured fields (RFC 9651 §3.2): a check of the syntax, and the members as
//! written.

use alloc::vec::Vec;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while_m_n, take_while1};
use nom::combinator::{opt, recognize, verify};
use nom::multi::many0_count;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser as _};

use percent_encoding::percent_decode;

use crate::preferences::preference::{KeyValue, Part};

/// The members of a dictionary in their order, and `None` where the text breaks the grammar. A key
/// may stand more than once; its last member counts (§4.2.2).
///
/// ```text
/// sf-dictionary = [ dict-member *( OWS "," OWS dict-member ) ]
/// ```
pub(crate) fn members(text: Part<'_>) -> impl Iterator<Item = Option<KeyValue<'_>>> {
    let mut rest = text.trim();
    core::iter::from_fn(move || {
        let parsed = (!rest.bytes.is_empty()).then(|| member_and_comma(rest.bytes))?;
        let Ok((after, (key, value))) = parsed else {
            rest.bytes = b"";
            return Some(None);
        };
        let key = Part { bytes: key, ..rest };
        // A `=` stands between them, without blanks.
        let value = Part {
            start: key.end().saturating_add(1),
            bytes: value,
        };
        rest = Part {
            start: rest.end() - after.len(),
            bytes: after,
        };
        Some(Some(KeyValue::new(key, value)))
    })
}

/// A member and the comma after it, if there is one; another member must follow a comma.
fn member_and_comma(text: &[u8]) -> Parsed<'_, Member<'_>> {
    let (rest, member) = dict_member(text)?;
    let (rest, _) = optional_blanks(rest)?;
    if rest.is_empty() {
        return Ok((rest, member));
    }
    let (rest, _) = tag(",").parse(rest)?;
    let (rest, _) = optional_blanks(rest)?;
    if rest.is_empty() {
        return Err(nom::Err::Error(()));
    }
    Ok((rest, member))
}

/// `dict-member = member-key ( parameters / ( "=" member-value ))`
fn dict_member(text: &[u8]) -> Parsed<'_, Member<'_>> {
    let (rest, key) = key(text)?;
    let (rest, value) = match rest {
        [b'=', b'(', ..] => recognize(inner_list).parse(rest.get(1..).unwrap_or_default())?,
        [b'=', rest @ ..] => recognize(bare_item).parse(rest)?,
        _ => (rest, &b""[..]),
    };
    let (rest, ()) = parameters(rest)?;
    Ok((rest, (key, value)))
}

/// `key = ( lcalpha / "*" ) *( lcalpha / DIGIT / "_" / "-" / "." / "*" )`
fn key(text: &[u8]) -> Parsed<'_, &[u8]> {
    let first = |byte: u8| byte.is_ascii_lowercase() || byte == b'*';
    let other =
        |byte: u8| first(byte) || byte.is_ascii_digit() || matches!(byte, b'_' | b'-' | b'.');
    recognize((take_while_m_n(1, 1, first), take_while(other))).parse(text)
}

/// `parameters = *( ";" *SP key [ "=" bare-item ] )`
fn parameters(text: &[u8]) -> Parsed<'_, ()> {
    let parameter = (
        tag(";"),
        take_while(|byte| byte == b' '),
        key,
        opt(preceded(tag("="), bare_item)),
    );
    let (rest, _) = many0_count(parameter).parse(text)?;
    Ok((rest, ()))
}

/// `inner-list = "(" *SP [ sf-item *( 1*SP sf-item ) *SP ] ")" parameters`; [`dict_member`] reads
/// the parameters.
fn inner_list(text: &[u8]) -> Parsed<'_, ()> {
    let (mut rest, _) = tag("(").parse(text)?;
    loop {
        let (after_blanks, blanks) = take_while(|byte| byte == b' ').parse(rest)?;
        if let [b')', after_list @ ..] = after_blanks {
            return Ok((after_list, ()));
        }
        // Every item but the first needs a blank before it.
        let is_first = rest.len().saturating_add(1) == text.len();
        if blanks.is_empty() && !is_first {
            return Err(nom::Err::Error(()));
        }
        let (after_item, _) = bare_item(after_blanks)?;
        (rest, ()) = parameters(after_item)?;
    }
}

/// `bare-item`, chosen by its first byte (§4.2.3.1).
fn bare_item(text: &[u8]) -> Parsed<'_, &[u8]> {
    match text {
        [b'-' | b'0'..=b'9', ..] => number(text),
        [b'"', ..] => string(text),
        [b'A'..=b'Z' | b'a'..=b'z' | b'*', ..] => token(text),
        [b':', ..] => byte_sequence(text),
        [b'?', ..] => alt((tag("?0"), tag("?1"))).parse(text),
        [b'@', rest @ ..] => verify(number, |date: &[u8]| !date.contains(&b'.')).parse(rest),
        [b'%', ..] => display_string(text),
        _ => Err(nom::Err::Error(())),
    }
}

/// ```text
/// sf-integer = ["-"] 1*15DIGIT
/// sf-decimal = ["-"] 1*12DIGIT "." 1*3DIGIT
/// ```
fn number(text: &[u8]) -> Parsed<'_, &[u8]> {
    let digits = |most| take_while_m_n(1, most, |byte: u8| byte.is_ascii_digit());
    let decimal = recognize((opt(tag("-")), digits(12), tag("."), digits(3)));
    let integer = recognize((opt(tag("-")), digits(15)));
    // A digit too many, or a point without digits, is left over, and no rule of the grammar takes
    // it.
    alt((decimal, integer)).parse(text)
}

/// `sf-string = DQUOTE *( unescaped / "%" / bs-escaped ) DQUOTE`, where `\"` and `\\` stand for `"`
/// and `\`.
fn string(text: &[u8]) -> Parsed<'_, &[u8]> {
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    let part = alt((take_while1(plain), tag("\\\""), tag("\\\\")));
    recognize((tag("\""), many0_count(part), tag("\""))).parse(text)
}

/// `sf-token = ( ALPHA / "*" ) *( tchar / ":" / "/" )`
fn token(text: &[u8]) -> Parsed<'_, &[u8]> {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&byte);
    take_while1(part).parse(text)
}

/// `sf-binary = ":" base64 ":"`
fn byte_sequence(text: &[u8]) -> Parsed<'_, &[u8]> {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    recognize(delimited(tag(":"), take_while(part), tag(":"))).parse(text)
}

/// `sf-displaystring = "%" DQUOTE *( unescaped / "\" / pct-encoded ) DQUOTE`, whose bytes are UTF-8
/// and whose escapes are in lower case.
fn display_string(text: &[u8]) -> Parsed<'_, &[u8]> {
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'%' && byte != b'"';
    let hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let escape = recognize((tag("%"), take_while_m_n(2, 2, hex)));
    let characters = recognize(many0_count(alt((take_while1(plain), escape))));
    let is_utf8 = |characters: &[u8]| {
        let bytes: Vec<u8> = percent_decode(characters).collect();
        core::str::from_utf8(&bytes).is_ok()
    };
    recognize((tag("%\""), verify(characters, is_utf8), tag("\""))).parse(text)
}

/// `OWS = *( SP / HTAB )`
fn optional_blanks(text: &[u8]) -> Parsed<'_, &[u8]> {
    take_while(|byte| matches!(byte, b' ' | b'\t')).parse(text)
}

/// The key of a member, and its value or nothing.
type Member<'a> = (&'a [u8], &'a [u8]);

/// The error names no cause: callers ignore the whole text if it is not a dictionary.
type Parsed<'a, T> = IResult<&'a [u8], T, ()>;
