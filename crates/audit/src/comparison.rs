//! Finds URLs about which the dialects disagree, and the reason.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode, percent_encode};
use polite_robots::document::Line;
use polite_robots::{Dialect, InvalidToken, Reason, Robot, RobotsTxt, Target, Verdict};

use crate::example_path::example_path_bytes;
use crate::readings::{Readings, Version};

/// One file read for one agent in both dialects, to find the URLs that they answer differently.
///
/// ```
/// use polite_robots_audit::comparison::{Comparison, DisagreementReason};
///
/// let comparison = Comparison::new(
///     "ExampleBot",
///     b"User-agent: *\nDisallow: /two words/\nDisallow: /a",
/// )?;
/// assert!(comparison.disagreement("/a").is_none());
///
/// let disagreement = comparison.disagreement("/two%20words/1").unwrap();
/// assert!(!disagreement.rfc9309().is_allowed() && disagreement.google().is_allowed());
/// assert_eq!(disagreement.reason(), DisagreementReason::RuleEncoding);
///
/// // The rules of the file suggest URLs to ask about.
/// assert_eq!(
///     comparison
///         .urls_of_rules()
///         .filter(|url| comparison.disagreement(url).is_some())
///         .count(),
///     1
/// );
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone)]
pub struct Comparison {
    robots_txt: RobotsTxt,
    rfc9309: Robot,
    google: Robot,
    /// Google's reading without the rules and agents that only Google's matcher sees, if the file
    /// has any.
    without_prefixed: Option<Robot>,
    /// Whether the same groups name the agent in both dialects.
    has_same_groups: bool,
    /// Collected only if the dialects disagree: a pass over the lines takes as long as a parse.
    lines_cut_by_google: OnceLock<BTreeSet<u32>>,
}

