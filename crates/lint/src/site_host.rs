//! The host of a file: the sitemaps that are on another one, and the URLs that lack it.

use polite_robots::RobotsTxt;
use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::diagnostic::Diagnostic;
use crate::groups::sitemap_schemes::{Sitemap, by_host, sitemaps, write_each};
use crate::proposal::Proposal;
use crate::text::host::{is_host, placeholder};
use crate::text::line::line_at;
use crate::text::url::WholeUrl;
use crate::text::words::words;

/// The host that a file is on, and the findings that it shows, reached through a pointer alone.
#[derive(Debug, Clone)]
pub(crate) struct SiteHost {
    /// In lower case, with the port.
    host: String,
    /// Completes findings by the host, and adds those that it shows.
    pub(crate) report: fn(&SiteHost, &mut Vec<Diagnostic>, &RobotsTxt),
}

impl SiteHost {
    /// Takes a host, or a URL on it.
    pub(crate) fn new(host: &str) -> SiteHost {
        let after_scheme = host.split_once("://").map_or(host, |(_, rest)| rest);
        let end = after_scheme.find(['/', '?']).unwrap_or(after_scheme.len());
        let host = after_scheme.get(..end).unwrap_or_default();
        SiteHost {
            host: host.trim().to_ascii_lowercase(),
            report,
        }
    }

    /// Whether a host is that of the file, with `www.` or without it.
    fn is_same(&self, host: &[u8]) -> bool {
        let url = format!("https://{}", self.host);
        let own = WholeUrl::new(url.as_bytes()).map_or(self.host.as_bytes(), |url| url.host);
        site(own) == site(&host.to_ascii_lowercase())
    }
}

/// A host without `www.` and the dot at its end.
fn site(host: &[u8]) -> &[u8] {
    let name = host.strip_prefix(b"www.").unwrap_or(host);
    name.strip_suffix(b".").unwrap_or(name)
}

fn report(site: &SiteHost, findings: &mut Vec<Diagnostic>, robots_txt: &RobotsTxt) {
    let file = robots_txt.as_bytes();
    // Some sites have the name that stands in manuals.
    findings.retain(|finding| {
        let value = file.get(finding.span()).unwrap_or_default();
        let is_own = || WholeUrl::new(value).is_some_and(|url| site.is_same(url.host));
        finding.code() != DiagnosticCode::PlaceholderSitemap || !is_own()
    });
    if !site.host.is_empty() {
        let origin = format!("https://{}", site.host);
        complete(findings, file, &origin, "");
        findings.extend(on_other_hosts(site, robots_txt));
    }
}

/// Completes the findings about URLs without a host by that of the first sitemap that has one.
pub(crate) fn complete_by_sitemaps(findings: &mut [Diagnostic], robots_txt: &RobotsTxt) {
    if !findings.iter().any(lacks_host) {
        return;
    }
    let Some(sitemap) = sitemaps(robots_txt).find(has_host) else {
        return;
    };
    let value = sitemap.record.value();
    let origin = value.get(..value.len().saturating_sub(sitemap.url.path.len()));
    if let Some(origin) = origin.and_then(|origin| core::str::from_utf8(origin).ok()) {
        let line = sitemap.record.line();
        let condition = format!(" if it is on the host of line {line}");
        complete(findings, robots_txt.as_bytes(), origin, &condition);
    }
}

/// Whether a sitemap is on a host, and has no finding of its own.
fn has_host(sitemap: &Sitemap<'_>) -> bool {
    is_host(sitemap.url.host) && placeholder(sitemap.url.host).is_none()
}

/// Whether a finding is about a URL that lacks its host, and nothing shows which.
fn lacks_host(finding: &Diagnostic) -> bool {
    let is_of_code = matches!(
        finding.code(),
        DiagnosticCode::RelativeSitemap
            | DiagnosticCode::PlaceholderSitemap
            | DiagnosticCode::RelativeLicense
    );
    is_of_code && finding.proposals().is_empty() && !finding.message().is_empty()
}

