//! URLs about which two lists of rules decide differently, found by walking through all patterns at once.
//!
//! A pattern is a small automaton. All are advanced together, symbol by symbol, from `/` on, breadth first: so the URL that
//! is found for a pair of deciding rules is a shortest one. A walk ends where no rule is left that only one list has. If
//! all walks end, nothing was overlooked.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use polite_robots::{Access, Robot, Rule};

/// The rules of a list by what they say, wherever they stand.
pub(crate) type Rules<'a> = BTreeSet<RuleText<'a>>;

/// A rule without its line. The order has no meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RuleText<'a> {
    pub(crate) pattern: &'a str,
    pub(crate) is_allow: bool,
}

impl<'a> RuleText<'a> {
    pub(crate) const EVERYTHING_DISALLOWED: RuleText<'static> = RuleText {
        pattern: "/",
        is_allow: false,
    };

    pub(crate) fn new(rule: Rule<'a>) -> RuleText<'a> {
        RuleText {
            pattern: rule.pattern(),
            is_allow: rule.access() == Access::Allow,
        }
    }

    /// `Allow` wins a tie (RFC 9309 §2.2.2).
    fn precedence(&self) -> (usize, bool) {
        (self.pattern.len(), self.is_allow)
    }
}

pub(crate) fn rules(robot: &Robot) -> Rules<'_> {
    let rules = robot.rules().map(RuleText::new);
    // The Google dialect keeps empty values for their lines; they decide nothing.
    rules.filter(|rule| !rule.pattern.is_empty()).collect()
}

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Witnesses {
    /// URLs without scheme and host. What dialects add to the rules is not looked at: each URL is to be checked.
    pub(crate) urls: Vec<String>,
    /// Whether every pair of deciding rules was found for which a URL exists.
    pub(crate) is_complete: bool,
}

/// Looks for witnesses. Many agents of a file have the same rules, so that what was found is kept.
#[derive(Default)]
pub(crate) struct Search<'a> {
    found: HashMap<(Rules<'a>, Rules<'a>), Rc<Witnesses>>,
    work: usize,
}

impl<'a> Search<'a> {
    /// URLs for all decisions in which the lists differ.
    pub(crate) fn difference(&mut self, old: Rules<'a>, new: Rules<'a>) -> Rc<Witnesses> {
        let lists = (old, new);
        if let Some(found) = self.found.get(&lists) {
            return Rc::clone(found);
        }
        let limit = MOST_WORK.min(MOST_WORK_OF_ALL.saturating_sub(self.work));
        let (witnesses, work) = Witnesses::of_difference(&lists.0, &lists.1, limit);
        self.work = self.work.saturating_add(work);
        let witnesses = Rc::new(witnesses);
        self.found.insert(lists, Rc::clone(&witnesses));
        witnesses
    }
}

impl Witnesses {
    /// With the work that it took.
    fn of_difference(old: &Rules<'_>, new: &Rules<'_>, limit: usize) -> (Witnesses, usize) {
        if old == new {
            let none = Witnesses {
                urls: Vec::new(),
                is_complete: true,
            };
            return (none, 0);
        }
        let alphabet = Alphabet::new(old.iter().chain(new));
        let automata: Vec<Automaton> = old
            .union(new)
            .map(|rule| Automaton {
                steps: alphabet.steps(rule.pattern),
                is_anchored: rule.pattern.ends_with('$'),
                precedence: rule.precedence(),
                is_in: Lists {
                    old: old.contains(rule),
                    new: new.contains(rule),
                },
            })
            .collect();
        let mut walk = Walk {
            automata: &automata,
            slash: alphabet.symbol("/"),
            nodes: Vec::new(),
            seen: HashSet::new(),
            queue: VecDeque::new(),
            found: BTreeMap::new(),
            work: 0,
        };
        let is_complete = walk.run(limit);
        let mut urls: Vec<String> = walk
            .found
            .values()
            .map(|place| alphabet.url(&walk.symbols_to(*place)))
            .collect();
        if !is_complete {
            let changed = old.symmetric_difference(new);
            urls.extend(changed.map(|rule| filled(rule.pattern)));
        }
        urls.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        urls.dedup();
        (Witnesses { urls, is_complete }, walk.work)
    }
}

