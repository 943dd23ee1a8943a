//! URLs about which two lists of rules decide differently, found by walking through all patterns at
//! once.
//!
//! Each pattern is a small automaton. All advance together, one symbol of a URL at a time, from `/`
//! on and breadth first, so the URL for a pair of deciding rules is a shortest one. A branch ends
//! when no rule is left that only one of the lists has. If all branches end, the result is
//! complete.

mod alphabet;
mod rule;
mod walk;

use std::collections::HashMap;
use std::rc::Rc;

use crate::witness::alphabet::Alphabet;
pub(crate) use crate::witness::rule::{ROBOTS_TXT, RuleText, Rules, directories, filled, rules};
pub(crate) use crate::witness::walk::Work;
use crate::witness::walk::{Automaton, Lists, Until, Walk};

/// The result of a search.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Witnesses {
    /// URLs without scheme and host. The walk knows the rules but not the additions of a dialect,
    /// so each URL is to be checked.
    pub(crate) urls: Vec<String>,
    /// Whether there is a URL for every pair of deciding rules that has one.
    pub(crate) is_complete: bool,
}

/// The URL that is allowed whatever the rules say, so that it is no witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exemption {
    /// `/robots.txt` itself, for RFC 9309 §2.2.2. Another URL shows that a rule such as
    /// `Disallow: /robots.txt*` closes more than that.
    RobotsTxt,
    /// No URL, as Google's matcher exempts none.
    None,
}

impl Exemption {
    fn rule(self) -> Option<RuleText<'static>> {
        let rule = RuleText {
            pattern: "/robots.txt$",
            is_allow: true,
        };
        (self == Exemption::RobotsTxt).then_some(rule)
    }
}

/// A search for witnesses. It keeps its results, as many agents of a file have the same rules.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// By the text of both lists.
    results: HashMap<String, Rc<Witnesses>>,
    /// The bytes of the results and their keys.
    kept_bytes: usize,
    work: Work,
}

impl Search {
    /// A search that continues with the remaining shared work budget.
    pub(crate) fn after(work: Work) -> Search {
        Search {
            work,
            ..Search::default()
        }
    }

    /// A search that ends after some milliseconds.
    pub(crate) fn small() -> Search {
        Search::after(MOST_WORK_OF_ALL.minus(SMALL_WORK))
    }

    /// Whether no work is left, so that a walk may have ended too early.
    pub(crate) fn is_spent(&self) -> bool {
        let left = self.limit();
        left.active == 0 || left.steps == 0
    }

    /// The work spent so far.
    pub(crate) fn work(&self) -> Work {
        self.work
    }

    /// URLs for all pairs of deciding rules in which the lists differ.
    pub(crate) fn difference(
        &mut self,
        old: &Rules<'_>,
        new: &Rules<'_>,
        exemption: Exemption,
    ) -> Rc<Witnesses> {
        let key = format!("{exemption:?}\n{}\n{}", rule::text(old), rule::text(new));
        if let Some(known) = self.results.get(&key) {
            return Rc::clone(known);
        }
        let (witnesses, work) = Witnesses::between(old, new, exemption, self.limit(), Until::All);
        self.work = self.work.plus(work);
        let witnesses = Rc::new(witnesses);
        let bytes = key.len().saturating_add(witnesses.bytes());
        if self.kept_bytes.saturating_add(bytes) <= MOST_KEPT_BYTES {
            self.kept_bytes = self.kept_bytes.saturating_add(bytes);
            self.results.insert(key, Rc::clone(&witnesses));
        }
        witnesses
    }

    /// A URL about which the lists probably differ; `Ok(None)` if there is none, and an error if
    /// the search has ended too early.
    pub(crate) fn first(
        &mut self,
        old: &Rules<'_>,
        new: &Rules<'_>,
    ) -> Result<Option<String>, Spent> {
        let (exemption, limit) = (Exemption::None, self.limit());
        let (witnesses, work) = Witnesses::between(old, new, exemption, limit, Until::First);
        self.work = self.work.plus(work);
        match (witnesses.urls.into_iter().next(), witnesses.is_complete) {
            (None, false) => Err(Spent),
            (url, _) => Ok(url),
        }
    }

    /// The limit of the next walk.
    fn limit(&self) -> Work {
        let left = MOST_WORK_OF_ALL.minus(self.work);
        Work {
            active: MOST_WORK.active.min(left.active),
            steps: MOST_WORK.steps.min(left.steps),
        }
    }
}

/// A search that has spent its work and found nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spent;

