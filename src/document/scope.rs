//! The scope of an extension record: everyone, the agents directly above, or nobody.

use core::fmt;

use crate::document::groups::{UserAgent, user_agents};
use crate::parse::field::{ExtensionField, Record};
use crate::parse::group::{Grouping, Membership, Opening, Placement};
use crate::parse::packed_file::Records;

/// The agents whom a record outside of RFC 9309 applies to.
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
    /// Everyone: a record of [`ExtensionLevel::File`](crate::record::ExtensionLevel::File), or a
    /// `Content-Signal` or `License` above every `User-agent` line.
    File,
    /// The agents named directly above.
    Agents(AgentRun<'r>),
    /// Nobody: any other record above every `User-agent` line.
    Nobody,
}

/// The `User-agent` lines that an extension record belongs to: those directly above it.
///
/// Blank lines, comments, sitemaps and unknown fields do not interrupt a run of such lines. A rule
/// ends it and, unlike the agents of a [`Group`](crate::document::Group), so does an extension
/// record of group level. The records after that, up to the next `User-agent` line, still belong to
/// the run. So a run is a group, or some of the `User-agent` lines of one.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::document::Scope;
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: a\nUser-agent: b\nCrawl-delay: 5");
/// let record = robots_txt.extensions().next().unwrap();
/// let Scope::Agents(run) = record.scope() else { panic!("the record has agents") };
/// assert_eq!(run.user_agents().count(), 2);
/// ```
#[derive(Clone, Copy)]
pub struct AgentRun<'r> {
    records: Records<'r>,
}

impl<'r> AgentRun<'r> {
    /// The lines, at least one, in the order of the file.
    pub fn user_agents(&self) -> impl Iterator<Item = UserAgent<'r>> + use<'r> {
        user_agents(self.records)
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

/// The extension records of a file, each with its field and its scope.
pub(crate) fn scoped_extensions(
    records: Records<'_>,
) -> impl Iterator<Item = (ExtensionField, Record<'_>, Scope<'_>)> {
    let mut grouping = Grouping::default();
    let mut run = 0..0;
    records.turns().filter_map(move |(at, directive)| {
        match grouping.next(directive) {
            Membership::Agent(opening) => {
                if opening != Opening::Nothing {
                    run.start = at;
                }
                run.end = at.saturating_add(1);
                None
            }
            Membership::Rule | Membership::StrayRule => None,
            Membership::Extension(field, placement) => {
                let scope = match placement {
                    Placement::File => Scope::File,
                    Placement::Nowhere => Scope::Nobody,
                    Placement::Run => Scope::Agents(AgentRun {
                        records: records.slice(run.clone()),
                    }),
                };
                // Few records are extensions, so the others are not unpacked.
                let record = records.slice(at..at.saturating_add(1)).iter().next()?;
                Some((field, record, scope))
            }
        }
    })
}
