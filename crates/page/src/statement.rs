//! The rules of a page with their evidence: the agent they are for, the place, and the text.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use polite_robots::ProductToken;
use polite_robots::document::is_wildcard;
use polite_robots::text::escaped;

use crate::rule::{PageRule, probably_meant};

/// A rule of a page with its evidence.
///
/// ```
/// use polite_robots_page::{PageControls, PageRule, PageSource, Recipient};
///
/// let page = PageControls::new("ExampleBot")?
///     .with_header("X-Robots-Tag", "otherbot: unavailable_after: Fri, 01 Jan 2027 00:00:00 GMT");
/// let statement = page.statements().next().unwrap();
/// assert_eq!(statement.rule(), PageRule::UnavailableAfter(1_798_761_600));
/// assert_eq!(statement.recipient(), Recipient::OtherAgent("otherbot"));
/// assert_eq!(statement.source(), PageSource::XRobotsTag);
/// assert_eq!(statement.text(), b"unavailable_after: Fri, 01 Jan 2027 00:00:00 GMT");
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageStatement<'p> {
    rule: PageRule,
    recipient: Recipient<'p>,
    source: PageSource,
    text: &'p [u8],
}

impl<'p> PageStatement<'p> {
    /// The rule.
    pub fn rule(&self) -> PageRule {
        self.rule
    }

    /// The agents that the rule is for.
    pub fn recipient(&self) -> Recipient<'p> {
        self.recipient
    }

    /// The field or element that holds the rule.
    pub fn source(&self) -> PageSource {
        self.source
    }

    /// The rule as written, without blanks around it and without the agent; any bytes.
    pub fn text(&self) -> &'p [u8] {
        self.text
    }

    /// The rules that were probably meant, as they would be written, if the rule has no effect
    /// because nobody knows its name.
    ///
    /// ```
    /// use polite_robots_page::PageControls;
    ///
    /// let page = PageControls::new("ExampleBot")?
    ///     .with_header("X-Robots-Tag", "no-index, noindex nofollow, noarchve, sidebar");
    /// let meant: Vec<_> = page.statements().map(|statement| statement.probably_meant()).collect();
    /// let meant: Vec<_> = meant.iter().map(Option::as_deref).collect();
    /// let expected = [Some("noindex"), Some("noindex, nofollow"), Some("noarchive"), None];
    /// assert_eq!(meant, expected);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn probably_meant(&self) -> Option<String> {
        match self.rule {
            PageRule::Unknown => probably_meant(self.text),
            _ => None,
        }
    }
}

/// The rule as written with its evidence: `noindex (X-Robots-Tag, for everyone)`.
impl fmt::Display for PageStatement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escaped(self.text).fmt(f)?;
        write!(f, " ({}, for {})", self.source, self.recipient)
    }
}

/// The agents that a rule is for, as seen by the agent of a
/// [`PageControls`](crate::PageControls).
///
/// ```
/// use polite_robots_page::{PageControls, Recipient};
///
/// let page = PageControls::new("ExampleBot")?
///     .with_header("X-Robots-Tag", "noarchive, examplebot: nofollow, otherbot: noindex");
/// let recipients: Vec<_> = page.statements().map(|statement| statement.recipient()).collect();
/// assert_eq!(
///     recipients,
///     [
///         Recipient::Everyone,
///         Recipient::ThisAgent("examplebot"),
///         Recipient::OtherAgent("otherbot"),
///     ],
/// );
/// assert!(!recipients[2].includes_agent());
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Recipient<'p> {
    /// Every crawler: the page names no agent, or `*`, or `robots`.
    Everyone,
    /// The agent itself, by this name.
    ThisAgent(&'p str),
    /// Another agent, by this name. The rule is listed but has no effect.
    OtherAgent(&'p str),
}

impl Recipient<'_> {
    /// Whether the rule has an effect for the agent.
    pub const fn includes_agent(self) -> bool {
        match self {
            Recipient::Everyone | Recipient::ThisAgent(_) => true,
            Recipient::OtherAgent(_) => false,
        }
    }
}

/// `everyone`, or the name of the agent.
impl fmt::Display for Recipient<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Recipient::Everyone => "everyone",
            Recipient::ThisAgent(name) | Recipient::OtherAgent(name) => name,
        })
    }
}

