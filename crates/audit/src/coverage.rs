//! How much of a site an agent may fetch, found by an exact walk of all its rules.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots_audit::coverage::{CoverageSearch, Extent};
//!
//! let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallow: /\nAllow: /a\nDisallow: /a*");
//! let mut search = CoverageSearch::new(&robots_txt);
//! let coverage = search.coverage(&robots_txt.robot("*")?);
//! // The longer rule overrules the `Allow` everywhere.
//! assert_eq!(coverage.extent(), Extent::Nothing);
//! assert!(coverage.is_certain());
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```

use std::collections::HashMap;

use polite_robots::{Robot, RobotsTxt};

use crate::budget::{Budget, RobotSize};
use crate::witness::{
    Exemption, ROBOTS_TXT, RuleText, Rules, Search, Work, filled, rules, sendable,
};

/// The part of a site that an agent may fetch, except `/robots.txt`, which everyone may fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extent {
    /// No URL.
    Nothing,
    /// Some URLs, but not others.
    Part,
    /// Every URL.
    Everything,
}

impl Extent {
    /// Every extent, from the least to the most.
    pub const ALL: [Extent; 3] = [Extent::Nothing, Extent::Part, Extent::Everything];

    /// The stable name for machines.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Extent::Nothing => "nothing",
            Extent::Part => "part",
            Extent::Everything => "everything",
        }
    }
}

/// An extent, and how certain it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    extent: Extent,
    is_certain: bool,
}

impl Coverage {
    const PART: Coverage = Coverage {
        extent: Extent::Part,
        is_certain: true,
    };

    /// The coverage of a robot about which nothing was asked, because its file has too much to ask
    /// about.
    const UNKNOWN: Coverage = Coverage {
        extent: Extent::Part,
        is_certain: false,
    };

    /// The extent; if it is not certain, the most probable one.
    #[must_use]
    pub fn extent(self) -> Extent {
        self.extent
    }

    /// Whether every URL was taken into account. Some rules meet in more ways than can be walked
    /// through, and some files have more agents and rules than can be asked about.
    #[must_use]
    pub fn is_certain(self) -> bool {
        self.is_certain
    }

    /// The coverage of a robot. Most files are settled because all rules are alike. Otherwise asks
    /// about one URL for each rule, which settles nearly every file; if those answers agree, walks
    /// through all others.
    fn find(robot: &Robot, search: &mut Search, budget: &mut Budget) -> Coverage {
        let size = RobotSize::of(robot);
        if !budget.spend(size.sorting()) {
            return Coverage::UNKNOWN;
        }
        let rules = rules(robot);
        let first = robot.allowed("/");
        let urls = rules.iter().map(|rule| filled(rule.pattern));
        let (uniform, extent) = match first {
            true => (Rules::new(), Extent::Everything),
            false => (
                Rules::from([RuleText::EVERYTHING_DISALLOWED]),
                Extent::Nothing,
            ),
        };
        // Without rules of the other kind there is no exception, and nothing to walk through.
        let has_no_exception = match first {
            true => rules.iter().all(|rule| rule.is_allow),
            false => rules.is_superset(&uniform) && !rules.iter().any(|rule| rule.is_allow),
        };
        if has_no_exception {
            return Coverage {
                extent,
                is_certain: true,
            };
        }
        for url in urls.filter(|url| url != ROBOTS_TXT) {
            if !budget.spend(size.check(&url)) {
                return Coverage::UNKNOWN;
            }
            if robot.allowed(&url) != first {
                return Coverage::PART;
            }
        }
        let witnesses = search.difference(&rules, &uniform, Exemption::RobotsTxt);
        let asking = witnesses.urls.iter().map(|url| size.check(url));
        if !budget.spend(asking.fold(0, usize::saturating_add)) {
            return Coverage::UNKNOWN;
        }
        let is_exception = |url: &String| url != ROBOTS_TXT && robot.allowed(url) != first;
        // Google's matcher may open the directory of an index page; a longer URL shows the rule.
        let longer = |url: &String| format!("{url}x");
        let mut urls = witnesses
            .urls
            .iter()
            .flat_map(|url| sendable(url).chain([longer(url)]));
        if urls.any(|url| is_exception(&url)) {
            return Coverage::PART;
        }
        // By the rules alone each witness is an exception.
        let is_certain = witnesses.is_complete && witnesses.urls.is_empty();
        Coverage { extent, is_certain }
    }
}

/// The coverages of one file's agents. Agents with the same groups have the same rules, which are
/// walked through once.
#[derive(Debug)]
pub struct CoverageSearch {
    /// The first line of the group, by the line of each of its `User-agent` records.
    group_of_line: HashMap<u32, u32>,
    by_groups: HashMap<Vec<u32>, Coverage>,
    /// The work of all walks, which is bounded: a file may have thousands of groups.
    work: Work,
    /// The work of all questions about single URLs, which is bounded too.
    budget: Budget,
}

impl CoverageSearch {
    /// A search about the robots of this file.
    #[must_use]
    pub fn new(robots_txt: &RobotsTxt) -> CoverageSearch {
        let groups = robots_txt.groups().flat_map(|group| {
            let mut lines = group.user_agents().map(|agent| agent.line()).peekable();
            let first = lines.peek().copied().unwrap_or_default();
            lines.map(move |line| (line, first))
        });
        CoverageSearch {
            group_of_line: groups.collect(),
            by_groups: HashMap::new(),
            work: Work::default(),
            budget: Budget::new(0),
        }
    }

    /// The coverage of a robot of the file.
    pub fn coverage(&mut self, robot: &Robot) -> Coverage {
        let group = |line: u32| self.group_of_line.get(&line).copied().unwrap_or(line);
        let mut groups: Vec<u32> = robot.group_lines().map(group).collect();
        groups.dedup();
        if let Some(coverage) = self.by_groups.get(&groups) {
            return *coverage;
        }
        let coverage = self.uncached(robot);
        self.by_groups.insert(groups, coverage);
        coverage
    }

    /// The coverage of a robot whatever its groups.
    pub(crate) fn uncached(&mut self, robot: &Robot) -> Coverage {
        let mut search = Search::after(self.work);
        let coverage = Coverage::find(robot, &mut search, &mut self.budget);
        self.work = search.work();
        coverage
    }
}

#[cfg(test)]
mod tests {
    use polite_robots::{Options, Robot};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    fn coverage(rules: &str) -> Coverage {
        let robots_txt = format!("User-agent: *\n{rules}");
        let robot = Robot::new("*", robots_txt.as_bytes()).unwrap();
        Coverage::find(&robot, &mut Search::default(), &mut Budget::new(0))
    }

    fn extent(rules: &str) -> Extent {
        let coverage = coverage(rules);
        assert!(coverage.is_certain, "{rules}");
        coverage.extent
    }

    /// Patterns whose matches overlap in more ways than a search can walk through.
    fn hard(count: usize) -> String {
        (0..count)
            .map(|n| {
                let [one, other] = [n % 5, n / 5].map(|n| char::from(b'a' + n as u8));
                format!("Allow: /*{one}*{other}*{one}*x{n}\n")
            })
            .collect()
    }

    #[test]
    fn an_incomplete_walk_is_not_certain() {
        let overlooked = "Disallow: /\nAllow: /*secret*index\nDisallow: /*secretindex\n";
        let rules = hard(25).replace("Allow", "Disallow") + overlooked;
        let coverage = coverage(&rules);
        assert!(coverage.extent == Extent::Part || !coverage.is_certain);
    }

    #[test]
    fn thousands_of_groups_share_one_bound() {
        // An equal `Allow` overrules the `Disallow` at the end of any path. This rule of the other
        // kind makes the walk necessary.
        let group = |n: u32| {
            format!(
                "User-agent: {n}x\nAllow: /a{n}\nDisallow: /*~$\nAllow: /*~$\n{}\n",
                hard(15)
            )
        };
        let text: String = (0..60).map(group).collect();
        let robots_txt = RobotsTxt::parse(text.as_bytes());
        let mut search = CoverageSearch::new(&robots_txt);
        search.work.active = 19_500_000;
        let certain = robots_txt.merged_groups().filter(|group| {
            let robot = robots_txt.robot(group.product_token()).unwrap();
            search.coverage(&robot).is_certain
        });
        let certain = certain.count();
        assert!(
            certain < 60 && search.work.active <= 20_100_000,
            "{certain} {}",
            search.work.active
        );
    }

    #[test]
    fn equivalent_rules_have_the_same_extent() {
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
    fn a_spent_budget_makes_no_certainty() {
        let robot = Robot::new("*", b"User-agent: *\nDisallow: /\nAllow: /robots.txt$").unwrap();
        let find =
            |work| Coverage::find(&robot, &mut Search::default(), &mut Budget::with(work, 0));
        assert_eq!(find(1_000_000).extent, Extent::Nothing);
        assert_eq!(find(1_000), Coverage::UNKNOWN);
    }

    /// No walk would come to the end of these patterns.
    #[test]
    fn rules_of_one_kind_need_no_walk() {
        let hard = hard(25);
        assert_eq!(extent(&hard), Extent::Everything);
        let closed = hard.replace("Allow", "Disallow") + "Disallow: /\n";
        assert_eq!(extent(&closed), Extent::Nothing);
    }

    /// An index page opens its directory in the Google dialect, and nothing else there.
    #[test]
    fn a_directory_that_an_index_page_opens_is_a_part() {
        for rules in [
            "Disallow: /\nAllow: /index.html",
            "Disallow: /a/\nAllow: /a/index.html",
            "Disallow: /\nAllow: /a/index.htm$",
        ] {
            let file = format!("User-agent: *\n{rules}");
            let robot = Robot::with_options("*", file.as_bytes(), &Options::google()).unwrap();
            let find = Coverage::find(&robot, &mut Search::default(), &mut Budget::new(0));
            assert_eq!(find, Coverage::PART, "{rules}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

        /// A sentence that is certain holds for each URL of a few parts, in both dialects.
        #[test]
        fn a_certain_extent_holds_for_all_short_urls(
            rules in vec((any::<bool>(), vec(select(PATTERN_PARTS), 1..5), any::<bool>()), 0..6),
            google: bool,
        ) {
            let lines = rules.iter().map(|(allow, parts, anchored)| {
                let (access, end) = (if *allow { "Allow" } else { "Disallow" }, if *anchored { "$" } else { "" });
                format!("{access}: /{}{end}\n", parts.concat())
            });
            let file = format!("User-agent: *\n{}", lines.collect::<String>());
            let options = if google { Options::google() } else { Options::rfc9309() };
            let robot = Robot::with_options("*", file.as_bytes(), &options).unwrap();
            let coverage = Coverage::find(&robot, &mut Search::default(), &mut Budget::new(0));
            let wrong = match coverage.extent {
                Extent::Nothing => true,
                Extent::Everything => false,
                Extent::Part => return Ok(()),
            };
            for url in short_urls().filter(|url| url != ROBOTS_TXT) {
                prop_assert!(!coverage.is_certain || robot.allowed(&url) != wrong, "{:?} {url} {file}", coverage);
            }
        }
    }

    const PATTERN_PARTS: &[&str] = &[
        "a",
        "b",
        "*",
        "/",
        "robots.txt",
        "index.html",
        "index.htm",
        "?",
    ];
    const URL_PARTS: &[&str] = &[
        "",
        "a",
        "b",
        "/",
        "robots.txt",
        "index.html",
        "index.htm",
        "?",
        "x",
    ];

    /// The URLs of up to three parts.
    fn short_urls() -> impl Iterator<Item = String> {
        let of_two =
            |first: &'static str| URL_PARTS.iter().map(move |second| [first, second].concat());
        let all = URL_PARTS.iter().flat_map(move |first| of_two(first));
        let all = all.flat_map(|two| URL_PARTS.iter().map(move |third| format!("/{two}{third}")));
        // Two slashes would begin an authority.
        all.filter(|url| !url.starts_with("//"))
    }

    #[test]
    fn an_exception_makes_a_part() {
        assert_eq!(extent("Disallow: /\nAllow: /a"), Extent::Part);
        assert_eq!(extent("Disallow: /a"), Extent::Part);
        // The URL of this pattern would be `/../`, which no client sends.
        assert_eq!(extent("Disallow: /\nAllow: /.*./"), Extent::Part);
        // A URL made from either pattern alone does not show the exception.
        assert_eq!(
            extent("Disallow: /*\nAllow: /*ab*c\nDisallow: *abc"),
            Extent::Part
        );
    }

    /// The file itself is always allowed. Every other path that the rule matches is not.
    #[test]
    fn a_rule_about_the_file_itself_may_close_more() {
        for rules in [
            "Disallow: /robots.txt",
            "Disallow: /robots.txt*",
            "Disallow: /*robots.txt*",
            "Disallow: /robots.txt?",
            "Disallow: /robots.t*",
            "Disallow: /*.txt",
            "Disallow: /*.txt$",
            "Disallow: /robots.txt*\nAllow: /robots.txtx",
        ] {
            assert_eq!(extent(rules), Extent::Part, "{rules}");
            let closed = rules
                .replace("Allow", "-")
                .replace("Disallow", "Allow")
                .replace('-', "Disallow");
            assert_eq!(
                extent(&format!("Disallow: /\n{closed}")),
                Extent::Part,
                "{closed}"
            );
        }
        assert_eq!(extent("Disallow: /robots.txt$"), Extent::Everything);
        assert_eq!(extent("Disallow: /\nAllow: /robots.txt$"), Extent::Nothing);
    }

    #[test]
    fn an_allow_that_longer_rules_overrule_everywhere_is_no_exception() {
        assert_eq!(
            extent("Disallow: /\nAllow: /a\nDisallow: /a*"),
            Extent::Nothing
        );
    }
}