impl Comparison {
    /// Reads a robots.txt in both dialects for one agent.
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] if `agent` is neither a product token nor `*`.
    ///
    /// ```
    /// use polite_robots_audit::comparison::Comparison;
    ///
    /// let comparison = Comparison::new("ExampleBot", b"User-agent: *\nDisallow: /robots.txt")?;
    /// assert!(comparison.disagreement("/robots.txt").is_some());
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn new(agent: &str, robots_txt: &[u8]) -> Result<Comparison, InvalidToken> {
        let robots_txt = RobotsTxt::parse(robots_txt);
        Comparison::of(agent, &robots_txt)
    }

    /// Compares the dialects on a document that is already parsed, in either dialect.
    ///
    /// # Errors
    ///
    /// As [`Comparison::new`].
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots_audit::comparison::Comparison;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart");
    /// let comparison = Comparison::of("ExampleBot", &robots_txt)?;
    /// assert!(comparison.disagreement("https://example.com/cart").is_none());
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn of(agent: &str, robots_txt: &RobotsTxt) -> Result<Comparison, InvalidToken> {
        Comparison::between(&Readings::new(robots_txt), |robots_txt| {
            robots_txt.robot(agent)
        })
    }

    /// Compares the rules that `robot` finds in a file.
    pub(crate) fn between(
        readings: &Readings,
        robot: impl Fn(&RobotsTxt) -> Result<Robot, InvalidToken>,
    ) -> Result<Comparison, InvalidToken> {
        let google = readings.shared(Version::Google, &robot)?;
        let rfc9309 = readings.shared(Version::Rfc9309, &robot)?;
        let without_prefixed = match readings.without_prefixed() {
            Some(_) => Some(readings.shared(Version::WithoutPrefixed, &robot)?),
            None => None,
        };
        let google_groups = without_prefixed.as_ref().unwrap_or(&google).group_lines();
        Ok(Comparison {
            robots_txt: readings.in_dialect(Dialect::Rfc9309).clone(),
            has_same_groups: rfc9309.group_lines().eq(google_groups),
            lines_cut_by_google: OnceLock::new(),
            rfc9309,
            google,
            without_prefixed,
        })
    }

    /// The rules in one of the dialects.
    #[must_use]
    pub fn robot(&self, dialect: Dialect) -> &Robot {
        match dialect {
            Dialect::Rfc9309 => &self.rfc9309,
            Dialect::Google => &self.google,
        }
    }

    /// The answers of both dialects about a URL, if one allows it and the other does not. The URL
    /// is taken as a client requests it ([`Target::requested`]).
    ///
    /// ```
    /// use polite_robots_audit::comparison::Comparison;
    ///
    /// let comparison = Comparison::new(
    ///     "ExampleBot",
    ///     b"User-agent: *\nDisallow: /a/\nAllow: /a/index.html",
    /// )?;
    /// let disagreement = comparison.disagreement("https://example.com/a/").unwrap();
    /// assert_eq!(
    ///     disagreement.reason().to_string(),
    ///     "Google also applies an `Allow` of an index page to its directory",
    /// );
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn disagreement<'c>(&'c self, url: &str) -> Option<Disagreement<'c>> {
        self.disagreement_about(&Target::requested(url))
    }

    pub(crate) fn disagreement_about<'c>(
        &'c self,
        target: &Target<'_>,
    ) -> Option<Disagreement<'c>> {
        // Nearly all URLs get one answer, and a reason takes longer than the answer.
        if self.rfc9309.allowed(target) == self.google.allowed(target) {
            return None;
        }
        let (rfc9309, google) = (self.rfc9309.check(target), self.google.check(target));
        Some(Disagreement {
            rfc9309,
            google,
            reason: self.reason(target, rfc9309, google),
        })
    }

    /// URLs, without scheme and host, to ask about: an example for each rule of the agent, as a
    /// client would send it, the directory of each `index.htm…`, and `/robots.txt`.
    ///
    /// ```
    /// use polite_robots_audit::comparison::Comparison;
    ///
    /// let comparison = Comparison::new(
    ///     "ExampleBot",
    ///     b"User-agent: *\nDisallow: /*.pdf$\nDisallow: /two words/",
    /// )?;
    /// let urls: Vec<String> = comparison.urls_of_rules().collect();
    /// assert_eq!(urls, ["/x.pdf", "/two%20words/", "/robots.txt"]);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn urls_of_rules(&self) -> impl Iterator<Item = String> {
        let (rfc9309, google) = (self.rfc9309.group_lines(), self.google.group_lines());
        let lines: BTreeSet<u32> = rfc9309.chain(google).collect();
        let groups = self.robots_txt.groups().filter(move |group| {
            let mut agents = group.user_agents();
            agents.any(|agent| lines.contains(&agent.line()))
        });
        groups
            .flat_map(|group| group.rules().flat_map(|rule| urls_of(rule.value())))
            .chain(self.urls_of_rules_seen_by_google_only())
            .chain(["/robots.txt".into()])
    }

    /// URLs for the rules that only Google's matcher sees, because their field name begins like a
    /// known one.
    fn urls_of_rules_seen_by_google_only(&self) -> Vec<String> {
        if self.without_prefixed.is_none() {
            return Vec::new();
        }
        let lines: BTreeSet<u32> = self.rfc9309.rules().map(|rule| rule.line()).collect();
        let rules = self.google.rules();
        rules
            .filter(|rule| !lines.contains(&rule.line()))
            .flat_map(|rule| urls_of(rule.pattern().as_bytes()))
            .collect()
    }

    fn reason(
        &self,
        target: &Target<'_>,
        rfc9309: Verdict<'_>,
        google: Verdict<'_>,
    ) -> DisagreementReason {
        if rfc9309.reason() == Reason::RobotsTxtItself {
            return DisagreementReason::RobotsTxtItself;
        }
        let is_alike_without = |google: &Robot| google.allowed(target) == rfc9309.is_allowed();
        if self.without_prefixed.as_ref().is_some_and(is_alike_without) {
            return DisagreementReason::FieldName;
        }
        if matches!(google.reason(), Reason::DirectoryOfIndex(_)) {
            return DisagreementReason::DirectoryOfIndex;
        }
        if !self.has_same_groups {
            return DisagreementReason::AgentName;
        }
        let rule = match (rfc9309.rule(), google.rule()) {
            (Some(rfc9309), Some(google)) if rfc9309.length() < google.length() => google,
            (Some(rule), _) | (None, Some(rule)) => rule,
            (None, None) => return DisagreementReason::UrlForm,
        };
        let lines_cut_by_google = self.lines_cut_by_google.get_or_init(|| {
            let cut_lines = self.robots_txt.lines().filter(Line::is_too_long);
            cut_lines.map(|line| line.number()).collect()
        });
        if lines_cut_by_google.contains(&rule.line()) {
            return DisagreementReason::LineLength;
        }
        let (canonical, given) = (target.path(Dialect::Rfc9309), target.path(Dialect::Google));
        if canonical == given {
            DisagreementReason::RuleEncoding
        } else if !percent_decode(&canonical).eq(percent_decode(&given)) {
            DisagreementReason::UrlForm
        } else {
            // If the URL is the cause, the matcher agrees once it gets the URL in canonical form.
            let canonical = format!("http://h{}", String::from_utf8_lossy(&canonical));
            if self.google.allowed(&canonical) == rfc9309.is_allowed() {
                DisagreementReason::UrlEncoding
            } else {
                DisagreementReason::RuleEncoding
            }
        }
    }
}

