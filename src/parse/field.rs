//! The field names that are known, and the lookup of a name as a file writes it.

use core::fmt;

use crate::access::Access;
use crate::options::Dialect;
use crate::parse::part::Part;
use crate::parse::trim::trim_start;

/// The subject of a record: the field that its name stands for.
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

/// A record whose field is known: what the robots and the document are made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record<'a> {
    pub(crate) directive: Directive,
    /// The value as it is written: see [`Part::value`].
    pub(crate) written: Part<'a>,
    /// Counted from 1.
    pub(crate) line: u32,
}

/// Generates [`ExtensionField`] and everything that lists all its members from one row for each
/// field.
///
/// The columns: the variant, the field name as its specification writes it, the part of a file that
/// a record applies to, and accepted misspellings in lower case.
macro_rules! extension_fields {
    ($(
        $(#[$doc:meta])+
        $variant:ident, $name:literal, $level:ident, [$($misspelling:literal),*];
    )+) => {
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
            $($(#[$doc])+ $variant,)+
        }

        impl ExtensionField {
            /// Every field, by name.
            ///
            /// ```
            /// use polite_robots::record::ExtensionField;
            ///
            /// let named = |name: &str| ExtensionField::ALL.iter().find(|field| field.as_str() == name);
            /// assert_eq!(named("Crawl-delay"), Some(&ExtensionField::CrawlDelay));
            /// ```
            pub const ALL: &'static [ExtensionField] = &[$(ExtensionField::$variant),+];

            /// The field name as its specification writes it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(ExtensionField::$variant => $name,)+
                }
            }

            /// Whether a record applies to one group or to the whole file.
            ///
            /// A `Content-Signal` or `License` above every `User-agent` line applies to everyone
            /// all the same; see [`Extension::scope`](crate::record::Extension::scope).
            pub const fn level(self) -> ExtensionLevel {
                match self {
                    $(ExtensionField::$variant => ExtensionLevel::$level,)+
                }
            }
        }

        impl Directive {
            /// Every directive; the extensions come last, in the order of [`ExtensionField`].
            pub(crate) const ALL: &'static [Directive] = &[
                Directive::UserAgent,
                Directive::Rule(Access::Allow),
                Directive::Rule(Access::Disallow),
                $(Directive::Extension(ExtensionField::$variant),)+
            ];
        }

        const EXTENSION_NAMES: &[(&str, ExtensionField)] = &[$(
            ($name, ExtensionField::$variant),
            $(($misspelling, ExtensionField::$variant),)*
        )+];
    };
}

extension_fields! {
    /// Query parameters that do not change a page (Yandex).
    CleanParam, "Clean-param", File, [];
    /// A remark (robots.txt 2.0, a draft of 1996).
    Comment, "Comment", Group, [];
    /// Permitted uses of the content: search, AI input, AI training (contentsignals.org).
    ContentSignal, "Content-Signal", Group, [];
    /// Permitted uses as a structured field with an optional path (draft-ietf-aipref-attach).
    ContentUsage, "Content-Usage", Group, [];
    /// Seconds between two requests.
    CrawlDelay, "Crawl-delay", Group, ["crawl delay", "crawldelay"];
    /// The preferred host name (Yandex, until 2018).
    Host, "Host", File, [];
    /// The URL of license terms (Really Simple Licensing).
    License, "License", Group, [];
    /// Paths not to index; never standard, and dropped by Google in 2019.
    Noindex, "Noindex", Group, [];
    /// Documents per time (robots.txt 2.0, a draft of 1996).
    RequestRate, "Request-rate", Group, [];
    /// The version of the format (robots.txt 2.0, a draft of 1996).
    RobotVersion, "Robot-version", Group, [];
    /// The URL of a sitemap (sitemaps.org).
    Sitemap, "Sitemap", File, ["site-map"];
    /// The time of day for visits, in UTC (robots.txt 2.0, a draft of 1996).
    VisitTime, "Visit-time", Group, [];
}

impl ExtensionField {
    /// Whether a record above every `User-agent` line applies to everyone. Managed files have their
    /// `Content-Signal` there, and RSL 1.0 §4.4 allows it for `License`.
    pub const fn is_for_everyone_above_groups(self) -> bool {
        matches!(
            self,
            ExtensionField::ContentSignal | ExtensionField::License
        )
    }
}

impl fmt::Display for ExtensionField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The part of a file that a record outside of RFC 9309 applies to, by its field.
///
/// ```
/// use polite_robots::record::{ExtensionField, ExtensionLevel};
///
/// assert_eq!(ExtensionField::Sitemap.level(), ExtensionLevel::File);
/// assert_eq!(ExtensionField::CrawlDelay.level(), ExtensionLevel::Group);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExtensionLevel {
    /// The whole file: the record applies to everyone, wherever it stands.
    File,
    /// One group: the record applies to the agents of the `User-agent` lines directly above it.
    Group,
}

/// How closely a field name follows its specification.
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
    /// A misspelling that counts, or a name with noise after it; in the Google dialect every name
    /// that begins like the field's.
    Misspelled,
}