fn complete(findings: &mut [Diagnostic], file: &[u8], origin: &str, condition: &str) {
    for finding in findings.iter_mut().filter(|finding| lacks_host(finding)) {
        let value = file.get(finding.span()).unwrap_or_default();
        // The path of a URL, or all of a relative one.
        let path = WholeUrl::new(value).map_or(value, |url| url.path);
        let path = core::str::from_utf8(path).ok();
        let Some(path) = path.filter(|path| is_plain(path)) else {
            continue;
        };
        let url = format!("{origin}/{}", path.trim_start_matches('/'));
        let advice = format!("write {}{condition}", quote(url.as_bytes()));
        let mut proposal = Proposal::write(finding.span(), url);
        // Without a colon after the name, that of the URL would be read as it.
        let start = line_at(file, finding.span().start).start;
        let before = file.get(start..finding.span().start).unwrap_or_default();
        if !before.contains(&b':') {
            let name_end = start.saturating_add(before.trim_ascii_end().len());
            proposal = proposal.and(name_end..finding.span().start, ": ");
        }
        *finding = finding.clone().with_advice(&advice).with_proposal(proposal);
    }
}

/// Whether a path is the text of one, and leads to a file.
fn is_plain(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"\\<>\"{}|^`[]$*".contains(&byte);
    let name = path.trim_start_matches('/');
    let is_of_robots_txt = name.eq_ignore_ascii_case("robots.txt");
    // `bakery.example/a.xml` begins with a host and lacks only the scheme.
    let may_have_host = !path.starts_with('/')
        && name
            .split_once('/')
            .is_some_and(|(folder, _)| folder.contains('.'));
    let is_odd = is_of_robots_txt || may_have_host || name.starts_with('.');
    !name.is_empty() && !is_odd && path.bytes().all(is_plain)
}

/// The first sitemap of each host that is not the one of the file.
fn on_other_hosts(site: &SiteHost, robots_txt: &RobotsTxt) -> Vec<Diagnostic> {
    let sitemaps = sitemaps(robots_txt).filter(has_host);
    let of_hosts = by_host(sitemaps.filter(|sitemap| !site.is_same(sitemap.url.host)));
    let of_hosts = of_hosts.iter();
    let findings = of_hosts.filter_map(|(host, sitemaps)| on_other_host(site, host, sitemaps));
    findings.collect()
}

fn on_other_host(site: &SiteHost, host: &[u8], sitemaps: &[Sitemap<'_>]) -> Option<Diagnostic> {
    let record = sitemaps.first()?.record;
    let own = quote(site.host.as_bytes());
    let start = format!("this sitemap is on {}", quote(host));
    let is_test = is_test_host(host) && !is_test_host(site.host.as_bytes());
    let code = DiagnosticCode::SitemapOnOtherHost;
    if !is_test {
        let message = format!(
            "{start}, and the file is on {own}, which is right if the sitemap lists pages of {own}"
        );
        return Some(Diagnostic::on(&record, code, message).with_severity(Severity::Note));
    }
    let message = format!(
        "{start}, which looks like a host for tests, and the file is on {own}; write {own} in its place"
    );
    let hosts = write_each(sitemaps, Sitemap::host_span, &site.host);
    let advice = Advice::new(message).propose_all(hosts);
    Some(Diagnostic::on(&record, code, advice))
}

/// Whether a host has a name such as `staging` below that of the site: `staging.bakery.example`,
/// `www-dev2.bakery.example`.
fn is_test_host(host: &[u8]) -> bool {
    let host = host.split(|byte| *byte == b':').next().unwrap_or_default();
    let is_word = |word: &[u8]| {
        let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit());
        let word = word.get(..word.len().saturating_sub(digits.count()));
        word.is_some_and(|word| words(TEST_WORDS).any(|known| known == word))
    };
    let mut labels = host.rsplit(|byte| *byte == b'.').skip(2);
    labels.any(|label| label.split(|byte| matches!(byte, b'-' | b'_')).any(is_word))
}

/// Words in the names of hosts on which sites are tried out.
const TEST_WORDS: &str = include_str!("words/test_hosts.txt");