/// A URL that one dialect allows and the other does not, with both answers.
/// [`Comparison::disagreement`] has an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disagreement<'c> {
    rfc9309: Verdict<'c>,
    google: Verdict<'c>,
    reason: DisagreementReason,
}

impl<'c> Disagreement<'c> {
    /// The answer of RFC 9309.
    pub fn rfc9309(&self) -> Verdict<'c> {
        self.rfc9309
    }

    /// The answer of Google's matcher.
    pub fn google(&self) -> Verdict<'c> {
        self.google
    }

    /// The reason for the disagreement.
    pub fn reason(&self) -> DisagreementReason {
        self.reason
    }
}

impl fmt::Display for Disagreement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "RFC 9309: {}; Google: {} ({})",
            self.rfc9309, self.google, self.reason
        )
    }
}

/// The reason why the dialects disagree about a URL.
///
/// ```
/// assert_eq!(polite_robots_audit::comparison::DisagreementReason::RuleEncoding.as_str(), "rule-encoding");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DisagreementReason {
    /// RFC 9309 §2.2.2 always allows `/robots.txt`; Google's matcher compares it like any path.
    RobotsTxtItself,
    /// Google's matcher allows a directory if an `Allow` rule names its `index.htm…` page.
    DirectoryOfIndex,
    /// Google's matcher reads a record as a rule or a `User-agent` line because its name begins
    /// like one, such as `DisallowAITraining`; RFC 9309 does not.
    FieldName,
    /// The agent's name has digits or dots. Google's matcher cuts the names in the file at the
    /// first of them.
    AgentName,
    /// The rule is on a line that Google's matcher cuts after 16,663 bytes.
    LineLength,
    /// The rule and the URL are percent-encoded differently. RFC 9309 compares the characters
    /// meant, Google's matcher compares the bytes written.
    RuleEncoding,
    /// The URL holds bytes that a client would percent-encode, or escapes of characters that need
    /// none.
    UrlEncoding,
    /// Google's matcher finds another path in a URL of this form.
    UrlForm,
}

impl DisagreementReason {
    /// The stable name, for machines: lower case with hyphens.
    pub const fn as_str(self) -> &'static str {
        match self {
            DisagreementReason::RobotsTxtItself => "robots-txt-itself",
            DisagreementReason::DirectoryOfIndex => "directory-of-index",
            DisagreementReason::FieldName => "field-name",
            DisagreementReason::AgentName => "agent-name",
            DisagreementReason::LineLength => "line-length",
            DisagreementReason::RuleEncoding => "rule-encoding",
            DisagreementReason::UrlEncoding => "url-encoding",
            DisagreementReason::UrlForm => "url-form",
        }
    }
}

/// Writes the reason as a clause without a full stop.
impl fmt::Display for DisagreementReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DisagreementReason::RobotsTxtItself => "RFC 9309 always allows /robots.txt",
            DisagreementReason::DirectoryOfIndex => {
                "Google also applies an `Allow` of an index page to its directory"
            }
            DisagreementReason::FieldName => {
                "Google reads a field name that only begins like a known one as that field"
            }
            DisagreementReason::AgentName => {
                "Google cuts agent names in the file at the first digit or dot"
            }
            DisagreementReason::LineLength => "Google reads only the start of that line",
            DisagreementReason::RuleEncoding => {
                "Google compares the escapes of the rule as written"
            }
            DisagreementReason::UrlEncoding => "Google compares the escapes of the URL as written",
            DisagreementReason::UrlForm => "Google finds another path in the URL",
        })
    }
}

/// Example URLs for a pattern, as a client would send them.
fn urls_of(pattern: &[u8]) -> Vec<String> {
    let Some(b'/' | b'*') = pattern.first() else {
        return Vec::new();
    };
    let path = example_path_bytes(pattern, b"x");
    let page = path.iter().rposition(|byte| *byte == b'/');
    let page = page.map_or(0, |slash| slash.saturating_add(1));
    let (directory, page) = path.split_at_checked(page).unwrap_or_default();
    let directory = page.starts_with(b"index.htm").then_some(directory);
    let paths = [Some(&path[..]), directory].into_iter().flatten();
    let url = |path: &[u8]| {
        // Two slashes at the start would begin an authority.
        let slashes = path.iter().take_while(|byte| **byte == b'/').count();
        encoded(path.get(slashes.saturating_sub(1)..).unwrap_or(path))
    };
    paths.map(url).collect()
}

/// The path as a client sends it: bytes that no URL holds are percent-encoded.
fn encoded(path: &[u8]) -> String {
    percent_encode(path, IN_NO_URL).to_string()
}

/// The characters of ASCII that no URL holds.
const IN_NO_URL: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'`')
    .add(b'{')
    .add(b'}')
    .add(b'|')
    .add(b'\\')
    .add(b'^');