impl Witnesses {
    /// The witnesses, and the work that it took to find them.
    fn between(
        old: &Rules<'_>,
        new: &Rules<'_>,
        exemption: Exemption,
        limit: Work,
        until: Until,
    ) -> (Witnesses, Work) {
        if old == new {
            let none = Witnesses {
                urls: Vec::new(),
                is_complete: true,
            };
            return (none, Work::default());
        }
        // To get ready for a walk takes longer than the rest, where the patterns are long.
        if limit.active == 0 || limit.steps == 0 {
            let witnesses = Witnesses::sorted(filled_changes(old, new).collect(), false);
            return (witnesses, Work::default());
        }
        let exempt = exemption.rule();
        let meeting = Meeting::of(old, new);
        let union = old.union(new);
        let union: Vec<&RuleText<'_>> = union
            .filter(|rule| meeting.may_match_a_change(rule))
            .collect();
        let alphabet = Alphabet::new(union.iter().copied().chain(&exempt));
        let automata = automata(&alphabet, &union, [old, new], exempt.as_ref());
        let mut walk = Walk::new(&alphabet, &automata);
        let is_exact = !union.iter().any(|rule| has_two_readings(rule.pattern));
        let mut is_complete = walk.run(limit, until) && is_exact;
        let mut urls: Vec<String> = Vec::new();
        let mut bytes = 0_usize;
        for path in walk.found() {
            let url = alphabet.url(&path);
            bytes = bytes.saturating_add(url.len());
            if bytes > MOST_BYTES_OF_URLS {
                is_complete = false;
                break;
            }
            urls.push(url);
        }
        if !is_complete {
            urls.extend(filled_changes(old, new));
        }
        (Witnesses::sorted(urls, is_complete), walk.work())
    }

    fn sorted(mut urls: Vec<String>, is_complete: bool) -> Witnesses {
        urls.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        urls.dedup();
        Witnesses { urls, is_complete }
    }

    fn bytes(&self) -> usize {
        let lengths = self.urls.iter().map(|url| url.len().saturating_add(24));
        lengths.fold(0, usize::saturating_add)
    }
}

/// The automata of the rules of both lists, and of the rule that no list can change, which takes
/// precedence over all of them.
fn automata(
    alphabet: &Alphabet,
    rules: &[&RuleText<'_>],
    [old, new]: [&Rules<'_>; 2],
    exempt: Option<&RuleText<'_>>,
) -> Vec<Automaton> {
    let automaton = |rule: &RuleText<'_>, precedence, is_in| Automaton {
        steps: alphabet.steps(rule.pattern),
        is_anchored: rule.pattern.ends_with('$'),
        precedence,
        is_in,
    };
    let of_lists = rules.iter().map(|rule| {
        let is_in = Lists {
            old: old.contains(rule),
            new: new.contains(rule),
        };
        automaton(rule, rule.precedence(), is_in)
    });
    let both = Lists {
        old: true,
        new: true,
    };
    let above_all = exempt.map(|rule| automaton(rule, (usize::MAX, true), both));
    of_lists.chain(above_all).collect()
}

/// The starts of the rules that only one of the lists has. Each witness matches one of these rules,
/// so that a rule with another start decides about none.
struct Meeting<'r> {
    starts: Vec<&'r [u8]>,
}

impl<'r> Meeting<'r> {
    fn of(old: &Rules<'r>, new: &Rules<'r>) -> Meeting<'r> {
        let changed = old.symmetric_difference(new);
        let starts = changed
            .map(|rule| start(rule.pattern))
            .take(MOST_STARTS + 1);
        Meeting {
            starts: starts.collect(),
        }
    }

    /// Whether a URL may match both the rule and one that changes.
    fn may_match_a_change(&self, rule: &RuleText<'_>) -> bool {
        let own = start(rule.pattern);
        let meets = |other: &&[u8]| own.iter().zip(*other).all(|(one, other)| one == other);
        self.starts.len() > MOST_STARTS || self.starts.iter().any(meets)
    }
}

/// The literal prefix of a pattern, up to its first escape, which may stand for another text.
fn start(pattern: &str) -> &[u8] {
    let pattern = pattern.as_bytes();
    let end = pattern.iter().position(|byte| b"*%$".contains(byte));
    pattern
        .get(..end.unwrap_or(pattern.len()))
        .unwrap_or_default()
}

/// The most changed rules that are compared with each other rule: more would take quadratic time.
const MOST_STARTS: usize = 32;

/// A URL for each rule that only one of the lists has.
fn filled_changes<'r>(old: &'r Rules<'_>, new: &'r Rules<'_>) -> impl Iterator<Item = String> + 'r {
    let changed = old.symmetric_difference(new);
    changed.map(|rule| filled(rule.pattern))
}

