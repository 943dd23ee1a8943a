//! Diagnostics about the value of a `Sitemap` record.

use std::borrow::Cow;

use polite_robots::Dialect;
use polite_robots::document::LineKind;
use polite_robots::record::ExtensionField;
use polite_robots::text::WebScheme;
use polite_robots::text::quote;

use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::Findings;
use crate::lines::invisible::Visibility;
use crate::lines::placeholder::placeholder_host;
use crate::lines::record::Record;
use crate::text::part::Part;
use crate::text::part::before_authority;

impl Findings<'_, '_> {
    /// Reports a sitemap that RFC 9309 does not find, as its field is `Sitemap https`.
    pub(super) fn sitemap_without_colon(&mut self, record: Record<'_>) {
        let line = self.line.part.without_comment().trim();
        let message = || {
            let (name, before) = sitemap_before_url(record).unwrap_or_default();
            let url = line.tail(before.len()).trim();
            let url = String::from_utf8_lossy(url.bytes);
            format!(
                "crawlers do not find this sitemap, because there is no colon after {}; write {}",
                quote(name),
                quote(format!("Sitemap: {url}").as_bytes())
            )
        };
        self.report(DiagnosticCode::MissingColon, record.field, message);
    }

    pub(super) fn sitemap(&mut self, value: Part<'_>) {
        let odd_url = Some(value.bytes).filter(|value| !is_plain_url(value));
        let effect = "crawlers do not find this sitemap because of";
        // A plain URL is ASCII, as nearly all are.
        if odd_url.is_some()
            && self.invisible(value, Severity::Warning, effect, |url| url) == Visibility::Reported
        {
            return;
        }
        let quoted = quote(value.bytes);
        if odd_url.is_some_and(|value| core::str::from_utf8(value).is_err()) {
            let message =
                || format!("the sitemap {quoted} is not UTF-8; write its URL percent-encoded");
            self.report(DiagnosticCode::SitemapNotUtf8, value, message);
        }
        if value.bytes.is_empty() {
            let message = || "this `Sitemap` has no value; write the whole URL of the sitemap";
            self.report(DiagnosticCode::RelativeSitemap, value, message);
        } else if let Some(fault) = odd_url.and_then(fault) {
            let message = || format!("crawlers do not find the sitemap {quoted}: {fault}");
            self.report(DiagnosticCode::InvalidSitemap, value, message);
        } else if before_authority(value.bytes).is_none() {
            let message = || {
                format!(
                    "the sitemap {quoted} is not a whole URL, so crawlers may ignore it; write it with `https://` and the host"
                )
            };
            self.report(DiagnosticCode::RelativeSitemap, value, message);
        } else if let Some(host) = placeholder_host(value.bytes) {
            let message = || {
                format!(
                    "crawlers do not find this sitemap, because {} is no host on the internet; write the name of your site",
                    quote(host)
                )
            };
            self.report(DiagnosticCode::PlaceholderSitemap, value, message);
        }
    }
}

/// Whether a record is `Sitemap https://example.com/a.xml`, whose colon is that of the URL.
pub(super) fn is_sitemap_without_colon(record: Record<'_>) -> bool {
    sitemap_before_url(record).is_some()
}

/// The name of the field before a URL, and the text before it with the sign in place of the colon:
/// `Sitemap` and `Sitemap =`.
fn sitemap_before_url(record: Record<'_>) -> Option<(&[u8], &[u8])> {
    let field = record.field.bytes;
    let is_url = record.value.bytes.starts_with(b"//");
    let is_of_scheme = |byte: &u8| byte.is_ascii_alphabetic();
    let scheme = field.iter().rev().take_while(|byte| is_of_scheme(byte));
    let (before, scheme) = field.split_at_checked(field.len().saturating_sub(scheme.count()))?;
    let is_sign = |byte: &u8| byte.is_ascii_whitespace() || b"=;,->".contains(byte);
    let signs = before.iter().rev().take_while(|byte| is_sign(byte));
    let name = before.get(..before.len().saturating_sub(signs.count()))?;
    let sitemap = LineKind::Extension(ExtensionField::Sitemap);
    let is_sitemap = LineKind::of_field(name, Dialect::Rfc9309) == sitemap;
    (is_url && is_sitemap && WebScheme::new(scheme).is_some()).then_some((name, before))
}

