//! Groups of a parsed file as they are written, and the scope of an extension record.

use alloc::vec::Vec;
use core::fmt;

use crate::access::Access;
use crate::agent::{is_wildcard, leading_token};
use crate::parse::document::{Document, records};
use crate::parse::field::{Directive, ExtensionField, KnownRecord};
use crate::parse::group::{Begins, Grouping, Placement};
use crate::parse::line::Value;
use crate::parse::packed_record::PackedRecord;
use crate::text::quote::write_escaped;

impl Document {
    /// The extension records, each with its field and with those to whom it speaks.
    pub(crate) fn extensions(
        &self,
    ) -> impl Iterator<Item = (ExtensionField, KnownRecord<'_>, Scope<'_>)> {
        let mut grouping = Grouping::default();
        let mut run = 0..0;
        self.records()
            .enumerate()
            .filter_map(move |(at, record)| match record.directive {
                Directive::UserAgent => {
                    if grouping.user_agent() != Begins::Nothing {
                        run.start = at;
                    }
                    run.end = at.saturating_add(1);
                    None
                }
                Directive::Rule(_) => {
                    grouping.rule();
                    None
                }
                Directive::Extension(field) => {
                    let scope = match grouping.placement(field) {
                        Placement::File => Scope::File,
                        Placement::Nowhere => Scope::Nobody,
                        Placement::Run => Scope::Agents(AgentRun {
                            bytes: self.bytes(),
                            records: self.packed_records().get(run.clone()).unwrap_or_default(),
                        }),
                    };
                    grouping.extension(field.level());
                    Some((field, record, scope))
                }
            })
    }

    pub(crate) fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        let mut rest = GroupStarts {
            records: self.packed_records(),
            at: 0,
            grouping: Grouping::default(),
        };
        let mut start = rest.next();
        core::iter::from_fn(move || {
            let begin = start?;
            start = rest.next();
            let records = self
                .packed_records()
                .get(begin..start.unwrap_or(self.packed_records().len()))?;
            Some(Group {
                bytes: self.bytes(),
                records,
            })
        })
    }
}

/// A group as the file has it: `User-agent` lines and the rules below them (RFC 9309 §2.1).
///
/// Groups that name the same agent are not merged here; [`RobotsTxt::robot`](crate::RobotsTxt::robot) does that.
///
/// ```
/// use polite_robots::RobotsTxt;
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: a\nUser-agent: b/1.0\nDisallow: /x\n\nUser-agent: *\nDisallow:\n");
/// let group = robots_txt.groups().next().unwrap();
/// let agents: Vec<&str> = group.user_agents().map(|agent| agent.product_token()).collect();
/// assert_eq!(agents, ["a", "b"]);
/// let rule = group.rules().next().unwrap();
/// assert_eq!((rule.line(), rule.to_string()), (3, "Disallow: /x".to_string()));
/// assert_eq!(robots_txt.groups().count(), 2);
/// ```
#[derive(Clone, Copy)]
pub struct Group<'r> {
    bytes: &'r [u8],
    records: &'r [PackedRecord],
}

