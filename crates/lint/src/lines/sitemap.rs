//! Diagnostics about the value of a `Sitemap` record.

use polite_robots::Dialect;
use polite_robots::document::LineKind;
use polite_robots::record::ExtensionField;
use polite_robots::text::{WebScheme, quote};

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::{Findings, Reported};
use crate::lines::record::Record;
use crate::lines::sitemap_fault::{Fault, fault};
use crate::lines::sitemap_url::{meant, urls_of_list};
use crate::proposal::{Effect, Proposal};
use crate::text::host::Placeholder;
use crate::text::part::Part;
use crate::text::url::WholeUrl;

impl Findings<'_, '_> {
    /// Reports a sitemap that RFC 9309 does not find, as its field is `Sitemap https`.
    pub(super) fn sitemap_without_colon(&mut self, record: Record<'_>) -> Option<Reported> {
        let line = self.line.part.without_comment().trim();
        self.report(DiagnosticCode::MissingColon, record.field, || {
            let (name, before) = sitemap_before_url(record).unwrap_or_default();
            let url = line.tail(before.len()).trim();
            let text = format!("Sitemap: {}", String::from_utf8_lossy(url.bytes));
            let message = format!(
                "crawlers do not find this sitemap, because there is no colon after {}; write {}",
                quote(name),
                quote(text.as_bytes())
            );
            Advice::new(message).write(line.span(), text)
        })
    }

    pub(super) fn sitemap(&mut self, value: Part<'_>) -> Option<Reported> {
        let effect = "crawlers do not find this sitemap because of";
        let unseen = self.invisible(value, Severity::Warning, effect, |url| url);
        if unseen.is_some() {
            return unseen;
        }
        if core::str::from_utf8(value.bytes).is_err() {
            self.report(DiagnosticCode::SitemapNotUtf8, value, || not_utf8(value));
        }
        if value.bytes.is_empty() {
            let (file, line) = (self.file.bytes, self.line.part.span());
            return self.report(DiagnosticCode::RelativeSitemap, value, || {
                let without = Proposal::without_line(file, line, Effect::Nothing);
                Advice::new("this `Sitemap` has no value, so it names no sitemap; remove the line, which changes nothing")
                    .propose(without)
            });
        }
        let fault = fault(value.bytes)?;
        let (file, line) = (self.file.bytes, self.line.part);
        self.report(fault.code(), value, || match fault {
            Fault::SeveralUrls => several_urls(file, line, value),
            fault => advice(value, &fault),
        })
    }
}

/// The advice about a value that is not UTF-8.
fn not_utf8(value: Part<'_>) -> Advice {
    let quoted = quote(value.bytes);
    match percent_encoded(value.bytes) {
        Some(url) => Advice::new(format!(
            "the sitemap {quoted} is not UTF-8; write {} if its letters are those of Latin-1",
            quote(url.as_bytes())
        ))
        .write(value.span(), url),
        None => {
            format!("the sitemap {quoted} is not UTF-8, in which URLs are percent-encoded").into()
        }
    }
}

/// The URL with escapes of the letters that its bytes are in Latin-1; `None` if a part of it is
/// UTF-8, or if a byte is no letter in it.
fn percent_encoded(value: &[u8]) -> Option<String> {
    let (before, path) = WholeUrl::new(value).map_or((&b""[..], value), |url| {
        value.split_at(value.len().saturating_sub(url.path.len()))
    });
    let is_letter = |byte: &u8| byte.is_ascii() || *byte >= FIRST_LETTER;
    let has_utf8 = value.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    if !before.is_ascii() || has_utf8 || !path.iter().all(is_letter) {
        return None;
    }
    let mut url = String::from_utf8(before.to_vec()).ok()?;
    for byte in path {
        let letter = char::from(*byte);
        match letter.is_ascii() {
            true => url.push(letter),
            false => {
                let mut bytes = [0; 4];
                for byte in letter.encode_utf8(&mut bytes).bytes() {
                    url.push_str(&format!("%{byte:02X}"));
                }
            }
        }
    }
    Some(url)
}

