//! The agents that a crawler asks for, and how a file names them.

use alloc::string::{String, ToString};
use core::fmt;

use crate::header_guess::{is_browser, probable_token};
use crate::options::Dialect;
use crate::text::quote::as_typed;
use crate::token::{
    TokenProblem, WILDCARD, is_token_character, is_wildcard, leading_name, leading_token,
};

/// The name by which a crawler asks a robots.txt for its rules, such as `ExampleBot`.
///
/// RFC 9309 §2.2.1 calls it the product token and allows letters, `_` and `-`. This crate allows
/// digits and dots too, because there are crawlers with such names (`MJ12bot`, `img2dataset`).
/// [`Dialect::Google`] compares as Google does, so no file can name these crawlers there.
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
pub struct ProductToken(String);

impl ProductToken {
    /// Checks and stores `token`, which must be `[A-Za-z0-9_.-]+` with at least one letter.
    ///
    /// # Errors
    ///
    /// [`InvalidToken`], which names the first character that is not allowed and, for a full
    /// `User-Agent` header, the token that was probably meant. `*` is not a token; functions that
    /// take an agent accept it separately.
    pub fn new(token: &str) -> Result<ProductToken, InvalidToken> {
        check_token(token)?;
        Ok(ProductToken(token.to_string()))
    }

    /// Guesses the product token in a full `User-Agent` header.
    ///
    /// This is a heuristic, and the crate never applies it silently. A header that is itself a
    /// token is returned. In any other header URLs are skipped and tokens with a `/` after them are
    /// candidates; browsers (`Mozilla`, `Chrome`, …) and HTTP libraries (`curl`, `reqwest`, …)
    /// count only if nothing else is left. The last candidate wins. A header without a `/` counts
    /// if it is one token with a version after a blank, such as `ExampleBot 1.0`.
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
        Some(ProductToken(token_in(header)?.to_string()))
    }

    /// The agent to ask a file for, if a crawler knows no more of itself than its `User-Agent`
    /// header: the [guess](ProductToken::from_user_agent), else the characters of a token at the
    /// start of the header, else `*`.
    ///
    /// The guess alone finds no name in `ExampleBot (+https://example.com/bot)`, and with `*` in
    /// its place the rules for `ExampleBot` would not count.
    ///
    /// ```
    /// use polite_robots::{ProductToken, Robot};
    ///
    /// let agent = ProductToken::of_header_or_wildcard("ExampleBot (+https://example.com/bot)");
    /// assert_eq!(agent, "ExampleBot");
    /// // It is an agent that no function refuses.
    /// assert!(!Robot::new(agent, b"User-agent: ExampleBot\nDisallow: /")?.allowed("/page"));
    /// assert_eq!(ProductToken::of_header_or_wildcard("(no name)"), "*");
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn of_header_or_wildcard(header: &str) -> &str {
        let mut runs = header.trim_start().split(|last| !is_token_character(last));
        let first = runs.next().filter(|run| TokenProblem::of(run).is_none());
        token_in(header).or(first).unwrap_or(WILDCARD)
    }

    /// The token as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The token that a header is, or the one that it probably names.
fn token_in(header: &str) -> Option<&str> {
    let header = header.trim();
    match TokenProblem::of(header) {
        None => Some(header),
        Some(_) => probable_token(header),
    }
}

impl PartialEq for ProductToken {
    fn eq(&self, other: &ProductToken) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for ProductToken {}

impl core::hash::Hash for ProductToken {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        for byte in self.0.bytes() {
            state.write_u8(byte.to_ascii_lowercase());
        }
        state.write_u8(0xFF);
    }
}

impl fmt::Display for ProductToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::str::FromStr for ProductToken {
    type Err = InvalidToken;

    fn from_str(token: &str) -> Result<ProductToken, InvalidToken> {
        ProductToken::new(token)
    }
}

/// The error for an agent that is not a product token, so that no file can name it.
///
/// Such an agent is an error because any answer would silently be that of `*`.
///
/// ```
/// use polite_robots::Robot;
///
/// let error = Robot::new("Mozilla/5.0 (compatible; ExampleBot/2.1)", b"").unwrap_err();
/// assert_eq!(error.probably_meant(), Some("ExampleBot"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct InvalidToken {
    token: String,
    problem: TokenProblem,
    meant: Option<String>,
}

