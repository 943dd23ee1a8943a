//! [`Linter`]: the findings that a caller wants, in the order of the lines.

use std::collections::BTreeSet;

use polite_robots::RobotsTxt;

use crate::code::{DiagnosticCode, Severity};
use crate::crawlers::CrawlerTable;
use crate::diagnostic::{Diagnostic, Sink, by_place};
use crate::groups::only_rule::keep_groups_apart;
use crate::lines::{Text, lint_lines};
use crate::opinions::opinions;
use crate::rules::lint_rules;
use crate::site_host::{SiteHost, complete_by_sitemaps};

/// All findings of a file but opinions, in the order of its lines: those of [`Linter::new`].
///
/// If no line is a record, there are no findings about single lines: one cause is reported once.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_lint::{DiagnosticCode, lint};
///
/// let found = lint(&RobotsTxt::parse(b"User-agent: GTPBot\nDisalow: /x\n"));
/// // No crawler is called so; GPTBot is.
/// assert_eq!(found[0].code(), DiagnosticCode::MisspelledCrawler);
/// assert_eq!(found[1].code(), DiagnosticCode::MisspelledField);
///
/// let found = lint(&RobotsTxt::parse(b"Service Unavailable\nTry later\n"));
/// let codes: Vec<&str> = found.iter().map(|finding| finding.code().as_str()).collect();
/// assert_eq!(codes, ["no-record"]);
/// ```
#[must_use]
pub fn lint(robots_txt: &RobotsTxt) -> Vec<Diagnostic> {
    Linter::new().lint(robots_txt)
}

/// The choice of findings.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_lint::{DiagnosticCode, Linter};
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallow: /backup/\nDisalow: /cart\n");
/// let codes = |linter: Linter| -> Vec<DiagnosticCode> {
///     linter.lint(&robots_txt).iter().map(|finding| finding.code()).collect()
/// };
/// assert_eq!(codes(Linter::new()), [DiagnosticCode::MisspelledField]);
/// assert_eq!(codes(Linter::new().only_rules()), []);
/// let with_opinions = codes(Linter::new().only_rules().with_opinions());
/// assert_eq!(with_opinions, [DiagnosticCode::NoSitemap, DiagnosticCode::RevealingPath]);
/// ```
#[derive(Debug, Clone)]
pub struct Linter {
    scope: Scope,
    // Functions and not flags: a module for the web that asks for none of the three has no code for
    // them.
    crawlers: Option<CrawlerTable>,
    opinions: Option<Opinions>,
    host: Option<SiteHost>,
}

/// The part of a file that findings are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    Lines,
    Rules,
}

type Opinions = fn(&RobotsTxt) -> Vec<Diagnostic>;

impl Default for Linter {
    fn default() -> Linter {
        Linter::new()
    }
}

impl Linter {
    /// All findings but opinions. Agents are compared with the table of known crawlers.
    #[must_use]
    pub fn new() -> Linter {
        Linter {
            crawlers: Some(CrawlerTable::new()),
            ..Linter::without_crawlers()
        }
    }

    /// All findings that the file shows alone, without the table of known crawlers: none whose code
    /// [needs it](DiagnosticCode::needs_known_crawlers). The table would refute or explain some of
    /// them. No sentence says that its proposal changes no answer because of other lines. A closed
    /// site that lets a named crawler in is not reported, because only the table says whether that
    /// crawler is a search engine.
    #[must_use]
    pub fn without_crawlers() -> Linter {
        Linter {
            scope: Scope::All,
            crawlers: None,
            opinions: None,
            host: None,
        }
    }

    /// Only the findings that single lines show.
    #[must_use]
    pub fn only_lines(self) -> Linter {
        let scope = Scope::Lines;
        Linter { scope, ..self }
    }

    /// Only the findings that several lines show together.
    #[must_use]
    pub fn only_rules(self) -> Linter {
        let scope = Scope::Rules;
        Linter { scope, ..self }
    }

    /// Opinions too: findings about files that do what their authors meant
    /// ([`DiagnosticCode::is_opinion`]).
    #[must_use]
    pub fn with_opinions(self) -> Linter {
        let opinions = Some(opinions as Opinions);
        Linter { opinions, ..self }
    }

    /// The findings that the host of the file shows too, which the file itself does not state
    /// ([`DiagnosticCode::needs_host`]). With it a sitemap that lacks its host can be written
    /// whole. `host` is a host with or without a port, or a URL on it.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots_lint::{DiagnosticCode, Linter, Severity};
    ///
    /// let file = b"Sitemap: https://staging.bakery.example/map.xml\nUser-agent: *\nDisallow: /cart\n";
    /// let robots_txt = RobotsTxt::parse(file);
    /// assert_eq!(Linter::new().lint(&robots_txt), []);
    ///
    /// let found = Linter::new().with_host("www.bakery.example").lint(&robots_txt);
    /// assert_eq!(found[0].code(), DiagnosticCode::SitemapOnOtherHost);
    /// assert_eq!(found[0].severity(), Severity::Warning);
    /// let fixed = found[0].proposals()[0].apply(file);
    /// assert!(fixed.starts_with(b"Sitemap: https://www.bakery.example/map.xml\n"));
    /// ```
    #[must_use]
    pub fn with_host(self, host: &str) -> Linter {
        let host = Some(SiteHost::new(host));
        Linter { host, ..self }
    }

