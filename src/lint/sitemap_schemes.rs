//! Finds sitemaps of one host that begin with `http:`, where others begin with `https:`.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::parse::part::Part;
use crate::robots::robots_txt::RobotsTxt;
use crate::text::scheme::{WebScheme, before_authority};

/// Reports the first sitemap of each host that has the other scheme than a sitemap with `https:`.
pub(super) fn sitemap_schemes(robots_txt: &RobotsTxt) -> Vec<Diagnostic> {
    let is_secure = |sitemap: &Sitemap<'_>| sitemap.scheme == WebScheme::Https;
    let (secure, others): (Vec<_>, Vec<_>) = sitemaps(robots_txt).partition(is_secure);
    let mut secure_lines: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
    // Nearly every file has one scheme.
    if others.is_empty() {
        return Vec::new();
    }
    for sitemap in secure {
        let host = sitemap.host.to_ascii_lowercase();
        secure_lines.entry(host).or_insert(sitemap.line);
    }
    let mut findings = Vec::new();
    for sitemap in others {
        // One finding for each host.
        let Some(line) = secure_lines.remove(&sitemap.host.to_ascii_lowercase()) else {
            continue;
        };
        let message = format!(
            "this sitemap begins with `http://`, and the one of the same host on line {line} with `https://`; a sitemap is for the pages of its own scheme only, so write `https://` if the site has moved there"
        );
        let code = DiagnosticCode::MixedSitemapSchemes;
        let span = sitemap.value.span();
        findings.push(Diagnostic::new(code, sitemap.line, span, message));
    }
    findings
}

struct Sitemap<'r> {
    scheme: WebScheme,
    host: &'r [u8],
    value: Part<'r>,
    line: u32,
}

fn sitemaps(robots_txt: &RobotsTxt) -> impl Iterator<Item = Sitemap<'_>> {
    robots_txt.sitemap_records().filter_map(|(value, line)| {
        let name = before_authority(value.bytes)?;
        let after = value.bytes.get(name.len().saturating_add("://".len())..)?;
        let host = after
            .split(|byte| matches!(byte, b'/' | b'?' | b':'))
            .next()?;
        // A URL without a host has a finding of its own.
        if host.is_empty() {
            return None;
        }
        Some(Sitemap {
            scheme: WebScheme::new(name)?,
            host,
            value,
            line,
        })
    })
}
