//! The groups of a file as it writes them, with their `User-agent` lines and rules.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::access::Access;
use crate::compared_form::{canonical_classes, push_pattern};
use crate::options::Dialect;
use crate::parse::field::Directive;
use crate::parse::group::{Grouping, Membership, Opening};
use crate::parse::packed_file::Records;
use crate::parse::part::Part;
use crate::text::quote::escaped;
use crate::token::{is_wildcard, leading_token};

/// A group as the file has it: `User-agent` lines and the rules below them (RFC 9309 §2.1).
///
/// Groups that name the same agent are not merged here;
/// [`MergedGroup`](crate::document::MergedGroup) shows them merged, and
/// [`RobotsTxt::robot`](crate::RobotsTxt::robot) compiles them.
///
/// ```
/// use polite_robots::RobotsTxt;
///
/// let robots_txt = RobotsTxt::parse(
///     b"User-agent: a\nUser-agent: b/1.0\nDisallow: /x\n\nUser-agent: *\nDisallow:\n",
/// );
/// let group = robots_txt.groups().next().unwrap();
/// let agents: Vec<&str> = group.user_agents().map(|agent| agent.product_token()).collect();
/// assert_eq!(agents, ["a", "b"]);
/// let rule = group.rules().next().unwrap();
/// assert_eq!((rule.line(), rule.to_string()), (3, "Disallow: /x".to_string()));
/// assert_eq!(robots_txt.groups().count(), 2);
/// ```
#[derive(Clone, Copy)]
pub struct Group<'r> {
    records: Records<'r>,
}

impl<'r> Group<'r> {
    /// The line of the first `User-agent` record, counted from 1.
    pub fn line(&self) -> u32 {
        self.records.first_line()
    }

    /// The agents that the group is for, at least one.
    pub fn user_agents(&self) -> impl Iterator<Item = UserAgent<'r>> + use<'r> {
        user_agents(self.records)
    }

    /// The number of its records: agents, rules, and the records outside of RFC 9309 between them.
    pub fn record_count(&self) -> usize {
        self.records.len()
    }

    /// The rules of the group as written, in the order of the file. Empty values and values that
    /// can match nothing are among them.
    pub fn rules(&self) -> impl Iterator<Item = RuleRecord<'r>> + use<'r> {
        self.records
            .iter()
            .filter_map(|record| match record.directive {
                Directive::Rule(access) => Some(RuleRecord {
                    access,
                    value: record.written.value(),
                    line: record.line,
                }),
                _ => None,
            })
    }
}

impl fmt::Debug for Group<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group")
            .field("user_agents", &self.user_agents().collect::<Vec<_>>())
            .field("rules", &self.rules().collect::<Vec<_>>())
            .finish()
    }
}

/// A `User-agent` record of a [`Group`] or of an [`AgentRun`](crate::document::AgentRun), as
/// written.
///
/// ```
/// use polite_robots::RobotsTxt;
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: MJ12bot\nDisallow: /");
/// let agent = robots_txt.groups().next().unwrap().user_agents().next().unwrap();
/// assert_eq!((agent.value(), agent.product_token()), (&b"MJ12bot"[..], "MJ"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UserAgent<'r> {
    value: Part<'r>,
    line: u32,
}

impl<'r> UserAgent<'r> {
    /// The value as written, without white space around it and without a comment; any bytes.
    pub fn value(&self) -> &'r [u8] {
        self.value.bytes
    }

    /// The position of the value in [`RobotsTxt::as_bytes`](crate::RobotsTxt::as_bytes).
    pub fn span(&self) -> Range<usize> {
        self.value.span()
    }

    /// The line, counted from 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Whether the record stands for every agent: `*`, alone or before white space.
    pub fn is_wildcard(&self) -> bool {
        is_wildcard(self.value.bytes)
    }

    /// The product token that RFC 9309 and Google see: the leading `[A-Za-z_-]*`. Empty for `*`,
    /// and for a value such as `360Spider` that does not begin with a letter.
    pub fn product_token(&self) -> &'r str {
        core::str::from_utf8(leading_token(self.value.bytes)).unwrap_or_default()
    }
}

/// The record with control characters escaped, safe for a terminal.
impl fmt::Display for UserAgent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "User-agent: {}", escaped(self.value.bytes))
    }
}

