use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::options::Dialect;
use crate::text::scheme::WebScheme;

/// The name by which a crawler asks a robots.txt for its rules, such as `ExampleBot`.
///
/// RFC 9309 §2.2.1 calls it the product token and allows letters, `_` and `-`. Crawlers with digits or dots
/// in their names exist (`MJ12bot`, `img2dataset`), so those are allowed too; [`Dialect::Google`] compares
/// them as Google does, which means that no file can name them.
///
/// Equality ignores ASCII case, as §2.2.1 asks.
///
/// ```
/// use polite_robots::ProductToken;
///
/// let token = ProductToken::new("ExampleBot")?;
/// assert_eq!(token, ProductToken::new("examplebot")?);
///
/// // A whole header is refused, and the message names the token that was probably meant.
/// let error = ProductToken::new("ExampleBot/2.1").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`ExampleBot/2.1` is not a product token, as it holds `/` (letters, digits, `_`, `-` and `.` are allowed); \
///      `ExampleBot` was probably meant",
/// );
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone)]
pub struct ProductToken {
    text: String,
}

impl ProductToken {
    /// Takes `token` as it stands: `[A-Za-z0-9_.-]+` with at least one letter.
    ///
    /// # Errors
    ///
    /// [`InvalidToken`], which names the first byte that does not belong and, for a full `User-Agent` header,
    /// the token that was probably meant. `*` is no token either; the functions that take an agent accept it.
    pub fn new(token: &str) -> Result<ProductToken, InvalidToken> {
        check_token(token)?;
        Ok(ProductToken {
            text: token.to_string(),
        })
    }

    /// Guesses the product token in a full `User-Agent` header.
    ///
    /// A heuristic, never used silently by this crate: URLs are left out, then the tokens that are followed by
    /// `/` are looked at, browser words (`Mozilla`, `Chrome`, …) and HTTP libraries (`curl`, `reqwest`, …) are
    /// dropped unless nothing else is left, and the last one wins. A header that is itself a token is returned.
    ///
    /// ```
    /// use polite_robots::ProductToken;
    ///
    /// let header = "Mozilla/5.0 (compatible; ExampleBot/2.1; +https://example.com/bot)";
    /// assert_eq!(ProductToken::from_user_agent(header).unwrap().as_str(), "ExampleBot");
    /// assert!(ProductToken::from_user_agent("(no name)").is_none());
    /// ```
    #[must_use]
    pub fn from_user_agent(header: &str) -> Option<ProductToken> {
        let header = header.trim();
        let token = if problem_of(header).is_none() {
            header
        } else {
            probable_token(header)?
        };
        Some(ProductToken {
            text: token.to_string(),
        })
    }

    /// The token as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl PartialEq for ProductToken {
    fn eq(&self, other: &ProductToken) -> bool {
        self.text.eq_ignore_ascii_case(&other.text)
    }
}

impl Eq for ProductToken {}

impl core::hash::Hash for ProductToken {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        for byte in self.text.bytes() {
            state.write_u8(byte.to_ascii_lowercase());
        }
        state.write_u8(0xFF);
    }
}

impl fmt::Display for ProductToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl core::str::FromStr for ProductToken {
    type Err = InvalidToken;

    fn from_str(token: &str) -> Result<ProductToken, InvalidToken> {
        ProductToken::new(token)
    }
}

/// An agent that is not a product token, so that no file can name it.
///
/// Refused instead of answered, because the answer would silently be that of `*`.
///
/// ```
/// use polite_robots::Robot;
///
/// let error = Robot::new("Mozilla/5.0 (compatible; ExampleBot/2.1)", b"").unwrap_err();
/// assert_eq!(error.probably_meant(), Some("ExampleBot"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
pub struct InvalidToken {
    token: String,
    problem: Problem,
    meant: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Problem {
    Empty,
    NoLetter,
    Character(char),
}

impl InvalidToken {
    /// What was given as agent.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The product token that was probably meant, as [`ProductToken::from_user_agent`] guesses it.
    #[must_use]
    pub fn probably_meant(&self) -> Option<&str> {
        self.meant.as_deref()
    }