/// A URL that the pattern matches, if one does.
pub(crate) fn filled(pattern: &str) -> String {
    let body = pattern.strip_suffix('$').unwrap_or(pattern);
    let url = body.replace('*', "");
    without_authority(if url.starts_with('/') {
        url
    } else {
        format!("/{url}")
    })
}

/// Two slashes at the start would make an authority.
fn without_authority(path: String) -> String {
    if path.starts_with("//") {
        format!("https://example.com{path}")
    } else {
        path
    }
}

/// A character of a path, or an escape such as `%2F`, which cannot be taken apart. [`OTHER`] is one in no pattern.
type Symbol = u32;

const OTHER: Symbol = 0;

/// The symbols of all patterns.
struct Alphabet<'a> {
    symbols: BTreeMap<&'a str, Symbol>,
    texts: Vec<&'a str>,
}

impl<'a> Alphabet<'a> {
    fn new(rules: impl Iterator<Item = &'a RuleText<'a>>) -> Alphabet<'a> {
        let mut texts: BTreeSet<&str> = rules.flat_map(|rule| symbols(rule.pattern)).collect();
        texts.insert("/");
        let others = ["x", "y", "z", "a", "b", "0", "1", "-", "_", "~"];
        let other = others.into_iter().find(|other| !texts.contains(other));
        let texts: Vec<&str> = core::iter::once(other.unwrap_or("%01"))
            .chain(texts)
            .collect();
        Alphabet {
            symbols: texts.iter().copied().zip(OTHER..).collect(),
            texts,
        }
    }

    fn steps(&self, pattern: &str) -> Vec<Step> {
        let body = pattern.strip_suffix('$').unwrap_or(pattern);
        let mut steps: Vec<Step> = symbols(body)
            .map(|text| match text {
                "*" => Step::Any,
                text => Step::One(self.symbol(text)),
            })
            .collect();
        steps.dedup_by(|one, other| (*one, *other) == (Step::Any, Step::Any));
        steps
    }

    fn symbol(&self, text: &str) -> Symbol {
        self.symbols.get(text).copied().unwrap_or(OTHER)
    }

    fn url(&self, symbols: &[Symbol]) -> String {
        let texts = symbols.iter().filter_map(|symbol| {
            let place = usize::try_from(*symbol).ok()?;
            self.texts.get(place).copied()
        });
        without_authority(texts.collect())
    }
}