    /// The findings of a file, in the order of its lines.
    #[must_use]
    pub fn lint(&self, robots_txt: &RobotsTxt) -> Vec<Diagnostic> {
        self.collect(robots_txt, Text::Read)
    }

    /// Hands the findings of a file to a sink, in the order of its lines.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots_lint::{Diagnostic, Linter, Severity};
    ///
    /// let robots_txt = RobotsTxt::parse(b"Disallow: /x\nUser-agent: *\nDisallow: x");
    /// let mut errors = 0;
    /// let mut count_errors =
    ///     |finding: Diagnostic| errors += u32::from(finding.severity() == Severity::Error);
    /// Linter::new().report(&robots_txt, &mut count_errors);
    /// assert_eq!(errors, 2);
    /// ```
    pub fn report(&self, robots_txt: &RobotsTxt, sink: &mut (impl Sink + ?Sized)) {
        let text = match sink.reads_text() {
            true => Text::Read,
            false => Text::Unread,
        };
        // A survey keeps a few bytes of each of these, of which a hostile file has half a million.
        if self.scope == Scope::Lines && self.crawlers.is_none() && self.opinions.is_none() {
            return lint_lines(robots_txt, text, &mut |finding| sink.report(finding));
        }
        for finding in self.collect(robots_txt, text) {
            sink.report(finding);
        }
    }

    fn collect(&self, robots_txt: &RobotsTxt, text: Text) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        if self.scope != Scope::Rules {
            lint_lines(robots_txt, text, &mut |finding| findings.push(finding));
        }
        if self.scope != Scope::Lines {
            // Without the table each name may be that of a search engine.
            let keeps_open = |agent: &[u8]| match &self.crawlers {
                Some(crawlers) => (crawlers.is_search_engine)(agent),
                None => true,
            };
            findings.append(&mut lint_rules(robots_txt, text, keeps_open));
        }
        if let Some(crawlers) = &self.crawlers {
            (crawlers.correct)(&mut findings, robots_txt);
            if self.scope != Scope::Lines {
                (crawlers.add)(&mut findings, robots_txt);
            }
        }
        keep_groups_apart(&mut findings, robots_txt);
        if self.scope != Scope::Lines {
            if let Some(host) = &self.host {
                (host.report)(host, &mut findings, robots_txt);
            } else if text == Text::Read {
                complete_by_sitemaps(&mut findings, robots_txt);
            }
        }
        join_overruled_comments(&mut findings);
        let is_no_record = |finding: &Diagnostic| {
            finding.code() == DiagnosticCode::NoRecord && finding.severity() == Severity::Error
        };
        if findings.iter().any(is_no_record) {
            findings.retain(|finding| is_about_the_file(finding.code()));
        }
        if let Some(crawlers) = self.crawlers.filter(|_| text == Text::Read) {
            (crawlers.settle)(&mut findings, robots_txt);
        }
        if let Some(opinions) = self.opinions {
            findings.append(&mut opinions(robots_txt));
        }
        // Findings about lines come in their order already.
        if self.scope != Scope::Lines || self.opinions.is_some() {
            return by_place(findings);
        }
        findings
    }
}

/// Says in the finding about a `#` in a path that its line is overruled, in place of a second
/// finding: `Disallow: /#/a` was never meant to close the whole site.
fn join_overruled_comments(findings: &mut Vec<Diagnostic>) {
    let [cut, opened] = [
        DiagnosticCode::CommentInPath,
        DiagnosticCode::SiteOpenedByAllow,
    ]
    .map(|code| -> BTreeSet<u32> {
        let of_code = findings.iter().filter(|finding| finding.code() == code);
        of_code.map(Diagnostic::line).collect()
    });
    findings.retain(|finding| {
        finding.code() != DiagnosticCode::SiteOpenedByAllow || !cut.contains(&finding.line())
    });
    for finding in findings
        .iter_mut()
        .filter(|finding| !finding.message().is_empty())
    {
        if finding.code() == DiagnosticCode::CommentInPath && opened.contains(&finding.line()) {
            let advice = "an `Allow` takes precedence over it, so it closes nothing";
            *finding = finding.clone().with_advice(advice);
        }
    }
}

fn is_about_the_file(code: DiagnosticCode) -> bool {
    matches!(
        code,
        DiagnosticCode::HtmlDocument
            | DiagnosticCode::Utf16
            | DiagnosticCode::NoRecord
            | DiagnosticCode::ByteOrderMark
            | DiagnosticCode::TooLarge
            | DiagnosticCode::Truncated
    )
}