impl InvalidToken {
    /// The agent as it was given.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The product token that was probably meant, as [`ProductToken::from_user_agent`] guesses it.
    /// `None` for the header of a browser, which names no crawler.
    pub fn probably_meant(&self) -> Option<&str> {
        self.meant.as_deref()
    }
}

impl fmt::Display for InvalidToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let token = &self.token;
        match self.problem {
            TokenProblem::Empty => {
                f.write_str("the agent is empty; give the crawler's product token, or `*`")?;
            }
            TokenProblem::NoLetter => {
                write!(f, "\"{token}\" is not a product token: it holds no letter")?;
            }
            TokenProblem::Character(found) => write!(
                f,
                "`{}` is not a product token, as it holds `{}` (letters, digits, `_`, `-` and `.` are allowed)",
                as_typed(token),
                as_typed(&String::from(found)),
            )?,
        }
        match (&self.meant, probable_token(token)) {
            (Some(meant), _) => write!(f, "; `{meant}` was probably meant"),
            (None, Some(_)) => f.write_str("; it is the header of a browser and names no crawler"),
            (None, None) => Ok(()),
        }
    }
}

/// The groups of a file that an agent's rules were taken from.
///
/// The order is that of precedence: a group that names the agent beats the wildcard (RFC 9309
/// §2.2.1).
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
    /// No group names the agent, so the `User-agent: *` groups apply.
    Wildcard,
    /// Groups that name the agent. The `*` groups do not count then, even if the named ones have no
    /// rule.
    Named,
}

impl AgentMatch {
    /// A stable name for machines: `none`, `wildcard`, `named`.
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

/// The agents of a robot, checked once and compared with each `User-agent` value of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AgentSet<'a> {
    tokens: &'a [&'a str],
    dialect: Dialect,
    /// Whether the tokens name a use of content, for which no `*` stands.
    is_policy: bool,
}

impl<'a> AgentSet<'a> {
    /// Checks the tokens. `*` asks for the wildcard groups; beside other tokens it adds nothing.
    pub(crate) fn new(
        tokens: &'a [&'a str],
        dialect: Dialect,
    ) -> Result<AgentSet<'a>, InvalidToken> {
        let mut named = tokens.iter().filter(|token| **token != WILDCARD);
        named.try_for_each(|token| check_token(token))?;
        Ok(AgentSet::of_valid(tokens, dialect))
    }

    /// The same for tokens that are known to be valid.
    pub(crate) fn of_valid(tokens: &'a [&'a str], dialect: Dialect) -> AgentSet<'a> {
        AgentSet {
            tokens,
            dialect,
            is_policy: false,
        }
    }

    /// Groups that name a use of content. `*` stands for crawlers, so its groups do not count.
    pub(crate) fn of_policy(tokens: &'a [&'a str], dialect: Dialect) -> AgentSet<'a> {
        AgentSet {
            tokens,
            dialect,
            is_policy: true,
        }
    }

    /// Whether the tokens name a use of content, which has rules and no other records.
    pub(crate) fn is_policy(&self) -> bool {
        self.is_policy
    }

    pub(crate) fn match_value(&self, value: &[u8]) -> AgentMatch {
        if is_wildcard(value) {
            return match self.is_policy {
                true => AgentMatch::None,
                false => AgentMatch::Wildcard,
            };
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

/// Whether the value begins with `token` as a whole name: the run of `[A-Za-z_-]`, and in the
/// default dialect also the run of `[A-Za-z0-9_.-]`, so that `User-agent: MJ12bot` names `MJ12bot`
/// as well as Google's `MJ`.
fn value_names(value: &[u8], token: &[u8], dialect: Dialect) -> bool {
    let is_token = |name: &[u8]| name.eq_ignore_ascii_case(token);
    // The first test is the fast one.
    value.get(..token.len()).is_some_and(is_token)
        && (is_token(leading_token(value))
            || dialect == Dialect::Rfc9309 && is_token(leading_name(value)))
}

fn check_token(token: &str) -> Result<(), InvalidToken> {
    match TokenProblem::of(token) {
        None => Ok(()),
        Some(problem) => Err(InvalidToken {
            token: token.to_string(),
            problem,
            meant: probable_token(token)
                .filter(|meant| !is_browser(meant))
                .map(String::from),
        }),
    }
}