    fn message(&self) -> String {
        use core::fmt::Write as _;

        let mut message = match self.problem {
            Problem::Empty => {
                String::from("the agent is empty; give the crawler's product token, or `*`")
            }
            Problem::NoLetter => alloc::format!(
                "{:?} is not a product token: it holds no letter",
                self.token
            ),
            Problem::Character(found) => alloc::format!(
                "`{}` is not a product token, as it holds `{}` (letters, digits, `_`, `-` and `.` are allowed)",
                self.token.escape_debug(),
                found.escape_debug(),
            ),
        };
        if let Some(meant) = &self.meant {
            // Writing into a String cannot fail.
            let _ = write!(message, "; `{meant}` was probably meant");
        }
        message
    }
}

/// Which groups of a file an agent's rules were taken from.
///
/// The order is that of precedence: a group that names the agent beats the wildcard (RFC 9309 §2.2.1).
///
/// ```
/// use polite_robots::{AgentMatch, Robot};
///
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /")?;
/// assert_eq!(robot.agent_match(), AgentMatch::Wildcard);
/// assert!(AgentMatch::Named > AgentMatch::Wildcard);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AgentMatch {
    /// No group of the file is for this agent, so everything is allowed.
    None,
    /// Nothing names the agent; the `User-agent: *` groups apply.
    Wildcard,
    /// Groups that name the agent; `*` does not count then, even if they hold no rule.
    Named,
}

impl AgentMatch {
    /// A stable name for machines: `none`, `wildcard`, `named`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            AgentMatch::None => "none",
            AgentMatch::Wildcard => "wildcard",
            AgentMatch::Named => "named",
        }
    }
}

impl fmt::Display for AgentMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AgentMatch::None => "no group",
            AgentMatch::Wildcard => "wildcard group",
            AgentMatch::Named => "named group",
        })
    }
}

/// The agents whose rules are asked for, checked once, compared with each `User-agent` value of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AgentSet<'a> {
    tokens: &'a [&'a str],
    dialect: Dialect,
}

impl<'a> AgentSet<'a> {
    /// `*` among the tokens asks for the wildcard groups and so adds nothing.
    pub(crate) fn new(
        tokens: &'a [&'a str],
        dialect: Dialect,
    ) -> Result<AgentSet<'a>, InvalidToken> {
        for token in tokens {
            if *token != WILDCARD {
                check_token(token)?;
            }
        }
        Ok(AgentSet { tokens, dialect })
    }

    pub(crate) fn match_value(&self, value: &[u8]) -> AgentMatch {
        if is_wildcard(value) {
            return AgentMatch::Wildcard;
        }
        let named =
            |token: &&str| *token != WILDCARD && value_names(value, token.as_bytes(), self.dialect);
        if self.tokens.iter().any(named) {
            AgentMatch::Named
        } else {
            AgentMatch::None
        }
    }
}

/// `*` alone or before white space stands for everyone; `*bot` and `**` name nobody (as Google reads them).
pub(crate) fn is_wildcard(value: &[u8]) -> bool {
    match value {
        [b'*'] => true,
        [b'*', next, ..] => matches!(next, b'\t'..=b'\r' | b' '),
        _ => false,
    }
}

/// The leading run of RFC 9309's token characters: all of a `User-agent` value that Google sees.
pub(crate) fn leading_token(value: &[u8]) -> &[u8] {
    leading(value, is_rfc_token_byte)
}

/// The leading run of this crate's token characters: what an agent with digits or dots is compared with.
pub(crate) fn leading_name(value: &[u8]) -> &[u8] {
    leading(value, is_token_byte)
}

fn leading(value: &[u8], belongs: impl Fn(u8) -> bool) -> &[u8] {
    let end = value
        .iter()
        .position(|byte| !belongs(*byte))
        .unwrap_or(value.len());
    value.get(..end).unwrap_or_default()
}

