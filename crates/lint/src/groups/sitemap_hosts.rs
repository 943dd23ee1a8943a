//! Finds sitemaps of a host with `www.`, where others are of the same host without it.

use std::collections::BTreeMap;

use polite_robots::RobotsTxt;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::groups::sitemap_schemes::{Sitemap, sitemaps, write_each};

/// Reports the first sitemap of a site whose `www.` differs from its other sitemaps.
pub(crate) fn sitemap_hosts(robots_txt: &RobotsTxt) -> Vec<Diagnostic> {
    let mut sites: BTreeMap<Vec<u8>, Site<'_>> = BTreeMap::new();
    for sitemap in sitemaps(robots_txt) {
        let host = sitemap.host();
        let site = host.strip_prefix(b"www.").unwrap_or(&host);
        let forms = sites.entry(site.to_vec()).or_default();
        match host.len() == site.len() {
            true => forms.without_www.push(sitemap),
            false => forms.with_www.push(sitemap),
        }
    }
    sites.values().filter_map(Site::finding).collect()
}

/// The sitemaps of one site, in the order of the file.
#[derive(Default)]
struct Site<'r> {
    with_www: Vec<Sitemap<'r>>,
    without_www: Vec<Sitemap<'r>>,
}

impl Site<'_> {
    fn finding(&self) -> Option<Diagnostic> {
        let line = |sitemaps: &[Sitemap<'_>]| Some(sitemaps.first()?.record.line());
        let has_www = line(&self.without_www)? < line(&self.with_www)?;
        let (these, those, here, there) = match has_www {
            true => (&self.with_www, &self.without_www, "with", "without"),
            false => (&self.without_www, &self.with_www, "without", "with"),
        };
        let (this, first) = (these.first()?, those.first()?);
        let of = |sitemap: &Sitemap<'_>| String::from_utf8_lossy(sitemap.url.host).to_lowercase();
        let (host, other) = (of(this), of(first));
        let message = format!(
            "the host of this sitemap is {here} `www.`, and that on line {} {there} it; a site seldom has pages on both hosts, and mostly redirects from one to the other, so write the one that it redirects to: `{other}` or `{host}`",
            first.record.line()
        );
        let advice = Advice::new(message)
            .propose_all(write_each(these, Sitemap::host_span, &other))
            .propose_all(write_each(those, Sitemap::host_span, &host));
        let code = DiagnosticCode::MixedSitemapHosts;
        Some(Diagnostic::on(&this.record, code, advice))
    }
}
