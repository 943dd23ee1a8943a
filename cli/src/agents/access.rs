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

/// An extent, and whether it is certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) extent: Extent,
    /// Whether no URL was overlooked: a part is a part, but some rules meet in more ways than can be looked at.
    pub(crate) is_complete: bool,
}

impl Found {
    /// The URLs of the rules decide quickly for nearly every file; if they agree, all others are looked at.
    fn of<'r>(robot: &'r Robot, search: &mut Search<'r>) -> Found {
        const A_PART: Found = Found {
            extent: Extent::Part,
            is_complete: true,
        };

        let rules = rules(robot);
        let urls = rules.iter().map(|rule| filled(rule.pattern));
        let urls = urls.chain([String::from("/")]);
        let mut answers = urls
            .filter(|url| url != ROBOTS_TXT)
            .map(|url| robot.allowed(&url));
        let first = answers.next().unwrap_or(true);
        if answers.any(|answer| answer != first) {
            return A_PART;
        }
        let (uniform, extent) = match first {
            true => (Rules::new(), Extent::Everything),
            false => (
                Rules::from([RuleText::EVERYTHING_DISALLOWED]),
                Extent::Nothing,
            ),
        };
        let found = search.difference(rules, uniform);
        let is_exception = |url: &String| url != ROBOTS_TXT && robot.allowed(url) != first;
        if found.urls.iter().any(is_exception) {
            return A_PART;
        }
        Found {
            extent,
            is_complete: found.is_complete,
        }
    }
}

impl Extent {
    pub(crate) const ALL: [Extent; 3] = [Extent::Nothing, Extent::Part, Extent::Everything];

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
    of_groups: HashMap<Vec<u32>, Found>,
    /// Of all searches, which is bounded: a file may have thousands of groups.
    work: usize,
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
            work: 0,
        }
    }

    /// Of a robot of the file.
    pub(crate) fn of(&mut self, robot: &Robot) -> Found {
        let group = |line: u32| self.group_of_line.get(&line).copied().unwrap_or(line);
        let mut groups: Vec<u32> = robot.group_lines().map(group).collect();
        groups.dedup();
        *self.of_groups.entry(groups).or_insert_with(|| {
            let mut search = Search::after(self.work);
            let found = Found::of(robot, &mut search);
            self.work = search.work();
            found
        })
    }
}

const ROBOTS_TXT: &str = "/robots.txt";

#[cfg(test)]
mod tests {
    use polite_robots::Robot;

    use super::*;

    fn found(rules: &str) -> Found {
        let robots_txt = format!("User-agent: *\n{rules}");
        let robot = Robot::new("*", robots_txt.as_bytes()).unwrap();
        Found::of(&robot, &mut Search::default())
    }

    fn extent(rules: &str) -> Extent {
        let found = found(rules);
        assert!(found.is_complete, "{rules}");
        found.extent
    }

    /// Patterns that meet in more ways than can be looked at.
    fn hard(count: usize) -> String {
        (0..count)
            .map(|n| {
                let [one, other] = [n % 5, n / 5].map(|n| char::from(b'a' + n as u8));
                format!("Allow: /*{one}*{other}*{one}*x{n}\n")
            })
            .collect()
    }

    #[test]
    fn what_could_not_be_looked_at_is_not_claimed() {
        let overlooked = "Disallow: /\nAllow: /*secret*index\nDisallow: /*secretindex\n";
        let rules = hard(25).replace("Allow", "Disallow") + overlooked;
        let found = found(&rules);
        assert!(found.extent == Extent::Part || !found.is_complete);
    }

    #[test]
    fn thousands_of_groups_take_no_more_work_than_all_searches_may() {
        let group = |n: u32| format!("User-agent: {n}x\nAllow: /a{n}\n{}\n", hard(15));
        let text: String = (0..60).map(group).collect();
        let robots_txt = RobotsTxt::parse(text.as_bytes());
        let mut extents = Extents::new(&robots_txt);
        extents.work = 19_500_000;
        let complete = robots_txt.merged_groups().filter(|group| {
            let robot = robots_txt.robot(group.product_token()).unwrap();
            extents.of(&robot).is_complete
        });
        let complete = complete.count();
        assert!(
            complete < 60 && extents.work <= 20_100_000,
            "{complete} {}",
            extents.work
        );
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
