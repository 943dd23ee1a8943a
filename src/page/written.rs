//! One rule as a page states it: for whom, where, in which words.

use alloc::vec::Vec;
use core::fmt;

use crate::agent::ProductToken;
use crate::page::rule::PageRule;
use crate::text::quote::write_escaped;
use crate::token::is_wildcard;

/// A rule of a page with its evidence.
///
/// ```
/// use polite_robots::page::{PageControls, PageRule, Scope, Source};
///
/// let mut page = PageControls::new("ExampleBot")?;
/// page.header("X-Robots-Tag", "otherbot: unavailable_after: Fri, 01 Jan 2027 00:00:00 GMT");
/// let rule = page.rules().next().unwrap();
/// assert_eq!(rule.rule(), PageRule::UnavailableAfter(1_798_761_600));
/// assert_eq!(rule.scope(), Scope::OtherAgent("otherbot"));
/// assert_eq!(rule.source(), Source::XRobotsTag);
/// assert_eq!(rule.text(), b"unavailable_after: Fri, 01 Jan 2027 00:00:00 GMT");
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenPageRule<'p> {
    rule: PageRule,
    scope: Scope<'p>,
    source: Source,
    text: &'p [u8],
}

impl<'p> WrittenPageRule<'p> {
    /// What it asks.
    #[must_use]
    pub fn rule(&self) -> PageRule {
        self.rule
    }

    /// Of whom it asks that.
    #[must_use]
    pub fn scope(&self) -> Scope<'p> {
        self.scope
    }

    /// Where it stands.
    #[must_use]
    pub fn source(&self) -> Source {
        self.source
    }

    /// The rule as written, without blanks around it and without the agent; any bytes.
    #[must_use]
    pub fn text(&self) -> &'p [u8] {
        self.text
    }
}

impl fmt::Display for WrittenPageRule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_escaped(f, self.text)?;
        write!(f, " ({}, for {})", self.source, self.scope)
    }
}

/// Of whom a rule asks something, as seen by the agent of a [`PageControls`](crate::page::PageControls).
///
/// ```
/// use polite_robots::page::{PageControls, Scope};
///
/// let mut page = PageControls::new("ExampleBot")?;
/// page.header("X-Robots-Tag", "noarchive, examplebot: nofollow, otherbot: noindex");
/// let scopes: Vec<_> = page.rules().map(|rule| rule.scope()).collect();
/// assert_eq!(scopes, [Scope::Everyone, Scope::ThisAgent("examplebot"), Scope::OtherAgent("otherbot")]);
/// assert!(!scopes[2].includes_agent());
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope<'p> {
    /// Of every crawler: no agent is named, or `*`, or `robots`.
    Everyone,
    /// Of the agent itself, by this name.
    ThisAgent(&'p str),
    /// Of another agent, by this name. Such a rule is kept, but decides nothing.
    OtherAgent(&'p str),
}

impl Scope<'_> {
    /// Whether the rule counts for the agent.
    #[must_use]
    pub const fn includes_agent(self) -> bool {
        match self {
            Scope::Everyone | Scope::ThisAgent(_) => true,
            Scope::OtherAgent(_) => false,
        }
    }
}

impl fmt::Display for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scope::Everyone => "everyone",
            Scope::ThisAgent(name) | Scope::OtherAgent(name) => name,
        })
    }
}

/// Where a rule stands.
///
/// ```
/// use polite_robots::page::{PageControls, Source};
///
/// let mut page = PageControls::new("ExampleBot")?;
/// page.header("robots-tag", "*;noindex").meta("ExampleBot", "nofollow");
/// let sources: Vec<_> = page.rules().map(|rule| rule.source()).collect();
/// assert_eq!(sources, [Source::RobotsTag, Source::Meta]);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// An `X-Robots-Tag` field of the response.
    XRobotsTag,
    /// A `Robots-Tag` field of the response (draft-illyes-repext §3.1.1).
    RobotsTag,
    /// A `meta` element of the page.
    Meta,
}

impl Source {
    /// `None` for a field of another name; letter case does not count (RFC 9110 §5.1).
    pub(crate) fn of_field(name: &[u8]) -> Option<Source> {
        [Source::XRobotsTag, Source::RobotsTag]
            .into_iter()
            .find(|source| source.as_str().as_bytes().eq_ignore_ascii_case(name))
    }

    /// The name of the field or the element: `X-Robots-Tag`, `Robots-Tag`, `meta`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Source::XRobotsTag => "X-Robots-Tag",
            Source::RobotsTag => "Robots-Tag",
            Source::Meta => "meta",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whom a value names before its rules.
#[derive(Debug, Clone)]
pub(crate) enum Audience {
    Everyone,
    Agent(ProductToken),
}

impl Audience {
    /// Reads a name as `User-agent` lines are read: up to a blank or a `/`, so that `ExampleBot/2.1` names
    /// `ExampleBot`. `None` for what can name nobody.
    pub(crate) fn parse(name: &[u8]) -> Option<Audience> {
        if is_wildcard(name) || name.eq_ignore_ascii_case(ROBOTS) {
            return Some(Audience::Everyone);
        }
        let token = name
            .split(|byte| byte.is_ascii_whitespace() || *byte == b'/')
            .next()?;
        let token = ProductToken::new(core::str::from_utf8(token).ok()?).ok()?;
        Some(Audience::Agent(token))
    }
}

/// All rules of a page in a few lists: a hostile value may hold a rule for each two of its bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct WrittenPageRules {
    text: Vec<u8>,
    agents: Vec<ProductToken>,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    rule: PageRule,
    agent: Option<AgentIndex>,
    source: Source,
    start: usize,
    end: usize,
}

/// A name in [`WrittenPageRules`], which many rules may share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AgentIndex(usize);

impl WrittenPageRules {
    pub(crate) fn index(&mut self, addressee: Audience) -> Option<AgentIndex> {
        match addressee {
            Audience::Everyone => None,
            Audience::Agent(token) => {
                self.agents.push(token);
                Some(AgentIndex(self.agents.len() - 1))
            }
        }
    }

    /// An empty text is no rule.
    pub(crate) fn push(&mut self, text: &[u8], agent: Option<AgentIndex>, source: Source) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.extend_from_slice(text);
        self.entries.push(Entry {
            rule: PageRule::parse(text),
            agent,
            source,
            start,
            end: self.text.len(),
        });
    }

    /// As `agent` sees them; without one, no name is its own.
    pub(crate) fn iter<'p>(
        &'p self,
        agent: Option<&'p ProductToken>,
    ) -> impl Iterator<Item = WrittenPageRule<'p>> {
        self.entries.iter().map(move |entry| {
            let named = entry.agent.and_then(|index| self.agents.get(index.0));
            WrittenPageRule {
                rule: entry.rule,
                scope: match named {
                    None => Scope::Everyone,
                    Some(token) if Some(token) == agent => Scope::ThisAgent(token.as_str()),
                    Some(token) => Scope::OtherAgent(token.as_str()),
                },
                source: entry.source,
                text: self.text.get(entry.start..entry.end).unwrap_or_default(),
            }
        })
    }
}

const ROBOTS: &[u8] = b"robots";
