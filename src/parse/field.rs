//! Field name → directive, by the spellings that a dialect accepts.

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
    /// A misspelling that counts, or a name with noise after it; in the Google dialect every name that begins like the
    /// field's.
    Misspelled,
}

/// The directive of a field name; `None` for a field that nobody here knows.
///
/// Google's matcher reads every name that begins with `User-agent`, `Allow`, `Disallow` or `Sitemap` as that field.
/// The RFC dialect reads the first three as tokens: `Disallowed` and `Disallow-` count, `DisallowAITraining` is the
/// name of another record. All other names are compared whole.
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
        head.eq_ignore_ascii_case(entry.text)
            && match (tail, entry.compared, dialect) {
                ([], _, _) => true,
                (_, Compared::Whole, _) => false,
                (_, Compared::AsToken(_) | Compared::AsPrefixByGoogle, Dialect::Google) => true,
                (_, Compared::AsToken(shape), Dialect::Rfc9309) => ends_token(tail, shape),
                (_, Compared::AsPrefixByGoogle, Dialect::Rfc9309) => false,
            }
    })?;
    let spelling = if field.len() == entry.text.len() {
        entry.spelling
    } else {
        Misspelled
    };
    Some((entry.directive, spelling))
}

/// Whether the name of a field ends before `tail` or goes on as it may: with an ending, with `all` after the name of a rule,
/// with hyphens, and then with noise, which begins with no letter, digit or further word.
fn ends_token(tail: &[u8], shape: Shape) -> bool {
    let rest = match shape {
        Shape::Agent => without_word(tail, b"s").unwrap_or(tail),
        Shape::Rule => {
            let ending = without_word(tail, b"s").or_else(|| without_word(tail, b"ed"));
            let rest = ending.unwrap_or(tail);
            let word = without_blanks(rest);
            let all = without_word(word, b"all").filter(|_| word.len() < rest.len());
            all.unwrap_or(rest)
        }
    };
    let mut noise = rest;
    while let [b'-' | b'_', after @ ..] = noise {
        noise = after;
    }
    !without_blanks(noise)
        .first()
        .is_some_and(u8::is_ascii_alphanumeric)
}

fn without_word<'a>(text: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let (head, rest) = text.split_at_checked(word.len())?;
    head.eq_ignore_ascii_case(word).then_some(rest)
}

fn without_blanks(text: &[u8]) -> &[u8] {
    let mut text = text;
    while let [b' ' | b'\t' | 0x0B | 0x0C | b'\r', rest @ ..] = text {
        text = rest;
    }
    text
}

struct Entry {
    text: &'static [u8],
    directive: Directive,
    spelling: Spelling,
    compared: Compared,
}

#[derive(Clone, Copy)]
enum Compared {
    /// As a prefix by Google's matcher, as a token by the RFC dialect.
    AsToken(Shape),
    AsPrefixByGoogle,
    Whole,
}

/// The endings that a token may have.
#[derive(Clone, Copy)]
enum Shape {
    Agent,
    Rule,
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

const fn agent(text: &'static [u8], spelling: Spelling) -> Entry {
    let compared = Compared::AsToken(Shape::Agent);
    entry(text, Directive::UserAgent, spelling, compared)
}

const fn rule(text: &'static [u8], access: Access, spelling: Spelling) -> Entry {
    let compared = Compared::AsToken(Shape::Rule);
    entry(text, Directive::Rule(access), spelling, compared)
}

use Spelling::{Misspelled, Standard};

const USER_AGENT: &[Entry] = &[
    agent(b"user-agent", Standard),
    agent(b"useragent", Misspelled),
    agent(b"user agent", Misspelled),
];

const ALLOW: &[Entry] = &[rule(b"allow", Access::Allow, Standard)];

const DISALLOW: &[Entry] = &[
    rule(b"disallow", Access::Disallow, Standard),
    rule(b"dissallow", Access::Disallow, Misspelled),
    rule(b"dissalow", Access::Disallow, Misspelled),
    rule(b"disalow", Access::Disallow, Misspelled),
    rule(b"diasllow", Access::Disallow, Misspelled),
    rule(b"disallaw", Access::Disallow, Misspelled),
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
    fn both_dialects_know_misspellings_endings_and_noise() {
        let disallow = Directive::Rule(Access::Disallow);
        for dialect in [Dialect::Rfc9309, Dialect::Google] {
            assert_eq!(known("DISALLOW", dialect), Some((disallow, Standard)));
            for name in [
                "diasllow",
                "Disallowed",
                "DisalowS",
                "Disallow all",
                "Disallowed\t All-",
                "Disallow /a",
                "Disallow-",
                "Disallow.",
                "Disallow \"x\"",
                "Disallow\u{a0}",
                "Disallow -x",
                "Disallow\u{b}all",
            ] {
                assert_eq!(known(name, dialect), Some((disallow, Misspelled)), "{name}");
            }
            for name in ["Useragents", "User agents", "User-agent_", "user-agents: "] {
                let agent = Some((Directive::UserAgent, Misspelled));
                assert_eq!(known(name, dialect), agent, "{name}");
            }
            for name in ["user  agent", "dis allow", "allo", "crawl-delays", ""] {
                assert_eq!(known(name, dialect), None, "{name}");
            }
        }
    }

    #[test]
    fn google_reads_prefixes_and_rfc9309_tokens() {
        for (name, google) in [
            ("DisallowAITraining", Directive::Rule(Access::Disallow)),
            ("Disallow-AI-Training", Directive::Rule(Access::Disallow)),
            ("Disallow AI training", Directive::Rule(Access::Disallow)),
            ("Disallow https", Directive::Rule(Access::Disallow)),
            ("Disallow all pages", Directive::Rule(Access::Disallow)),
            ("Disallowall", Directive::Rule(Access::Disallow)),
            ("Disallow- all", Directive::Rule(Access::Disallow)),
            ("Disallow\u{c}x", Directive::Rule(Access::Disallow)),
            ("disalow2", Directive::Rule(Access::Disallow)),
            ("AllowAITraining", Directive::Rule(Access::Allow)),
            ("allow_resize", Directive::Rule(Access::Allow)),
            ("Allowance", Directive::Rule(Access::Allow)),
            ("User-agent-purpose", Directive::UserAgent),
            ("User-agent all", Directive::UserAgent),
            ("User-agented", Directive::UserAgent),
            ("sitemap_index", SITEMAP_FIELD),
        ] {
            assert_eq!(known(name, Dialect::Rfc9309), None, "{name}");
            let google = Some((google, Misspelled));
            assert_eq!(known(name, Dialect::Google), google, "{name}");
        }
    }
}
