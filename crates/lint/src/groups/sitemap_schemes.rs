//! Finds sitemaps of one host that begin with `http:`, where others begin with `https:`.

use std::collections::BTreeMap;

use polite_robots::RobotsTxt;
use polite_robots::record::{Extension, ExtensionField};
use polite_robots::text::WebScheme;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::text::part::before_authority;

/// Reports the first sitemap of each host that has the other scheme than a sitemap with `https:`.
pub(crate) fn sitemap_schemes(robots_txt: &RobotsTxt) -> Vec<Diagnostic> {
    let is_secure = |sitemap: &Sitemap<'_>| sitemap.scheme == WebScheme::Https;
    let (secure, others): (Vec<_>, Vec<_>) = sitemaps(robots_txt).partition(is_secure);
    // Nearly every file has one scheme.
    if others.is_empty() {
        return Vec::new();
    }
    // The place of the first sitemap of each host, until that has its finding.
    let mut unreported: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for (place, sitemap) in secure.iter().enumerate() {
        let host = sitemap.host.to_ascii_lowercase();
        unreported.entry(host).or_insert(place);
    }
    let mut findings = Vec::new();
    for sitemap in others {
        let place = unreported.get_mut(&sitemap.host.to_ascii_lowercase());
        let place = place.map(|place| core::mem::replace(place, usize::MAX));
        let Some(above) = place.and_then(|place| secure.get(place)) else {
            continue;
        };
        let line = above.record.line();
        let message = format!(
            "this sitemap begins with `http://`, and the one of the same host on line {line} with `https://`; a sitemap is for the pages of its own scheme only, so write `https://` if the site has moved there"
        );
        let code = DiagnosticCode::MixedSitemapSchemes;
        let (line, span) = (sitemap.record.line(), sitemap.record.span());
        findings.push(Diagnostic::new(code, line, span, message));
    }
    findings
}

pub(super) struct Sitemap<'r> {
    scheme: WebScheme,
    pub(super) host: &'r [u8],
    pub(super) record: Extension<'r>,
}

/// The sitemaps that are whole URLs.
pub(super) fn sitemaps(robots_txt: &RobotsTxt) -> impl Iterator<Item = Sitemap<'_>> {
    let is_sitemap = |record: &Extension<'_>| record.field() == ExtensionField::Sitemap;
    let records = robots_txt.extensions().filter(is_sitemap);
    records.filter_map(|record| {
        let name = before_authority(record.value())?;
        let after = record
            .value()
            .get(name.len().saturating_add("://".len())..)?;
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
            record,
        })
    })
}
