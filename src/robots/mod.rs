//! The facade: the document of all agents, and one agent's compiled view of it.
//!
//! A [`Collector`](collector::Collector) picks the records of one agent, from a file or from a
//! document, into an [`AgentView`](agent_view::AgentView), which a [`Robot`](robot::Robot) shares
//! with its clones.

pub(crate) mod agent_view;
pub(crate) mod collector;
pub(crate) mod robot;
pub(crate) mod robots_txt;
#[cfg(all(test, feature = "std"))]
mod tests;