/// The URL of a witness. If it has dot segments, which no client sends, some like it without them:
/// a `*` of `/*./`, `/.*/` or `/.*./` may stand for another byte. A URL with a `\` comes escaped
/// too, as some clients write `\` as `/`.
pub(crate) fn sendable(url: &str) -> impl Iterator<Item = String> {
    let with = |other: fn(&str) -> String| {
        let segment = |segment: &str| match is_dot_segment(segment) {
            true => other(segment),
            false => segment.to_owned(),
        };
        let (path, query) = url.split_at(url.find('?').unwrap_or(url.len()));
        let segments: Vec<String> = path.split('/').map(segment).collect();
        format!("{}{query}", segments.join("/"))
    };
    let others = has_dot_segment(url).then(|| {
        [
            with(|dots| format!("{dots}x")),
            with(|dots| format!("x{dots}")),
            with(|dots| dots.replacen('.', ".x", 1)),
        ]
    });
    let escaped = url.contains('\\').then(|| url.replace('\\', "%5C"));
    let others = others.into_iter().flatten();
    core::iter::once(url.to_owned())
        .chain(escaped)
        .chain(others)
}

/// Whether the path of a URL has a segment `.` or `..`.
fn has_dot_segment(url: &str) -> bool {
    let path = url.split('?').next().unwrap_or_default();
    path.split('/').any(is_dot_segment)
}

fn is_dot_segment(segment: &str) -> bool {
    matches!(segment, "." | "..")
}

/// Whether the pattern has an escape that RFC 9309 reads differently in path and query, and before
/// it a `*` that may run into the query. The walk knows the reading in the path only.
fn has_two_readings(pattern: &str) -> bool {
    let path = pattern.split('?').next().unwrap_or_default();
    let after_star = path.split_once('*').map_or("", |(_, after)| after);
    ["%2F", "%3F", "%26", "%3D"]
        .iter()
        .any(|escape| after_star.contains(escape))
}

/// The limit of one walk. Two real files that have nothing in common took more active patterns in
/// 1 of 20 tries. They take up to 32 MB, and the states that hold them 80 MB; the steps take less
/// than a second.
const MOST_WORK: Work = Work {
    active: 2_000_000,
    steps: 100_000_000,
};

/// The limit of all walks of a search together, so that a file with thousands of groups comes to an
/// end.
const MOST_WORK_OF_ALL: Work = Work {
    active: 20_000_000,
    steps: 300_000_000,
};

/// The work of a small search.
const SMALL_WORK: Work = Work {
    active: 50_000,
    steps: 1_000_000,
};

/// The URLs of one walk, each of which may be as long as all patterns together.
const MOST_BYTES_OF_URLS: usize = 8_000_000;

