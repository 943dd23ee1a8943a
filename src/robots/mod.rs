//! The facade: the document of all agents, and one agent's compiled view of it.

pub(crate) mod agent_view;
pub(crate) mod collector;
pub(crate) mod debug_list;
pub(crate) mod robot;
pub(crate) mod robots_txt;