/// Whether the value's leading token is `token`: the run of `[A-Za-z_-]`, and in the default dialect also the
/// run of `[A-Za-z0-9_.-]`, so that `User-agent: MJ12bot` names `MJ12bot` as well as Google's `MJ`.
fn value_names(value: &[u8], token: &[u8], dialect: Dialect) -> bool {
    let Some((head, rest)) = value.split_at_checked(token.len()) else {
        return false;
    };
    if !head.eq_ignore_ascii_case(token) {
        return false;
    }
    let next = rest.first();
    if token.iter().all(|byte| is_rfc_token_byte(*byte)) {
        !next.is_some_and(|byte| is_rfc_token_byte(*byte))
    } else {
        dialect == Dialect::Rfc9309 && !next.is_some_and(|byte| is_token_byte(*byte))
    }
}

pub(crate) const WILDCARD: &str = "*";

fn is_rfc_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-')
}

fn is_token_byte(byte: u8) -> bool {
    is_rfc_token_byte(byte) || byte.is_ascii_digit() || byte == b'.'
}

fn check_token(token: &str) -> Result<(), InvalidToken> {
    match problem_of(token) {
        None => Ok(()),
        Some(problem) => Err(InvalidToken {
            token: token.to_string(),
            problem,
            meant: probable_token(token).map(String::from),
        }),
    }
}

fn problem_of(token: &str) -> Option<Problem> {
    let odd = |character: &char| !u8::try_from(*character).is_ok_and(is_token_byte);
    if token.is_empty() {
        Some(Problem::Empty)
    } else if let Some(found) = token.chars().find(odd) {
        Some(Problem::Character(found))
    } else if !token.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        Some(Problem::NoLetter)
    } else {
        None
    }
}

fn probable_token(header: &str) -> Option<&str> {
    let mut last_foreign = None;
    let mut last_own = None;
    for token in versioned_tokens(header) {
        if FOREIGN_TOKENS
            .iter()
            .any(|foreign| foreign.eq_ignore_ascii_case(token))
        {
            last_foreign = Some(token);
        } else {
            last_own = Some(token);
        }
    }
    last_own.or(last_foreign)
}

/// The maximal runs of token characters that stand directly before a `/`, outside of URLs.
fn versioned_tokens(header: &str) -> impl Iterator<Item = &str> {
    without_urls(header).into_iter().flat_map(|part| {
        part.match_indices('/').filter_map(move |(slash, _)| {
            let before = part.get(..slash)?;
            let start = before
                .bytes()
                .rposition(|byte| !is_token_byte(byte))
                .map_or(0, |at| at + 1);
            before
                .get(start..)
                .filter(|token| problem_of(token).is_none())
        })
    })
}

/// The parts of a header around its `http://…` and `https://…` runs, which end at a blank, `;`, `)` or `,`.
fn without_urls(header: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = header;
    // Each byte is looked at once, whatever the number of schemes.
    let mut searched = 0;
    while let Some(at) = rest.get(searched..).and_then(|text| text.find("://")) {
        let (before, from) = rest.split_at_checked(searched + at).unwrap_or_default();
        let scheme = before.len()
            - before
                .bytes()
                .rev()
                .take_while(u8::is_ascii_alphabetic)
                .count();
        let name = before.get(scheme..).unwrap_or_default();
        if WebScheme::new(name.as_bytes()).is_some() {
            parts.push(before.get(..scheme).unwrap_or_default());
            let end = from.find([' ', '\t', ';', ')', ',']).unwrap_or(from.len());
            rest = from.get(end..).unwrap_or_default();
            searched = 0;
        } else {
            searched += at + "://".len();
        }
    }
    parts.push(rest);
    parts
}

/// Words with a version in most headers that name a browser or an HTTP library, not the crawler.
const FOREIGN_TOKENS: [&str; 25] = [
    "Mozilla",
    "AppleWebKit",
    "KHTML",
    "Gecko",
    "Chrome",
    "HeadlessChrome",
    "Safari",
    "Version",
    "Mobile",
    "Firefox",
    "Edg",
    "OPR",
    "Opera",
    "Trident",
    "MSIE",
    "Presto",
    "Chromium",
    "python-requests",
    "curl",
    "Wget",
    "reqwest",
    "Go-http-client",
    "okhttp",
    "Java",
    "libwww-perl",
];
