//! Finds sitemaps of one host that begin with `http:`, where others begin with `https:`.

use std::collections::BTreeMap;
use std::ops::Range;

use polite_robots::RobotsTxt;
use polite_robots::record::{Extension, ExtensionField};
use polite_robots::text::WebScheme;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::proposal::{Effect, Proposal};
use crate::text::url::WholeUrl;

/// Reports, of each host that has a sitemap with `https:`, the first one with `http:`.
pub(crate) fn sitemap_schemes(robots_txt: &RobotsTxt) -> Vec<Diagnostic> {
    let is_secure = |sitemap: &Sitemap<'_>| sitemap.url.web_scheme() == Some(WebScheme::Https);
    let (secure, others): (Vec<_>, Vec<_>) = sitemaps(robots_txt).partition(is_secure);
    // Nearly every file has one scheme.
    if others.is_empty() || secure.is_empty() {
        return Vec::new();
    }
    let mut of_hosts = by_host(others);
    let mut findings = Vec::new();
    for sitemap in &secure {
        // The first one of each host has the finding.
        let others = of_hosts.remove(&sitemap.host());
        findings.extend(others.and_then(|others| finding(sitemap, &others)));
    }
    findings
}

fn finding(secure: &Sitemap<'_>, others: &[Sitemap<'_>]) -> Option<Diagnostic> {
    let first = others.first()?;
    let line = secure.record.line();
    let message = format!(
        "this sitemap begins with `http://`, and the one of the same host on line {line} with `https://`; a sitemap is for the pages of its own scheme only; write `https://` if the site has moved there"
    );
    let scheme_of = |sitemap: &Sitemap<'_>| {
        let start = sitemap.record.span().start;
        start..start.saturating_add("http://".len())
    };
    let advice = Advice::new(message).propose_all(write_each(others, scheme_of, "https://"));
    let code = DiagnosticCode::MixedSitemapSchemes;
    Some(Diagnostic::on(&first.record, code, advice))
}

/// A text in the place of a part of each sitemap: one finding is about all of them.
pub(crate) fn write_each<'r>(
    sitemaps: &[Sitemap<'r>],
    part: impl Fn(&Sitemap<'r>) -> Range<usize>,
    text: &str,
) -> Option<Proposal> {
    Proposal::of(
        sitemaps.iter().map(|sitemap| (part(sitemap), text)),
        Effect::Answers,
    )
}

pub(crate) struct Sitemap<'r> {
    pub(crate) url: WholeUrl<'r>,
    pub(crate) record: Extension<'r>,
}

impl Sitemap<'_> {
    /// The host in lower case.
    pub(crate) fn host(&self) -> Vec<u8> {
        self.url.host.to_ascii_lowercase()
    }

    /// The place of the host in the file.
    pub(crate) fn host_span(&self) -> Range<usize> {
        let (before, _) = self.url.around_host();
        let start = self.record.span().start.saturating_add(before.len());
        start..start.saturating_add(self.url.host.len())
    }
}

/// The sitemaps of each host.
pub(crate) fn by_host<'r>(
    sitemaps: impl IntoIterator<Item = Sitemap<'r>>,
) -> BTreeMap<Vec<u8>, Vec<Sitemap<'r>>> {
    let mut of_hosts: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for sitemap in sitemaps {
        of_hosts.entry(sitemap.host()).or_default().push(sitemap);
    }
    of_hosts
}

/// The sitemaps that are whole URLs.
pub(crate) fn sitemaps(robots_txt: &RobotsTxt) -> impl Iterator<Item = Sitemap<'_>> {
    let is_sitemap = |record: &Extension<'_>| record.field() == ExtensionField::Sitemap;
    let records = robots_txt.extensions().filter(is_sitemap);
    records.filter_map(|record| {
        let url = WholeUrl::new(record.value())?;
        url.web_scheme()?;
        // A URL without a host has a finding of its own.
        let is_whole = !url.host.is_empty() && WebScheme::new(url.host).is_none();
        is_whole.then_some(Sitemap { url, record })
    })
}