fn symbols(pattern: &str) -> impl Iterator<Item = &str> {
    let mut rest = pattern;
    core::iter::from_fn(move || {
        let is_escape = matches!(
            rest.as_bytes(),
            [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit()
        );
        let length = match is_escape {
            true => 3,
            false => rest.chars().next()?.len_utf8(),
        };
        let (symbol, behind) = rest.split_at_checked(length)?;
        rest = behind;
        Some(symbol)
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    One(Symbol),
    /// `*`
    Any,
}

/// A rule's pattern, step by step.
struct Automaton {
    steps: Vec<Step>,
    is_anchored: bool,
    precedence: (usize, bool),
    is_in: Lists<bool>,
}

impl Automaton {
    fn is_changed(&self) -> bool {
        self.is_in.old != self.is_in.new
    }
}

/// One for the old rules and one for the new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
struct Lists<T> {
    old: T,
    new: T,
}

/// Where all patterns are after the same symbols.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct State {
    /// Pattern and step, ascending: those that may still match. A pattern may be at several steps.
    active: Vec<(usize, usize)>,
    /// The rules that match whatever follows, and take precedence among those.
    matched: Lists<Option<usize>>,
}

/// A state, and how it was reached.
struct Node {
    state: State,
    symbol: Symbol,
    from: Option<usize>,
}

struct Walk<'a> {
    automata: &'a [Automaton],
    slash: Symbol,
    nodes: Vec<Node>,
    seen: HashSet<State>,
    queue: VecDeque<usize>,
    /// The first place for each pair of deciding rules.
    found: BTreeMap<Lists<Option<usize>>, usize>,
    work: usize,
}

impl Walk<'_> {
    /// Whether it came to its end.
    fn run(&mut self, limit: usize) -> bool {
        let start = State {
            active: (0..self.automata.len()).map(|rule| (rule, 0)).collect(),
            matched: Lists::default(),
        };
        let start = self.settled(start);
        // Every path begins so.
        let first = self.advanced(&start, self.slash);
        self.reach(first, self.slash, None);
        while let Some(place) = self.queue.pop_front() {
            if self.work > limit {
                return false;
            }
            let Some(node) = self.nodes.get(place) else {
                continue;
            };
            let state = node.state.clone();
            for symbol in self.symbols_behind(&state) {
                let next = self.advanced(&state, symbol);
                self.reach(next, symbol, Some(place));
            }
        }
        true
    }

    fn reach(&mut self, state: State, symbol: Symbol, from: Option<usize>) {
        self.work = self
            .work
            .saturating_add(state.active.len())
            .saturating_add(1);
        if !self.matters(&state) || self.seen.contains(&state) {
            return;
        }
        let place = self.nodes.len();
        let deciding = self.deciding(&state);
        if self.allows(deciding.old) != self.allows(deciding.new) {
            self.found.entry(deciding).or_insert(place);
        }
        self.seen.insert(state.clone());
        self.nodes.push(Node {
            state,
            symbol,
            from,
        });
        self.queue.push_back(place);
    }

    /// Whether a rule that only one list has can still decide.
    fn matters(&self, state: &State) -> bool {
        let matched = [state.matched.old, state.matched.new];
        let active = state.active.iter().map(|(rule, _)| *rule);
        active
            .chain(matched.into_iter().flatten())
            .any(|rule| self.automata.get(rule).is_some_and(Automaton::is_changed))
    }

    /// The symbols that lead to different states, one for all others among them.
    fn symbols_behind(&self, state: &State) -> BTreeSet<Symbol> {
        let expected =
            state
                .active
                .iter()
                .filter_map(|(rule, step)| match self.step(*rule, *step)? {
                    Step::One(symbol) => Some(symbol),
                    Step::Any => None,
                });
        expected.chain([OTHER]).collect()
    }

    fn advanced(&self, state: &State, symbol: Symbol) -> State {
        let next =
            |(rule, step): &(usize, usize)| match self.automata.get(*rule)?.steps.get(*step)? {
                Step::Any => Some((*rule, *step)),
                Step::One(expected) if *expected == symbol => Some((*rule, step.saturating_add(1))),
                Step::One(_) => None,
            };
        self.settled(State {
            active: state.active.iter().filter_map(next).collect(),
            matched: state.matched,
        })
    }

    /// With what needs no further symbol done, and without what can no longer decide.
    fn settled(&self, state: State) -> State {
        let State {
            mut active,
            mut matched,
        } = state;
        let behind_any: Vec<(usize, usize)> = active
            .iter()
            .filter(|(rule, step)| self.step(*rule, *step) == Some(Step::Any))
            .map(|(rule, step)| (*rule, step.saturating_add(1)))
            .collect();
        active.extend(behind_any);
        active.sort_unstable();
        active.dedup();
        let mut kept = Vec::with_capacity(active.len());
        for steps in active.chunk_by(|one, other| one.0 == other.0) {
            // Behind a `*` all that could follow an earlier step can follow too.
            let last_any = steps
                .iter()
                .rposition(|(rule, step)| self.step(*rule, *step) == Some(Step::Any));
            for (rule, step) in steps.iter().skip(last_any.unwrap_or(0)) {
                if self.matches_whatever_follows(*rule, *step) {
                    self.note(&mut matched, *rule);
                } else {
                    kept.push((*rule, *step));
                }
            }
        }
        kept.retain(|(rule, _)| self.can_decide(&matched, *rule));
        State {
            active: kept,
            matched,
        }
    }

    fn step(&self, rule: usize, step: usize) -> Option<Step> {
        self.automata.get(rule)?.steps.get(step).copied()
    }

    fn matches_whatever_follows(&self, rule: usize, step: usize) -> bool {
        let is_at_end = |rule: &Automaton| rule.steps.len() == step && !rule.is_anchored;
        self.automata.get(rule).is_some_and(is_at_end)
    }

    /// Takes a rule that matches into account, where it takes precedence.
    fn note(&self, matched: &mut Lists<Option<usize>>, rule: usize) {
        let Some(automaton) = self.automata.get(rule) else {
            return;
        };
        let better = |best: Option<usize>| {
            best.and_then(|best| self.automata.get(best))
                .is_none_or(|best| best.precedence < automaton.precedence)
        };
        if automaton.is_in.old && better(matched.old) {
            matched.old = Some(rule);
        }
        if automaton.is_in.new && better(matched.new) {
            matched.new = Some(rule);
        }
    }

    fn can_decide(&self, matched: &Lists<Option<usize>>, rule: usize) -> bool {
        let mut with_rule = *matched;
        self.note(&mut with_rule, rule);
        with_rule != *matched
    }

    /// The rules that decide about a URL that ends here.
    fn deciding(&self, state: &State) -> Lists<Option<usize>> {
        let mut deciding = state.matched;
        for (rule, step) in &state.active {
            let steps = self
                .automata
                .get(*rule)
                .map(|automaton| automaton.steps.len());
            if steps == Some(*step) {
                self.note(&mut deciding, *rule);
            }
        }
        deciding
    }

    fn allows(&self, deciding: Option<usize>) -> bool {
        let rule = deciding.and_then(|rule| self.automata.get(rule));
        rule.is_none_or(|rule| rule.precedence.1)
    }

    fn symbols_to(&self, place: usize) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        let mut next = Some(place);
        while let Some(node) = next.and_then(|place| self.nodes.get(place)) {
            symbols.push(node.symbol);
            next = node.from;
        }
        symbols.reverse();
        symbols
    }
}

