//! [`AgentLists`]: where the agents of each group are listed, which a record may stand between.

use polite_robots::RobotsTxt;

/// The first and the last line with an agent of each group, in the order of the file.
#[derive(Debug)]
pub(crate) struct AgentLists(Vec<(u32, u32)>);

impl AgentLists {
    pub(crate) fn of(robots_txt: &RobotsTxt) -> AgentLists {
        let groups = robots_txt.groups();
        let lists = groups.filter_map(|group| {
            let last = group.user_agents().last()?;
            Some((group.line(), last.line()))
        });
        AgentLists(lists.collect())
    }

    /// Whether a line stands between two agents of a group, so that without it those above would
    /// share the records below.
    pub(crate) fn part(&self, line: u32) -> bool {
        let at = self.0.partition_point(|(first, _)| *first < line);
        let above = at.checked_sub(1).and_then(|above| self.0.get(above));
        above.is_some_and(|(_, last)| *last > line)
    }
}