/// The results that a search keeps.
const MOST_KEPT_BYTES: usize = 16_000_000;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use polite_robots::{Access, Options, Robot, RobotsTxt, Verdict};
    use proptest::prelude::*;

    use super::{Exemption, Search, filled, rules};

    fn robot(robots_txt: &str) -> Robot {
        let robots_txt = format!("User-agent: *\n{robots_txt}");
        RobotsTxt::parse(robots_txt.as_bytes()).robot("*").unwrap()
    }

    fn google(robots_txt: &str) -> Robot {
        let robots_txt = format!("User-agent: *\n{robots_txt}");
        Robot::with_options("*", robots_txt.as_bytes(), &Options::google()).unwrap()
    }

    fn witnesses(old: &str, new: &str) -> Vec<String> {
        let (old, new) = (robot(old), robot(new));
        let witnesses = Search::default().difference(&rules(&old), &rules(&new), Exemption::None);
        assert!(witnesses.is_complete);
        for url in &witnesses.urls {
            assert_ne!(old.allowed(url), new.allowed(url), "{url}");
        }
        witnesses.urls.clone()
    }

    #[test]
    fn the_url_is_a_shortest_one() {
        assert_eq!(witnesses("", "Disallow: /private/"), ["/private/"]);
        assert_eq!(witnesses("Disallow: /*?session=", ""), ["/?session="]);
        assert_eq!(witnesses("", "Disallow: /*.php$"), ["/.php"]);
    }

    #[test]
    fn a_redundant_rule_makes_no_difference() {
        assert!(witnesses("Disallow: /a", "Disallow: /a\nDisallow: /a/b").is_empty());
        assert!(witnesses("Disallow: /a", "Disallow: /a*").is_empty());
        assert!(witnesses("Disallow: /a\nAllow: /a", "").is_empty());
    }

    #[test]
    fn a_difference_in_an_overlap_is_found() {
        // Without its `$` the Allow reaches further into /a.
        let old = "Disallow: /aaaa\nAllow: /*.php$";
        assert_eq!(
            witnesses(old, "Disallow: /aaaa\nAllow: /*.php"),
            ["/aaaa.phpx"]
        );
    }

    #[test]
    fn each_pair_of_deciding_rules_has_a_url() {
        let new = "Disallow: /shop/\nAllow: /shop/open\nDisallow: /admin";
        assert_eq!(witnesses("", new), ["/admin", "/shop/"]);
    }

    #[test]
    fn a_filled_pattern_matches() {
        for pattern in ["/a*b$", "*.php", "/", "//a", "/%C3%A9*"] {
            let robot = robot(&format!("Disallow: {pattern}"));
            assert!(!robot.allowed(filled(pattern).as_str()), "{pattern}");
        }
    }

    #[test]
    fn hostile_patterns_end() {
        let many: String = (0..200)
            .map(|number| format!("Disallow: /*a{number}*b*c*d{}\n", number * 7))
            .collect();
        let (old, new) = (robot(&many), robot("Disallow: /*z"));
        let found = Search::default().difference(&rules(&old), &rules(&new), Exemption::None);
        assert!(
            found
                .urls
                .iter()
                .any(|url| old.allowed(url) != new.allowed(url))
        );
    }

    #[test]
    fn a_pattern_may_begin_or_end_within_an_escape() {
        assert_eq!(
            witnesses("Allow: /%2F$\nDisallow: /*F", "Disallow: /*F"),
            ["/%2F"]
        );
        let (old, new) = (google("Allow: /%41\nDisallow: /%"), google("Disallow: /%"));
        let found = Search::default().difference(&rules(&old), &rules(&new), Exemption::None);
        assert_eq!(
            (&found.urls[..], found.is_complete),
            (&["/%41".to_owned()][..], true)
        );
    }

    #[test]
    fn an_escape_with_two_readings_is_not_complete() {
        let found = |old: &str, new: &str| {
            let (old, new) = (robot(old), robot(new));
            Search::default()
                .difference(&rules(&old), &rules(&new), Exemption::None)
                .is_complete
        };
        // The URL `/?//a` has the slash of `%2F` plain.
        assert!(!found("Disallow: /*%2Fa", ""));
        assert!(found("Disallow: /%2Fa*?%2F", ""));
    }

    fn rules_of(pattern: &'static str) -> impl Strategy<Value = String> {
        let rule = format!("(Allow|Disallow): [/*]{pattern}{{0,4}}[$]?\n");
        let rule = proptest::string::string_regex(&rule).unwrap();
        proptest::collection::vec(rule, 0..5).prop_map(|rules| rules.concat())
    }

    /// Every path of a slash and up to `most` symbols.
    fn all_paths(symbols: &[&str], most: usize) -> Vec<String> {
        let mut paths = vec![String::from("/")];
        let mut last = paths.clone();
        for _ in 0..most {
            let longer = |path: &String| {
                let longer = symbols.iter().map(|symbol| path.clone() + symbol);
                longer.collect::<Vec<_>>()
            };
            last = last.iter().flat_map(longer).collect();
            paths.extend(last.clone());
        }
        // Two slashes at the start make an authority.
        paths.retain(|path| !path.starts_with("//"));
        paths
    }

    /// The walk finds every difference that trying all short URLs finds, and each difference that
    /// it finds is real.
    fn check_found(old: &Robot, new: &Robot, paths: &[String]) -> Result<(), TestCaseError> {
        let deciding = |url: &str| {
            let (old, new) = (old.check(url), new.check(url));
            // A verdict names the first of equal rules.
            let rule = |verdict: Verdict<'_>| {
                let rule = verdict.rule()?;
                (rule.length() > 0).then(|| (rule.access() == Access::Allow, rule.length()))
            };
            (old.is_allowed() != new.is_allowed()).then(|| (rule(old), rule(new)))
        };
        let found = Search::default().difference(&rules(old), &rules(new), Exemption::None);
        prop_assert!(found.is_complete);
        let mut pairs = BTreeSet::new();
        for url in &found.urls {
            let pair = deciding(url);
            prop_assert!(pair.is_some(), "{} is invented", url);
            pairs.insert(pair.unwrap());
        }
        for url in paths {
            if let Some(pair) = deciding(url) {
                prop_assert!(pairs.contains(&pair), "{} is overlooked: {:?}", url, pair);
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn nothing_is_overlooked_and_nothing_invented(old in rules_of("[ab/*]"), new in rules_of("[ab/*]")) {
            check_found(&robot(&old), &robot(&new), &all_paths(&["a", "b", "/", "x"], 5))?;
        }

        #[test]
        fn nothing_within_an_escape_is_overlooked(old in rules_of("(%20|[20*])"), new in rules_of("(%20|[20*])")) {
            check_found(&robot(&old), &robot(&new), &all_paths(&["%20", "2", "0", "x"], 4))?;
        }

        #[test]
        fn nothing_within_an_escape_is_overlooked_as_google_reads(
            old in rules_of("(%20|[%20*])"),
            new in rules_of("(%20|[%20*])"),
        ) {
            check_found(&google(&old), &google(&new), &all_paths(&["%20", "%", "2", "0", "x"], 4))?;
        }
    }
}
