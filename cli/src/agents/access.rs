//! How much of a site an agent may fetch.

use std::collections::HashMap;

use polite_robots::{Robot, RobotsTxt};

use crate::witness::{RuleText, Rules, Search, filled, rules};

/// Of all URLs but `/robots.txt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Extent {
    Nothing,
    Part,
    Everything,
}

impl Extent {
    pub(crate) const ALL: [Extent; 3] = [Extent::Nothing, Extent::Part, Extent::Everything];

    /// The URLs of the rules decide quickly for nearly every file; if they agree, all others are looked at.
    pub(crate) fn of(robot: &Robot) -> Extent {
        let rules = rules(robot);
        let urls = rules.iter().map(|rule| filled(rule.pattern));
        let urls = urls.chain([String::from("/")]);
        let mut answers = urls
            .filter(|url| url != ROBOTS_TXT)
            .map(|url| robot.allowed(&url));
        let first = answers.next().unwrap_or(true);
        if answers.any(|answer| answer != first) {
            return Extent::Part;
        }
        let uniform = match first {
            true => Rules::new(),
            false => Rules::from([RuleText::EVERYTHING_DISALLOWED]),
        };
        let found = Search::default().difference(rules, uniform);
        let is_exception = |url: &String| url != ROBOTS_TXT && robot.allowed(url) != first;
        match (found.urls.iter().any(is_exception), first) {
            (true, _) => Extent::Part,
            (false, true) => Extent::Everything,
            (false, false) => Extent::Nothing,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Extent::Nothing => "nothing",
            Extent::Part => "part",
            Extent::Everything => "everything",
        }
    }
}

/// The extents of one file's agents, each found once: agents to whom the same groups apply have the same rules.
#[derive(Debug)]
pub(crate) struct Extents {
    /// By the line of a `User-agent`, the first line of its group.
    group_of_line: HashMap<u32, u32>,
    of_groups: HashMap<Vec<u32>, Extent>,
}

impl Extents {
    pub(crate) fn new(robots_txt: &RobotsTxt) -> Extents {
        let groups = robots_txt.groups().flat_map(|group| {
            let mut lines = group.user_agents().map(|agent| agent.line()).peekable();
            let first = lines.peek().copied().unwrap_or_default();
            lines.map(move |line| (line, first))
        });
        Extents {
            group_of_line: groups.collect(),
            of_groups: HashMap::new(),
        }
    }

    /// Of a robot of the file.
    pub(crate) fn of(&mut self, robot: &Robot) -> Extent {
        let group = |line: u32| self.group_of_line.get(&line).copied().unwrap_or(line);
        let mut groups: Vec<u32> = robot.group_lines().map(group).collect();
        groups.dedup();
        *self
            .of_groups
            .entry(groups)
            .or_insert_with(|| Extent::of(robot))
    }
}

const ROBOTS_TXT: &str = "/robots.txt";

#[cfg(test)]
mod tests {
    use polite_robots::Robot;

    use super::Extent;

    fn extent(rules: &str) -> Extent {
        let robots_txt = format!("User-agent: *\n{rules}");
        Extent::of(&Robot::new("*", robots_txt.as_bytes()).unwrap())
    }

    #[test]
    fn rules_that_say_the_same_have_the_same_extent() {
        for rules in [
            "Disallow: /",
            "Disallow: *",
            "Disallow: /*",
            "Disallow: /\nDisallow: /a\nAllow: /robots.txt$",
        ] {
            assert_eq!(extent(rules), Extent::Nothing, "{rules}");
        }
        for rules in [
            "",
            "Disallow:",
            "Allow: /",
            "Allow: /\nDisallow: /",
            "Disallow: /a\nAllow: /a*",
        ] {
            assert_eq!(extent(rules), Extent::Everything, "{rules}");
        }
    }

    #[test]
    fn an_exception_makes_it_a_part() {
        assert_eq!(extent("Disallow: /\nAllow: /a"), Extent::Part);
        assert_eq!(extent("Disallow: /a"), Extent::Part);
        // Neither pattern filled in shows it.
        assert_eq!(
            extent("Disallow: /*\nAllow: /*ab*c\nDisallow: *abc"),
            Extent::Part
        );
    }

    #[test]
    fn an_allow_that_longer_rules_overrule_everywhere_is_no_exception() {
        assert_eq!(
            extent("Disallow: /\nAllow: /a\nDisallow: /a*"),
            Extent::Nothing
        );
    }
}
