//! The parsed file as it is written: its lines, its groups, and its groups merged by agent.

pub(crate) mod groups;
pub(crate) mod lines;
pub(crate) mod merged_groups;

pub use crate::document::groups::{AgentRun, Group, Scope, UserAgent, WrittenRule};
pub use crate::document::lines::{Line, LineKind};
pub use crate::document::merged_groups::MergedGroup;
pub use crate::parse::field::Spelling;
pub use crate::parse::line::Separator;
