//! Finds sitemaps of a host with `www.`, where others are of the same host without it.

use std::collections::BTreeMap;

use polite_robots::RobotsTxt;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::groups::sitemap_schemes::sitemaps;

/// Reports the first sitemap of each site that has the other form of its name than the first one.
pub(crate) fn sitemap_hosts(robots_txt: &RobotsTxt) -> Vec<Diagnostic> {
    // The form and the line of the first sitemap of each site, until that has its finding.
    let mut firsts: BTreeMap<Vec<u8>, Option<(bool, u32)>> = BTreeMap::new();
    let mut findings = Vec::new();
    for sitemap in sitemaps(robots_txt) {
        let host = sitemap.host.to_ascii_lowercase();
        let (has_www, site) = match host.strip_prefix(b"www.") {
            Some(site) => (true, site.to_vec()),
            None => (false, host),
        };
        let line = sitemap.record.line();
        let first = firsts.entry(site).or_insert(Some((has_www, line)));
        let Some((_, first_line)) = first.filter(|(other, _)| *other != has_www) else {
            continue;
        };
        *first = None;
        let (here, there) = if has_www {
            ("with", "without")
        } else {
            ("without", "with")
        };
        let message = format!(
            "the host of this sitemap is {here} `www.`, and that on line {first_line} {there} it; a site seldom has pages on both hosts, and mostly redirects from one to the other, so write the one that it redirects to"
        );
        let code = DiagnosticCode::MixedSitemapHosts;
        findings.push(Diagnostic::new(code, line, sitemap.record.span(), message));
    }
    findings
}
