//! The field names that are known: one table, and the lookup of a name as a file writes it.

use core::fmt;

use crate::access::Access;
use crate::options::Dialect;
use crate::parse::line::Value;
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
    pub(crate) value: Value<'a>,
    /// Counted from 1.
    pub(crate) line: u32,
}

/// Generates [`ExtensionField`] and everything that lists all its members from one row for each
/// field.
///
/// The columns: the variant, the field name as its specification writes it, the agents whom a
/// record applies to ([`Reach`]), how a name in a file is compared ([`Comparison`]), and accepted
/// misspellings in lower case.
macro_rules! extension_fields {
    ($(
        $(#[$doc:meta])+
        $variant:ident, $name:literal, $reach:ident, $comparison:ident, [$($misspelling:literal),*];
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

            const fn reach(self) -> Reach {
                match self {
                    $(ExtensionField::$variant => Reach::$reach,)+
                }
            }
        }

        const EXTENSION_SPELLINGS: &[KnownName] = &[$(
            extension($name, ExtensionField::$variant, Standard, Comparison::$comparison),
            $(extension($misspelling, ExtensionField::$variant, Misspelled, Comparison::$comparison),)*
        )+];
    };
}

extension_fields! {
    /// Query parameters that do not change a page (Yandex).
    CleanParam, "Clean-param", File, Whole, [];
    /// A remark (robots.txt 2.0, a draft of 1996).
    Comment, "Comment", Group, Whole, [];
    /// Permitted uses of the content: search, AI input, AI training (contentsignals.org).
    ContentSignal, "Content-Signal", GroupOrEveryone, Whole, [];
    /// Permitted uses as a structured field with an optional path (draft-ietf-aipref-attach).
    ContentUsage, "Content-Usage", Group, Whole, [];
    /// Seconds between two requests.
    CrawlDelay, "Crawl-delay", Group, Whole, ["crawl delay", "crawldelay"];
    /// The preferred host name (Yandex, until 2018).
    Host, "Host", File, Whole, [];
    /// The URL of license terms (Really Simple Licensing).
    License, "License", GroupOrEveryone, Whole, [];
    /// Paths not to index; never standard, and dropped by Google in 2019.
    Noindex, "Noindex", Group, Whole, [];
    /// Documents per time (robots.txt 2.0, a draft of 1996).
    RequestRate, "Request-rate", Group, Whole, [];
    /// The version of the format (robots.txt 2.0, a draft of 1996).
    RobotVersion, "Robot-version", Group, Whole, [];
    /// The URL of a sitemap (sitemaps.org).
    Sitemap, "Sitemap", File, GooglePrefix, ["site-map"];
    /// The time of day for visits, in UTC (robots.txt 2.0, a draft of 1996).
    VisitTime, "Visit-time", Group, Whole, [];
}

impl ExtensionField {
    /// Whether a record applies to one group or to the whole file.
    ///
    /// A `Content-Signal` or `License` above every `User-agent` line applies to everyone all the
    /// same; see [`Extension::scope`](crate::record::Extension::scope).
    pub const fn level(self) -> ExtensionLevel {
        match self.reach() {
            Reach::File => ExtensionLevel::File,
            Reach::Group | Reach::GroupOrEveryone => ExtensionLevel::Group,
        }
    }

    /// Whether a record above every `User-agent` line applies to everyone.
    pub(crate) const fn is_for_everyone_above_groups(self) -> bool {
        matches!(self.reach(), Reach::GroupOrEveryone)
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

/// The agents whom a record outside of RFC 9309 applies to.
#[derive(Clone, Copy)]
enum Reach {
    /// Everyone, wherever the record stands.
    File,
    /// The agents directly above.
    Group,
    /// The agents directly above; above every `User-agent` line, everyone. Managed files have their
    /// `Content-Signal` there, and RSL 1.0 §4.4 allows it for `License`.
    GroupOrEveryone,
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

use Spelling::{Misspelled, Standard};

/// Returns the directive of a field name, or `None` if the field is unknown.
///
/// Google's matcher reads every name that begins with `User-agent`, `Allow`, `Disallow` or
/// `Sitemap` as that field. The RFC dialect reads the first three as tokens: `Disallowed` and
/// `Disallow-` count, but `DisallowAITraining` is the name of another record (RFC 9309 §2.2.4). All
/// other names are compared whole.
#[inline]
pub(crate) fn directive(field: &[u8], dialect: Dialect) -> Option<(Directive, Spelling)> {
    let known = KNOWN_NAMES.with_initial(*field.first()?);
    let known = known
        .iter()
        .find(|known| known.is_read_from(field, dialect))?;
    let spelling = if field.len() == known.name.len() {
        known.spelling
    } else {
        Misspelled
    };
    Some((known.directive, spelling))
}

/// A spelling of a field name that is accepted.
#[derive(Clone, Copy)]
struct KnownName {
    name: &'static [u8],
    directive: Directive,
    spelling: Spelling,
    comparison: Comparison,
}

/// How a name in a file is compared with a known one, always without regard to ASCII case.
#[derive(Clone, Copy)]
enum Comparison {
    /// As a prefix by Google's matcher, as a token by the RFC dialect.
    Token(Endings),
    /// As a prefix by Google's matcher, whole by the RFC dialect.
    GooglePrefix,
    /// Whole in both dialects.
    Whole,
}

/// The endings that a token may have.
#[derive(Clone, Copy)]
enum Endings {
    /// `s`.
    Agent,
    /// `s` or `ed`, and then the word `all`.
    Rule,
}

impl KnownName {
    fn is_read_from(&self, field: &[u8], dialect: Dialect) -> bool {
        let endings = match (self.comparison, dialect) {
            (Comparison::Whole, _) | (Comparison::GooglePrefix, Dialect::Rfc9309) => {
                return field.eq_ignore_ascii_case(self.name);
            }
            (Comparison::GooglePrefix | Comparison::Token(_), Dialect::Google) => None,
            (Comparison::Token(endings), Dialect::Rfc9309) => Some(endings),
        };
        without_word(field, self.name)
            .is_some_and(|tail| endings.is_none_or(|endings| is_end_of_token(tail, endings)))
    }
}

/// Whether `tail` continues the name of a field in one of the accepted ways: with an ending, with
/// `all` after the name of a rule, with hyphens, and then with noise, which begins with neither a
/// letter, a digit nor a further word.
fn is_end_of_token(tail: &[u8], endings: Endings) -> bool {
    let rest = match endings {
        Endings::Agent => without_word(tail, b"s").unwrap_or(tail),
        Endings::Rule => {
            let ending = without_word(tail, b"s").or_else(|| without_word(tail, b"ed"));
            let rest = ending.unwrap_or(tail);
            let word = trim_start(rest);
            let all = without_word(word, b"all").filter(|_| word.len() < rest.len());
            all.unwrap_or(rest)
        }
    };
    let mut noise = rest;
    while let [b'-' | b'_', after @ ..] = noise {
        noise = after;
    }
    !trim_start(noise)
        .first()
        .is_some_and(u8::is_ascii_alphanumeric)
}

fn without_word<'a>(text: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let (head, rest) = text.split_at_checked(word.len())?;
    head.eq_ignore_ascii_case(word).then_some(rest)
}

const fn agent(name: &'static str, spelling: Spelling) -> KnownName {
    KnownName {
        name: name.as_bytes(),
        directive: Directive::UserAgent,
        spelling,
        comparison: Comparison::Token(Endings::Agent),
    }
}

const fn rule(name: &'static str, access: Access, spelling: Spelling) -> KnownName {
    KnownName {
        name: name.as_bytes(),
        directive: Directive::Rule(access),
        spelling,
        comparison: Comparison::Token(Endings::Rule),
    }
}

const fn extension(
    name: &'static str,
    field: ExtensionField,
    spelling: Spelling,
    comparison: Comparison,
) -> KnownName {
    KnownName {
        name: name.as_bytes(),
        directive: Directive::Extension(field),
        spelling,
        comparison,
    }
}

/// The fields of RFC 9309 with the misspellings that Google's matcher accepts.
const CORE_SPELLINGS: &[KnownName] = &[
    agent("user-agent", Standard),
    agent("useragent", Misspelled),
    agent("user agent", Misspelled),
    rule("allow", Access::Allow, Standard),
    rule("disallow", Access::Disallow, Standard),
    rule("dissallow", Access::Disallow, Misspelled),
    rule("dissalow", Access::Disallow, Misspelled),
    rule("disalow", Access::Disallow, Misspelled),
    rule("diasllow", Access::Disallow, Misspelled),
    rule("disallaw", Access::Disallow, Misspelled),
];

static KNOWN_NAMES: KnownNames = KnownNames::new();

/// All spellings, sorted by their first letter.
struct KnownNames {
    names: [KnownName; KnownNames::COUNT],
    /// The places in `names` where each letter starts, and the end.
    starts: [u8; LETTERS + 1],
}

impl KnownNames {
    const COUNT: usize = CORE_SPELLINGS.len() + EXTENSION_SPELLINGS.len();

    #[expect(clippy::indexing_slicing, reason = "worked out at compile time")]
    const fn new() -> KnownNames {
        let mut names = [CORE_SPELLINGS[0]; KnownNames::COUNT];
        let mut starts = [0; LETTERS + 1];
        let mut count = 0;
        let mut letter = 0;
        while letter < LETTERS {
            starts[letter] = count as u8;
            let mut at = 0;
            while at < KnownNames::COUNT {
                let known = if at < CORE_SPELLINGS.len() {
                    CORE_SPELLINGS[at]
                } else {
                    EXTENSION_SPELLINGS[at - CORE_SPELLINGS.len()]
                };
                if (known.name[0] | 0x20) as usize == letter + b'a' as usize {
                    names[count] = known;
                    count += 1;
                }
                at += 1;
            }
            letter += 1;
        }
        assert!(count == KnownNames::COUNT && count <= u8::MAX as usize);
        starts[LETTERS] = count as u8;
        KnownNames { names, starts }
    }

    /// The names that begin with a letter, in either case.
    #[inline]
    fn with_initial(&self, letter: u8) -> &[KnownName] {
        let letter = usize::from(letter.to_ascii_lowercase().wrapping_sub(b'a'));
        match self.starts.get(letter..letter + 2) {
            Some([start, end]) => {
                let range = usize::from(*start)..usize::from(*end);
                self.names.get(range).unwrap_or_default()
            }
            _ => &[],
        }
    }
}

const LETTERS: usize = 26;

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