/// The field or element that holds a rule.
///
/// ```
/// use polite_robots_page::{PageControls, PageSource};
///
/// let page = PageControls::new("ExampleBot")?
///     .with_header("robots-tag", "*;noindex")
///     .with_meta("ExampleBot", "nofollow");
/// let sources: Vec<_> = page.statements().map(|statement| statement.source()).collect();
/// assert_eq!(sources, [PageSource::RobotsTag, PageSource::Meta]);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PageSource {
    /// An `X-Robots-Tag` field of the response.
    XRobotsTag,
    /// A `Robots-Tag` field of the response (draft-illyes-repext §3.1.1).
    RobotsTag,
    /// A `meta` element of the page.
    Meta,
}

impl PageSource {
    /// `None` for a field of another name; letter case does not count (RFC 9110 §5.1).
    pub(crate) fn of_field(name: &[u8]) -> Option<PageSource> {
        [PageSource::XRobotsTag, PageSource::RobotsTag]
            .into_iter()
            .find(|source| source.as_str().as_bytes().eq_ignore_ascii_case(name))
    }

    /// The name of the field or the element: `X-Robots-Tag`, `Robots-Tag`, `meta`.
    pub const fn as_str(self) -> &'static str {
        match self {
            PageSource::XRobotsTag => "X-Robots-Tag",
            PageSource::RobotsTag => "Robots-Tag",
            PageSource::Meta => "meta",
        }
    }
}

/// The name of the field or the element.
impl fmt::Display for PageSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The agents that a value names before its rules.
#[derive(Debug, Clone)]
pub(crate) enum AgentPrefix {
    Everyone,
    Agent(ProductToken),
}

impl AgentPrefix {
    /// Reads a name as `User-agent` lines are read: up to a blank or a `/`, so that
    /// `ExampleBot/2.1` names `ExampleBot`. `None` if the text can name no agent.
    pub(crate) fn parse(name: &[u8]) -> Option<AgentPrefix> {
        if is_wildcard(name) || name.eq_ignore_ascii_case(ROBOTS) {
            return Some(AgentPrefix::Everyone);
        }
        let token = name
            .split(|byte| byte.is_ascii_whitespace() || *byte == b'/')
            .next()?;
        let token = ProductToken::new(core::str::from_utf8(token).ok()?).ok()?;
        Some(AgentPrefix::Agent(token))
    }
}

/// All rules of a page in a few lists, because a hostile value may hold a rule in every two bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageStatements {
    text: Vec<u8>,
    agents: Vec<ProductToken>,
    statements: Vec<PackedStatement>,
}

#[derive(Debug, Clone)]
struct PackedStatement {
    rule: PageRule,
    agent: Option<AgentIndex>,
    source: PageSource,
    start: usize,
    end: usize,
}

/// The place of an agent's name in [`PageStatements`]; many rules may share it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AgentIndex(usize);

impl PageStatements {
    pub(crate) fn index(&mut self, prefix: AgentPrefix) -> Option<AgentIndex> {
        match prefix {
            AgentPrefix::Everyone => None,
            AgentPrefix::Agent(token) => {
                self.agents.push(token);
                Some(AgentIndex(self.agents.len() - 1))
            }
        }
    }

    /// Adds a rule; an empty text is none.
    pub(crate) fn push(&mut self, text: &[u8], agent: Option<AgentIndex>, source: PageSource) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.extend_from_slice(text);
        self.statements.push(PackedStatement {
            rule: PageRule::parse(text),
            agent,
            source,
            start,
            end: self.text.len(),
        });
    }

    /// The rules as `agent` sees them. Without an agent, every name is another's.
    pub(crate) fn iter<'p>(
        &'p self,
        agent: Option<&'p ProductToken>,
    ) -> impl Iterator<Item = PageStatement<'p>> {
        self.statements.iter().map(move |packed| {
            let named = packed.agent.and_then(|index| self.agents.get(index.0));
            PageStatement {
                rule: packed.rule,
                recipient: match named {
                    None => Recipient::Everyone,
                    Some(token) if Some(token) == agent => Recipient::ThisAgent(token.as_str()),
                    Some(token) => Recipient::OtherAgent(token.as_str()),
                },
                source: packed.source,
                text: self.text.get(packed.start..packed.end).unwrap_or_default(),
            }
        })
    }
}

const ROBOTS: &[u8] = b"robots";
