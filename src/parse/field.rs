//! Field name → directive, by the spellings that Google's matcher accepts.

use crate::access::Access;
use crate::options::Dialect;
use crate::parse::line::Value;

/// What a record is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Directive {
    UserAgent,
    Rule(Access),
    Extension(ExtensionField),
}

impl Directive {
    /// The field name as its specification writes it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Directive::UserAgent => "User-agent",
            Directive::Rule(access) => access.as_str(),
            Directive::Extension(field) => field.as_str(),
        }
    }
}

/// The fields outside of RFC 9309 that this crate knows. None of them changes a verdict.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::record::{ExtensionField, ExtensionLevel};
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: *\nNoindex: /x\nHost: example.com");
/// let fields: Vec<_> = robots_txt.extensions().map(|record| record.field()).collect();
/// assert_eq!(fields, [ExtensionField::Noindex, ExtensionField::Host]);
/// assert_eq!(ExtensionField::Host.level(), ExtensionLevel::File);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ExtensionField {
    /// Query parameters that do not change a page (Yandex).
    CleanParam,
    /// A remark (robots.txt 2.0, a draft of 1996).
    Comment,
    /// What the content may be used for: search, AI input, AI training (contentsignals.org).
    ContentSignal,
    /// The same as a structured field with an optional path (draft-ietf-aipref-attach).
    ContentUsage,
    /// Seconds between two requests.
    CrawlDelay,
    /// The preferred host name (Yandex, until 2018).
    Host,
    /// The URL of licence terms (Really Simple Licensing).
    License,
    /// Paths not to index; never standard, and dropped by Google in 2019.
    Noindex,
    /// Documents per time (robots.txt 2.0, a draft of 1996).
    RequestRate,
    /// The version of the format (robots.txt 2.0, a draft of 1996).
    RobotVersion,
    /// The URL of a sitemap (sitemaps.org).
    Sitemap,
    /// The time of day for visits, in UTC (robots.txt 2.0, a draft of 1996).
    VisitTime,
}

impl ExtensionField {
    /// Every field, by name.
    pub const ALL: &'static [ExtensionField] = &[
        ExtensionField::CleanParam,
        ExtensionField::Comment,
        ExtensionField::ContentSignal,
        ExtensionField::ContentUsage,
        ExtensionField::CrawlDelay,
        ExtensionField::Host,
        ExtensionField::License,
        ExtensionField::Noindex,
        ExtensionField::RequestRate,
        ExtensionField::RobotVersion,
        ExtensionField::Sitemap,
        ExtensionField::VisitTime,
    ];

    /// The field name as its specification writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ExtensionField::CleanParam => "Clean-param",
            ExtensionField::Comment => "Comment",
            ExtensionField::ContentSignal => "Content-Signal",
            ExtensionField::ContentUsage => "Content-Usage",
            ExtensionField::CrawlDelay => "Crawl-delay",
            ExtensionField::Host => "Host",
            ExtensionField::License => "License",
            ExtensionField::Noindex => "Noindex",
            ExtensionField::RequestRate => "Request-rate",
            ExtensionField::RobotVersion => "Robot-version",
            ExtensionField::Sitemap => "Sitemap",
            ExtensionField::VisitTime => "Visit-time",
        }
    }

    /// To whom such a record speaks. A `Content-Signal` or `License` above every `User-agent` line speaks to everyone
    /// all the same, as [`Extension::scope`](crate::record::Extension::scope) says.
    #[must_use]
    pub const fn level(self) -> ExtensionLevel {
        match self {
            ExtensionField::CleanParam | ExtensionField::Host | ExtensionField::Sitemap => {
                ExtensionLevel::File
            }
            ExtensionField::Comment
            | ExtensionField::ContentSignal
            | ExtensionField::ContentUsage
            | ExtensionField::CrawlDelay
            | ExtensionField::License
            | ExtensionField::Noindex
            | ExtensionField::RequestRate
            | ExtensionField::RobotVersion
            | ExtensionField::VisitTime => ExtensionLevel::Group,
        }
    }

    /// Whether such a record speaks to everyone where it stands above every `User-agent` line. Managed files have
    /// their `Content-Signal` there, and RSL 1.0 §4.4 says so of `License`.
    pub(crate) const fn is_for_all_above_groups(self) -> bool {
        matches!(
            self,
            ExtensionField::ContentSignal | ExtensionField::License
        )
    }
}

impl core::fmt::Display for ExtensionField {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// To whom a record outside of RFC 9309 speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExtensionLevel {
    /// To everyone, wherever it stands in the file.
    File,
    /// To the agents of the `User-agent` lines directly above it.
    Group,
}

/// A record whose field is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownRecord<'a> {
    pub(crate) directive: Directive,
    pub(crate) value: Value<'a>,
    /// From 1.
    pub(crate) line: u32,
}

/// How a field name was recognised.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::document::Spelling;
///
/// let robots_txt = RobotsTxt::parse(b"Useragent: *");
/// assert_eq!(robots_txt.lines().next().unwrap().spelling(), Some(Spelling::Misspelled));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// As its specification writes it, in any case.
    Standard,
    /// A misspelling that Google's matcher knows, or a name that only begins like the field's.
    Misspelled,
}