/// An `Allow` or `Disallow` record of a [`Group`], as written.
///
/// ```
/// use polite_robots::RobotsTxt;
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallow: caf\xC3\xA9 # no slash");
/// let rule = robots_txt.groups().next().unwrap().rules().next().unwrap();
/// assert_eq!((rule.line(), rule.value()), (2, "café".as_bytes()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleRecord<'r> {
    access: Access,
    value: Part<'r>,
    line: u32,
}

impl<'r> RuleRecord<'r> {
    /// Whether the record is an `Allow` or a `Disallow`.
    pub fn access(&self) -> Access {
        self.access
    }

    /// The path pattern as written, without white space around it and without a comment; any bytes.
    pub fn value(&self) -> &'r [u8] {
        self.value.bytes
    }

    /// The place of the path pattern in [`RobotsTxt::as_bytes`](crate::RobotsTxt::as_bytes).
    pub fn span(&self) -> Range<usize> {
        self.value.span()
    }

    /// The path pattern in the form that a dialect compares, as
    /// [`Rule::pattern`](crate::Rule::pattern) has it. `None` if it matches nothing: it is empty,
    /// or begins with neither `/` nor `*`.
    ///
    /// ```
    /// use polite_robots::{Dialect, RobotsTxt};
    ///
    /// let robots_txt = RobotsTxt::parse("User-agent: *\nDisallow: /café\nDisallow: cart".as_bytes());
    /// let rules = robots_txt.groups().next().unwrap().rules();
    /// let patterns: Vec<_> = rules.map(|rule| rule.pattern(Dialect::Rfc9309)).collect();
    /// assert_eq!(patterns, [Some("/caf%C3%A9".into()), None]);
    /// ```
    pub fn pattern(&self, dialect: Dialect) -> Option<Cow<'r, str>> {
        let value = self.value();
        if !matches!(value, [b'/' | b'*', ..]) {
            return None;
        }
        if canonical_classes(value).is_some() {
            return core::str::from_utf8(value).ok().map(Cow::Borrowed);
        }
        let mut pattern = Vec::with_capacity(value.len());
        push_pattern(&mut pattern, value, dialect);
        String::from_utf8(pattern).ok().map(Cow::Owned)
    }

    /// The line, counted from 1.
    pub fn line(&self) -> u32 {
        self.line
    }
}

/// The record with control characters escaped, safe for a terminal.
impl fmt::Display for RuleRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.access, escaped(self.value.bytes))
    }
}

/// The groups of a file, in its order.
pub(crate) fn groups(records: Records<'_>) -> impl Iterator<Item = Group<'_>> {
    let mut grouping = Grouping::default();
    let mut starts = records.turns().filter_map(move |(at, directive)| {
        let membership = grouping.next(directive);
        (membership == Membership::Agent(Opening::Group)).then_some(at)
    });
    let mut start = starts.next();
    core::iter::from_fn(move || {
        let from = start?;
        start = starts.next();
        let places = from..start.unwrap_or(records.len());
        Some(Group {
            records: records.slice(places),
        })
    })
}

/// The `User-agent` records of a group or a run, all of which stand before its first rule.
pub(crate) fn user_agents(records: Records<'_>) -> UserAgents<'_> {
    UserAgents { records }
}

/// The `User-agent` records of a group or a run.
#[derive(Debug, Clone)]
pub(crate) struct UserAgents<'r> {
    /// The records that are left.
    records: Records<'r>,
}

impl<'r> Iterator for UserAgents<'r> {
    type Item = UserAgent<'r>;

    #[inline]
    fn next(&mut self) -> Option<UserAgent<'r>> {
        let mut directives = self.records.directives().enumerate();
        loop {
            let (at, directive) = directives.next()?;
            match directive {
                Directive::UserAgent => {
                    let rest = self.records.slice(at..self.records.len());
                    self.records = rest.slice(1..rest.len());
                    let record = rest.iter().next()?;
                    return Some(UserAgent {
                        value: record.written.value(),
                        line: record.line,
                    });
                }
                Directive::Rule(_) => return None,
                Directive::Extension(_) => {}
            }
        }
    }

    /// Counts without a look at the values.
    fn count(self) -> usize {
        let directives = self.records.directives();
        directives
            .take_while(|directive| !matches!(directive, Directive::Rule(_)))
            .filter(|directive| *directive == Directive::UserAgent)
            .count()
    }
}