/// The first reason why a value is no URL, and the way out of it. A value without `://` may be a
/// relative URL.
fn fault(value: &[u8]) -> Option<Cow<'static, str>> {
    if memchr::memchr_iter(b':', value).any(|colon| is_further_url(value, colon)) {
        return Some("the line holds more than one URL; give each a line of its own".into());
    }
    if let Some(byte) = value.iter().find(|byte| is_foreign(**byte)) {
        let character = char::from(*byte);
        return Some(format!("a URL holds no `{character}`; write the plain URL").into());
    }
    let scheme = before_authority(value)?;
    if WebScheme::new(scheme).is_none() && !scheme.eq_ignore_ascii_case(b"ftp") {
        let scheme = quote(scheme);
        return Some(format!("{scheme} is not `https` or `http`; write `https://`").into());
    }
    let after_scheme = value.get(scheme.len() + "://".len()..)?;
    let authority = after_scheme
        .split(|byte| matches!(byte, b'/' | b'?'))
        .next()?;
    let after_user = authority.rsplit(|byte| *byte == b'@').next()?;
    let host = after_user.split(|byte| *byte == b':').next()?;
    if WebScheme::new(host).is_some() {
        return Some("`https://` or `http://` is there twice; remove one of them".into());
    }
    let path = after_scheme.get(authority.len()..)?;
    if host.is_empty() || path.is_empty() && host.to_ascii_lowercase().ends_with(b".xml") {
        return Some("the URL has no host; write it after `://`".into());
    }
    if value.iter().any(u8::is_ascii_whitespace) {
        return Some("the URL holds a blank; write `%20` for it, or remove it".into());
    }
    let page = page_without_sitemap(path)?;
    let origin = value.get(..value.len().saturating_sub(path.len()))?;
    let sitemap = [origin, b"/sitemap.xml"].concat();
    let sitemap = quote(&sitemap);
    Some(format!("it is {page}; write the URL of the sitemap, such as {sitemap}").into())
}

/// The page that is no sitemap, by its path.
fn page_without_sitemap(path: &[u8]) -> Option<&'static str> {
    match path {
        b"" | b"/" => Some("the home page"),
        path if path.eq_ignore_ascii_case(ROBOTS_TXT) => Some("a robots.txt"),
        _ => None,
    }
}

const ROBOTS_TXT: &[u8] = b"/robots.txt";

/// Whether the value is a URL as nearly all are: without a user, a port, or a byte that is rare in
/// URLs.
fn is_plain_url(value: &[u8]) -> bool {
    let after_scheme = value.strip_prefix(b"http").and_then(|rest| {
        let rest = rest.strip_prefix(b"s").unwrap_or(rest);
        rest.strip_prefix(b"://")
    });
    let is_plain = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'-'..=b'9' | b'?' | b'=' | b'&' | b'%' | b'_')
    };
    after_scheme.is_some_and(|rest| {
        // `https://https/` has the scheme twice.
        let path = memchr::memchr(b'/', rest).and_then(|host| rest.get(host..));
        !matches!(rest, [] | [b'/' | b'?' | b'h' | b'H', ..])
            && rest.iter().all(is_plain)
            && path.is_some_and(|path| page_without_sitemap(path).is_none())
    })
}

/// Whether the colon belongs to a URL that is not the first of a list.
fn is_further_url(value: &[u8], colon: usize) -> bool {
    let Some((before, from)) = value.split_at_checked(colon) else {
        return false;
    };
    let letters = before.iter().rev().take(LONGEST_SCHEME);
    let letters = letters
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let (list, scheme) = before.split_at(before.len().saturating_sub(letters));
    from.starts_with(b"://")
        && WebScheme::new(scheme).is_some()
        && matches!(list, [.., b' ' | b'\t' | b',' | b';'])
}

/// Whether the byte is ASCII that stands in no URL (RFC 3986 §2), but around one, or where a
/// template was not filled in.
fn is_foreign(byte: u8) -> bool {
    matches!(
        byte,
        b'<' | b'>' | b'"' | b'{' | b'}' | b'\\' | b'^' | b'`' | b'|'
    )
}

/// The letters of `https`, and one more.
const LONGEST_SCHEME: usize = 6;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

        #[test]
        fn a_plain_url_has_no_fault(value in "(https?:/{1,2})?([a/?:@. <h]|https?|é){0,5}") {
            let value = value.as_bytes();
            prop_assert!(!is_plain_url(value) || fault(value).is_none());
        }
    }

    #[test]
    fn the_usual_urls_are_plain() {
        for (url, is_expected) in [
            ("https://example.com/sitemap.xml", true),
            ("http://www.example.com/a?b=c&d=%20", true),
            ("https://example.com", false),
            ("https://example.com/", false),
            ("https://example.com/robots.txt", false),
            ("https://example.com/robots.txt.xml", true),
            ("https://", false),
            ("https:///a", false),
            ("https://https/", false),
            ("https://example.com:443/", false),
            ("https://a@example.com/", false),
            ("https://example.com/a b", false),
            ("HTTPS://example.com/", false),
            ("/sitemap.xml", false),
        ] {
            assert_eq!(is_plain_url(url.as_bytes()), is_expected, "{url}");
        }
    }
}