impl Spelling {
    /// The spelling of a field that was read as this directive.
    pub(crate) fn of(field: &[u8], directive: Directive) -> Spelling {
        if is_name(field, directive.as_str()) {
            Spelling::Standard
        } else {
            Spelling::Misspelled
        }
    }
}

/// Returns the directive of a field name in any case, or `None` if the field is unknown.
///
/// Google's matcher reads every name that begins with `User-agent`, `Allow`, `Disallow` or
/// `Sitemap` as that field, and accepts the misspellings below. The RFC dialect reads the first
/// three as tokens: `Disallowed` and `Disallow-` count, but `DisallowAITraining` is the name of
/// another record (RFC 9309 §2.2.4). All other names are compared whole.
#[inline]
pub(crate) fn directive(field: &[u8], dialect: Dialect) -> Option<Directive> {
    let (directive, names): (Directive, &[&str]) = match field.first()?.to_ascii_lowercase() {
        b'u' => (Directive::UserAgent, USER_AGENT_NAMES),
        b'a' => (Directive::Rule(Access::Allow), &["allow"]),
        b'd' => (Directive::Rule(Access::Disallow), DISALLOW_NAMES),
        _ => return extension(field, dialect).map(Directive::Extension),
    };
    let tail = names.iter().find_map(|name| without_word(field, name))?;
    (dialect == Dialect::Google || is_end_of_token(tail, directive)).then_some(directive)
}

const USER_AGENT_NAMES: &[&str] = &["user-agent", "useragent", "user agent"];

const DISALLOW_NAMES: &[&str] = &[
    "disallow",
    "dissallow",
    "dissalow",
    "disalow",
    "diasllow",
    "disallaw",
];

/// Whether a field is this name in any case. Nearly all are written exactly as the name, which is
/// faster to compare.
fn is_name(field: &[u8], name: &str) -> bool {
    field == name.as_bytes() || field.eq_ignore_ascii_case(name.as_bytes())
}

fn extension(field: &[u8], dialect: Dialect) -> Option<ExtensionField> {
    let is_read_as = |(name, known): &&(&str, ExtensionField)| match (known, dialect) {
        (ExtensionField::Sitemap, Dialect::Google) => without_word(field, name).is_some(),
        _ => is_name(field, name),
    };
    // From the end, as `Sitemap`, the most common by far, is one of the last.
    let (_, known) = EXTENSION_NAMES.iter().rev().find(is_read_as)?;
    Some(*known)
}

/// Whether the name of a known field may begin with a byte. Nearly all lines that are not records
/// begin with another one: a third of the lines of real files, most of them of HTML pages.
#[inline(always)]
pub(crate) fn may_begin_name(byte: u8) -> bool {
    FIRST_LETTERS & letter(byte) != 0
}

const FIRST_LETTERS: u32 = {
    let of_rfc9309 = letter(b'u') | letter(b'a') | letter(b'd');
    let (mut letters, mut names) = (of_rfc9309, EXTENSION_NAMES);
    while let [(name, _), after @ ..] = names {
        if let [first, ..] = name.as_bytes() {
            letters |= letter(*first);
        }
        names = after;
    }
    letters
};

/// The bit of a letter in any case. Few other bytes share it, and a comparison separates them.
const fn letter(byte: u8) -> u32 {
    1 << (byte & 0x1F)
}

/// Whether `tail` continues the name of a field in one of the accepted ways: with an ending, with
/// `all` after the name of a rule, with hyphens, and then with noise, which begins with neither a
/// letter, a digit nor a further word.
fn is_end_of_token(tail: &[u8], directive: Directive) -> bool {
    let is_rule = directive != Directive::UserAgent;
    let ed = || without_word(tail, "ed").filter(|_| is_rule);
    let mut rest = without_word(tail, "s").or_else(ed).unwrap_or(tail);
    if is_rule {
        let word = trim_start(rest);
        let all = without_word(word, "all").filter(|_| word.len() < rest.len());
        rest = all.unwrap_or(rest);
    }
    while let [b'-' | b'_', after @ ..] = rest {
        rest = after;
    }
    !trim_start(rest)
        .first()
        .is_some_and(u8::is_ascii_alphanumeric)
}

fn without_word<'a>(text: &'a [u8], word: &str) -> Option<&'a [u8]> {
    let (head, rest) = text.split_at_checked(word.len())?;
    head.eq_ignore_ascii_case(word.as_bytes()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    use Spelling::{Misspelled, Standard};

    fn known(field: &str, dialect: Dialect) -> Option<(Directive, Spelling)> {
        let field = field.as_bytes();
        directive(field, dialect).map(|directive| (directive, Spelling::of(field, directive)))
    }

    #[test]
    fn every_directive_is_known_by_its_name() {
        for directive in Directive::ALL {
            for dialect in [Dialect::Rfc9309, Dialect::Google] {
                let standard = Some((*directive, Standard));
                assert_eq!(known(directive.as_str(), dialect), standard);
            }
        }
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
            (
                "sitemap_index",
                Directive::Extension(ExtensionField::Sitemap),
            ),
        ] {
            assert_eq!(known(name, Dialect::Rfc9309), None, "{name}");
            let google = Some((google, Misspelled));
            assert_eq!(known(name, Dialect::Google), google, "{name}");
        }
    }
}