/// The directive of a field name; `None` for a field that nobody here knows.
///
/// `User-agent`, `Allow` and `Disallow` need only begin the name (`Disallowed:`), because Google's matcher asks
/// no more. The same holds for `Sitemap` in the Google dialect; extension records are compared whole.
#[inline]
pub(crate) fn directive(field: &[u8], dialect: Dialect) -> Option<(Directive, Spelling)> {
    let spellings: &[Entry] = match field.first()?.to_ascii_lowercase() {
        b'u' => USER_AGENT,
        b'a' => ALLOW,
        b'd' => DISALLOW,
        b's' => SITEMAP,
        b'c' => EXTENSIONS_WITH_C,
        b'h' => HOST,
        b'l' => LICENSE,
        b'n' => NOINDEX,
        b'r' => EXTENSIONS_WITH_R,
        b'v' => VISIT_TIME,
        _ => return None,
    };
    let entry = spellings.iter().find(|entry| {
        let (head, tail) = match field.split_at_checked(entry.text.len()) {
            Some(split) => split,
            None => return false,
        };
        let whole = match entry.compared {
            Compared::AsPrefix => false,
            Compared::Whole => true,
            Compared::AsPrefixByGoogle => dialect == Dialect::Rfc9309,
        };
        (tail.is_empty() || !whole) && head.eq_ignore_ascii_case(entry.text)
    })?;
    let spelling = if field.len() == entry.text.len() {
        entry.spelling
    } else {
        Misspelled
    };
    Some((entry.directive, spelling))
}

struct Entry {
    text: &'static [u8],
    directive: Directive,
    spelling: Spelling,
    compared: Compared,
}

enum Compared {
    AsPrefix,
    AsPrefixByGoogle,
    Whole,
}

const fn entry(
    text: &'static [u8],
    directive: Directive,
    spelling: Spelling,
    compared: Compared,
) -> Entry {
    Entry {
        text,
        directive,
        spelling,
        compared,
    }
}

const fn prefix(text: &'static [u8], directive: Directive, spelling: Spelling) -> Entry {
    entry(text, directive, spelling, Compared::AsPrefix)
}

use Spelling::{Misspelled, Standard};

const USER_AGENT: &[Entry] = &[
    prefix(b"user-agent", Directive::UserAgent, Standard),
    prefix(b"useragent", Directive::UserAgent, Misspelled),
    prefix(b"user agent", Directive::UserAgent, Misspelled),
];

const ALLOW: &[Entry] = &[prefix(b"allow", Directive::Rule(Access::Allow), Standard)];

const DISALLOW: &[Entry] = &[
    prefix(b"disallow", Directive::Rule(Access::Disallow), Standard),
    prefix(b"dissallow", Directive::Rule(Access::Disallow), Misspelled),
    prefix(b"dissalow", Directive::Rule(Access::Disallow), Misspelled),
    prefix(b"disalow", Directive::Rule(Access::Disallow), Misspelled),
    prefix(b"diasllow", Directive::Rule(Access::Disallow), Misspelled),
    prefix(b"disallaw", Directive::Rule(Access::Disallow), Misspelled),
];

const fn whole(text: &'static [u8], field: ExtensionField, spelling: Spelling) -> Entry {
    entry(text, Directive::Extension(field), spelling, Compared::Whole)
}

const SITEMAP_FIELD: Directive = Directive::Extension(ExtensionField::Sitemap);

const SITEMAP: &[Entry] = &[
    entry(
        b"sitemap",
        SITEMAP_FIELD,
        Standard,
        Compared::AsPrefixByGoogle,
    ),
    entry(
        b"site-map",
        SITEMAP_FIELD,
        Misspelled,
        Compared::AsPrefixByGoogle,
    ),
];

const EXTENSIONS_WITH_C: &[Entry] = &[
    whole(b"crawl-delay", ExtensionField::CrawlDelay, Standard),
    whole(b"crawl delay", ExtensionField::CrawlDelay, Misspelled),
    whole(b"crawldelay", ExtensionField::CrawlDelay, Misspelled),
    whole(b"clean-param", ExtensionField::CleanParam, Standard),
    whole(b"content-signal", ExtensionField::ContentSignal, Standard),
    whole(b"content-usage", ExtensionField::ContentUsage, Standard),
    whole(b"comment", ExtensionField::Comment, Standard),
];

const HOST: &[Entry] = &[whole(b"host", ExtensionField::Host, Standard)];

const LICENSE: &[Entry] = &[whole(b"license", ExtensionField::License, Standard)];

const NOINDEX: &[Entry] = &[whole(b"noindex", ExtensionField::Noindex, Standard)];

const EXTENSIONS_WITH_R: &[Entry] = &[
    whole(b"request-rate", ExtensionField::RequestRate, Standard),
    whole(b"robot-version", ExtensionField::RobotVersion, Standard),
];

const VISIT_TIME: &[Entry] = &[whole(b"visit-time", ExtensionField::VisitTime, Standard)];

#[cfg(test)]
mod tests {
    use super::*;

    fn known(field: &str, dialect: Dialect) -> Option<(Directive, Spelling)> {
        directive(field.as_bytes(), dialect)
    }

    #[test]
    fn google_prefixes_and_misspellings() {
        for dialect in [Dialect::Rfc9309, Dialect::Google] {
            let rule = Directive::Rule(Access::Disallow);
            assert_eq!(known("DISALLOW", dialect), Some((rule, Standard)));
            assert_eq!(known("Disallowed", dialect), Some((rule, Misspelled)));
            assert_eq!(known("Disallow /a", dialect), Some((rule, Misspelled)));
            assert_eq!(known("diasllow", dialect), Some((rule, Misspelled)));
            assert_eq!(
                known("User-agents", dialect),
                Some((Directive::UserAgent, Misspelled))
            );
            assert_eq!(known("user  agent", dialect), None);
            assert_eq!(known("dis allow", dialect), None);
            assert_eq!(known("allo", dialect), None);
            assert_eq!(known("crawl-delays", dialect), None);
            assert_eq!(known("", dialect), None);
        }
        assert_eq!(known("sitemap_index", Dialect::Rfc9309), None);
        assert_eq!(
            known("sitemap_index", Dialect::Google),
            Some((SITEMAP_FIELD, Misspelled))
        );
    }
}