impl<'r> Group<'r> {
    /// The line of the first `User-agent` record, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.records.first().map_or(0, |record| record.line)
    }

    /// The agents that the group is for, at least one.
    pub fn user_agents(&self) -> impl Iterator<Item = UserAgent<'r>> + use<'r> {
        user_agents(self.bytes, self.records)
    }

    /// All of them, also those that are neither agents nor rules.
    pub(crate) fn record_count(&self) -> usize {
        self.records.len()
    }

    /// The rules, of which most are looked at without a comment being looked for.
    pub(crate) fn rule_values(&self) -> impl Iterator<Item = (Access, Value<'r>, u32)> + use<'r> {
        records(self.bytes, self.records).filter_map(|record| match record.directive {
            Directive::Rule(access) => Some((access, record.value, record.line)),
            _ => None,
        })
    }

    /// The rules of the group as they are written, in the order of the file. Empty values and values that can
    /// match nothing are among them.
    pub fn rules(&self) -> impl Iterator<Item = WrittenRule<'r>> + use<'r> {
        self.rule_values().map(|(access, value, line)| WrittenRule {
            access,
            value: value.bytes(),
            line,
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

/// To whom a record outside of RFC 9309 speaks.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::document::Scope;
///
/// let robots_txt = RobotsTxt::parse(b"
/// User-agent: a
/// Crawl-delay: 1
/// User-agent: b
/// Crawl-delay: 2
/// Sitemap: https://example.com/map.xml
/// ");
/// let scopes: Vec<String> = robots_txt
///     .extensions()
///     .map(|record| match record.scope() {
///         Scope::Agents(run) => run.user_agents().map(|agent| agent.to_string()).collect(),
///         other => format!("{other:?}"),
///     })
///     .collect();
/// assert_eq!(scopes, ["User-agent: a", "User-agent: b", "File"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope<'r> {
    /// To everyone: a record of [`ExtensionLevel::File`](crate::record::ExtensionLevel::File), or a `Content-Signal` or
    /// `License` above every `User-agent` line.
    File,
    /// To the agents named directly above.
    Agents(AgentRun<'r>),
    /// To nobody: any other record above every `User-agent` line.
    Nobody,
}

/// The `User-agent` lines that an extension record belongs to: those directly above it.
///
/// A run of such lines goes on over blank lines, comments, sitemaps and fields that nobody knows. It is ended by a
/// rule and, unlike the agents of a [`Group`], by an extension record of group level; what follows before the next
/// `User-agent` line still belongs to it. So a run is a group, or a part of the `User-agent` lines of one.
#[derive(Clone, Copy)]
pub struct AgentRun<'r> {
    bytes: &'r [u8],
    records: &'r [PackedRecord],
}

impl<'r> AgentRun<'r> {
    /// The lines, at least one, in the order of the file.
    pub fn user_agents(&self) -> impl Iterator<Item = UserAgent<'r>> + use<'r> {
        user_agents(self.bytes, self.records)
    }
}

impl PartialEq for AgentRun<'_> {
    fn eq(&self, other: &AgentRun<'_>) -> bool {
        self.user_agents().eq(other.user_agents())
    }
}

impl Eq for AgentRun<'_> {}

impl fmt::Debug for AgentRun<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.user_agents()).finish()
    }
}

/// A `User-agent` record of a [`Group`] or of an [`AgentRun`].
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
    value: &'r [u8],
    line: u32,
}

impl<'r> UserAgent<'r> {
    /// The value as written, without blanks around it and without a comment; any bytes.
    #[must_use]
    pub fn value(&self) -> &'r [u8] {
        self.value
    }

    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Whether the record stands for every agent: `*`, alone or before white space.
    #[must_use]
    pub fn is_wildcard(&self) -> bool {
        is_wildcard(self.value)
    }

    /// The product token that RFC 9309 and Google see: the leading `[A-Za-z_-]*`. Empty for `*`, and for a value
    /// such as `360Spider` that does not begin with a letter.
    #[must_use]
    pub fn product_token(&self) -> &'r str {
        core::str::from_utf8(leading_token(self.value)).unwrap_or_default()
    }
}

impl fmt::Display for UserAgent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("User-agent: ")?;
        write_escaped(f, self.value)
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
pub struct WrittenRule<'r> {
    access: Access,
    value: &'r [u8],
    line: u32,
}

impl<'r> WrittenRule<'r> {
    /// Whether it is an `Allow` or a `Disallow`.
    #[must_use]
    pub fn access(&self) -> Access {
        self.access
    }

    /// The path pattern as written, without blanks around it and without a comment; any bytes.
    #[must_use]
    pub fn value(&self) -> &'r [u8] {
        self.value
    }

    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }
}

impl fmt::Display for WrittenRule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.access)?;
        write_escaped(f, self.value)
    }
}

fn user_agents<'r>(
    bytes: &'r [u8],
    kept: &'r [PackedRecord],
) -> impl Iterator<Item = UserAgent<'r>> {
    records(bytes, kept).filter_map(|record| match record.directive {
        Directive::UserAgent => Some(UserAgent {
            value: record.value.bytes(),
            line: record.line,
        }),
        _ => None,
    })
}

/// The indices of the records that begin a group.
struct GroupStarts<'r> {
    records: &'r [PackedRecord],
    at: usize,
    grouping: Grouping,
}

impl Iterator for GroupStarts<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        loop {
            let at = self.at;
            let record = self.records.get(at)?;
            self.at = at.saturating_add(1);
            match record.directive_and_place().0 {
                Directive::UserAgent => {
                    if self.grouping.user_agent() == Begins::Group {
                        return Some(at);
                    }
                }
                Directive::Rule(_) => {
                    self.grouping.rule();
                }
                Directive::Extension(field) => self.grouping.extension(field.level()),
            }
        }
    }
}