/// A letter of Latin-1 has no smaller byte.
const FIRST_LETTER: u8 = 0xc0;

/// The advice about a list of URLs on one line.
fn several_urls(file: &[u8], line: Part<'_>, value: Part<'_>) -> Advice {
    let parted = urls_of_list(value.bytes).and_then(|urls| {
        let (first, others) = urls.split_first()?;
        let lines: Vec<String> = others.iter().map(|url| format!("Sitemap: {url}")).collect();
        let below = Proposal::line_below(file, line.span(), &lines.join("\n"));
        Some(below.and(value.span(), *first))
    });
    let fix = match parted {
        Some(_) => "give each a line of its own",
        None => "each has a line of its own",
    };
    let quoted = quote(value.bytes);
    Advice::new(format!(
        "crawlers do not find the sitemap {quoted}: the line holds more than one URL; {fix}"
    ))
    .propose_all(parted)
}

/// The sentence about a fault, with the URLs that may be meant.
fn advice(value: Part<'_>, fault: &Fault<'_>) -> Advice {
    let meant = meant(value.bytes, fault);
    let quoted = quote(value.bytes);
    let mut message = match fault {
        Fault::Relative => {
            format!("the sitemap {quoted} is not a whole URL, so crawlers may ignore it")
        }
        Fault::Placeholder(host, placeholder) => about_placeholder(host, *placeholder),
        fault => format!(
            "crawlers do not find the sitemap {quoted}: {}",
            reason(fault)
        ),
    };
    let mut separator = match fault {
        Fault::Page(_) => "; write the URL of the sitemap, such as ",
        _ => "; write ",
    };
    for url in &meant {
        message.push_str(separator);
        message.push_str(&quote(url.as_bytes()).to_string());
        separator = ", or ";
    }
    if *fault == Fault::Relative && meant.is_empty() {
        message.push_str("; a whole URL begins with `https://` and the host");
    }
    let proposals = meant
        .into_iter()
        .map(|url| Proposal::write(value.span(), url));
    Advice::new(message).propose_all(proposals)
}

/// The reason why crawlers find no sitemap.
fn reason(fault: &Fault<'_>) -> String {
    match fault {
        Fault::Foreign(byte @ (b'{' | b'}')) => format!(
            "a URL holds no `{}`, which stands where a template was not filled in",
            char::from(*byte)
        ),
        Fault::Foreign(byte) => format!("a URL holds no `{}`", char::from(*byte)),
        Fault::Program(text) => format!(
            "{} is what a program or a template writes where a value is missing",
            quote(text)
        ),
        Fault::Scheme(b"") => "a URL begins with `https` or `http`".into(),
        Fault::Scheme(scheme) => format!("{} is not `https` or `http`", quote(scheme)),
        Fault::SchemeTwice => "`https://` or `http://` is there twice".into(),
        Fault::NoHost => "the URL has no host".into(),
        Fault::NoSlash => "a `/` is missing before the name of the file".into(),
        Fault::Host(host) => format!(
            "{} is no host, which is letters, digits, hyphens and single dots",
            quote(host)
        ),
        Fault::Port(port) => format!("{} is no number of a port", quote(port)),
        Fault::Blank => "the URL holds a blank".into(),
        Fault::Page(page) => format!("it is {page}"),
        Fault::SeveralUrls | Fault::Relative | Fault::Placeholder(..) => "".into(),
    }
}

fn about_placeholder(host: &[u8], placeholder: Placeholder) -> String {
    let host = quote(host);
    match placeholder {
        Placeholder::Private => {
            format!("crawlers do not find this sitemap, because {host} is no host on the internet")
        }
        Placeholder::Unfilled => format!(
            "crawlers do not find this sitemap, because {host} is a host that a template did not fill in"
        ),
        Placeholder::Sample => format!(
            "crawlers find no sitemap of this site here, because {host} is the host of templates and manuals"
        ),
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