/// Patterns looked at, over all states. Two real files that have nothing in common took more in 1 of 20 tries.
const MOST_WORK: usize = 2_000_000;

/// The same over all searches, so that a file with thousands of groups ends too.
const MOST_WORK_OF_ALL: usize = 20_000_000;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use polite_robots::{Access, Robot, RobotsTxt, Verdict};
    use proptest::prelude::*;

    use super::{Search, filled, rules};

    fn robot(robots_txt: &str) -> Robot {
        let robots_txt = format!("User-agent: *\n{robots_txt}");
        RobotsTxt::parse(robots_txt.as_bytes()).robot("*").unwrap()
    }

    fn witnesses(old: &str, new: &str) -> Vec<String> {
        let (old, new) = (robot(old), robot(new));
        let witnesses = Search::default().difference(rules(&old), rules(&new));
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
        let found = Search::default().difference(rules(&old), rules(&new));
        assert!(
            found
                .urls
                .iter()
                .any(|url| old.allowed(url) != new.allowed(url))
        );
    }

    fn some_rules() -> impl Strategy<Value = String> {
        proptest::collection::vec("(Allow|Disallow): [/*][ab/*]{0,4}[$]?\n", 0..5)
            .prop_map(|rules| rules.concat())
    }

    /// Every path of up to six symbols over those of the patterns and one more.
    fn all_paths() -> Vec<String> {
        let mut paths = vec![String::from("/")];
        let mut last = paths.clone();
        for _ in 0..5 {
            let longer = |path: &String| ["a", "b", "/", "x"].map(|symbol| path.clone() + symbol);
            last = last.iter().flat_map(longer).collect();
            paths.extend(last.clone());
        }
        // Two slashes at the start make an authority.
        paths.retain(|path| !path.starts_with("//"));
        paths
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Whatever trying all short URLs finds, the walk finds, and what it finds is real.
        #[test]
        fn nothing_is_overlooked_and_nothing_invented(old in some_rules(), new in some_rules()) {
            let (old, new) = (robot(&old), robot(&new));
            let deciding = |url: &str| {
                let (old, new) = (old.check(url), new.check(url));
                // Of equally long rules that say the same, the first in the file is named.
                let rule = |verdict: Verdict<'_>| verdict.rule().map(|rule| (rule.access() == Access::Allow, rule.octets()));
                (old.is_allowed() != new.is_allowed()).then(|| (rule(old), rule(new)))
            };
            let found = Search::default().difference(rules(&old), rules(&new));
            prop_assert!(found.is_complete);
            let mut pairs = BTreeSet::new();
            for url in &found.urls {
                let pair = deciding(url);
                prop_assert!(pair.is_some(), "{} is invented", url);
                pairs.insert(pair.unwrap());
            }
            for url in all_paths() {
                if let Some(pair) = deciding(&url) {
                    prop_assert!(pairs.contains(&pair), "{} is overlooked: {:?}", url, pair);
                }
            }
        }
    }
}
