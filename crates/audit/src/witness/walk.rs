//! The walk: all patterns at once, one symbol of the URL at a time.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::rc::Rc;

use crate::witness::alphabet::{Alphabet, Before, OTHER, Step, Symbol};

/// A rule's pattern, step by step.
pub(super) struct Automaton {
    pub(super) steps: Vec<Step>,
    pub(super) is_anchored: bool,
    pub(super) precedence: (usize, bool),
    pub(super) is_in: Lists<bool>,
}

impl Automaton {
    fn is_changed(&self) -> bool {
        self.is_in.old != self.is_in.new
    }
}

/// One for the old rules and one for the new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(super) struct Lists<T> {
    pub(super) old: T,
    pub(super) new: T,
}

/// The steps of all patterns after the same symbols.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct State {
    /// Pattern and step of those that may still match, ascending. A pattern may be at several
    /// steps.
    active: Vec<(u32, u32)>,
    /// The rules with the highest precedence among those that match whatever follows.
    matched: Lists<Option<u32>>,
}

/// The symbol and the node that led to a state.
struct Node {
    symbol: Symbol,
    from: Option<usize>,
}

/// The limits of a walk, or the amounts that one took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// Active patterns, summed over all states that were reached: the memory.
    pub(crate) active: usize,
    /// Patterns advanced by a byte, symbols considered, and [`STEPS_OF_A_STATE`] for each state:
    /// the time.
    pub(crate) steps: usize,
}

impl Work {
    pub(super) const fn plus(self, other: Work) -> Work {
        Work {
            active: self.active.saturating_add(other.active),
            steps: self.steps.saturating_add(other.steps),
        }
    }

    pub(super) const fn minus(self, other: Work) -> Work {
        Work {
            active: self.active.saturating_sub(other.active),
            steps: self.steps.saturating_sub(other.steps),
        }
    }

    fn exceeds(self, limit: Work) -> bool {
        self.active > limit.active || self.steps > limit.steps
    }
}

/// The end of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// The first URL that is found.
    First,
    /// All of them.
    All,
}

/// A breadth-first walk through the states.
pub(super) struct Walk<'a> {
    alphabet: &'a Alphabet<'a>,
    automata: &'a [Automaton],
    nodes: Vec<Node>,
    seen: HashSet<Rc<State>>,
    queue: VecDeque<(usize, Rc<State>)>,
    /// The first node for each pair of deciding rules.
    found: BTreeMap<Lists<Option<u32>>, usize>,
    work: Work,
}

impl<'a> Walk<'a> {
    pub(super) fn new(alphabet: &'a Alphabet<'a>, automata: &'a [Automaton]) -> Walk<'a> {
        Walk {
            alphabet,
            automata,
            nodes: Vec::new(),
            seen: HashSet::new(),
            queue: VecDeque::new(),
            found: BTreeMap::new(),
            work: Work::default(),
        }
    }

    /// A shortest path for each pair of deciding rules.
    pub(super) fn found(&self) -> impl Iterator<Item = Vec<Symbol>> {
        self.found.values().map(|place| self.symbols_to(*place))
    }

    /// The work so far.
    pub(super) fn work(&self) -> Work {
        self.work
    }

    /// Walks until the work exceeds the limit, or until something is found. Returns whether every
    /// branch came to its end.
    pub(super) fn run(&mut self, limit: Work, until: Until) -> bool {
        let start = State {
            active: (0..)
                .zip(self.automata)
                .map(|(rule, _)| (rule, 0))
                .collect(),
            matched: Lists::default(),
        };
        let start = self.settled(start);
        // Every path begins with a slash.
        let slash = self.alphabet.symbol("/");
        let first = self.advanced(&start, slash);
        self.reach(first, slash, None);
        while let Some((place, state)) = self.queue.pop_front() {
            for symbol in self.symbols_after(&state) {
                let has_found = until == Until::First && !self.found.is_empty();
                if has_found || self.work.exceeds(limit) || self.seen.len() > MOST_STATES {
                    return false;
                }
                let next = self.advanced(&state, symbol);
                self.reach(next, symbol, Some(place));
            }
        }
        true
    }

    fn reach(&mut self, state: State, symbol: Symbol, from: Option<usize>) {
        let reached = state.active.len().saturating_add(1);
        self.work.active = self.work.active.saturating_add(reached);
        if !self.matters(&state) || self.seen.contains(&state) {
            return;
        }
        let place = self.nodes.len();
        let deciding = self.deciding(&state);
        if self.allows(deciding.old) != self.allows(deciding.new) {
            self.found.entry(deciding).or_insert(place);
        }
        self.spend(STEPS_OF_A_STATE);
        let state = Rc::new(state);
        self.seen.insert(Rc::clone(&state));
        self.nodes.push(Node { symbol, from });
        self.queue.push_back((place, state));
    }

    fn spend(&mut self, steps: usize) {
        self.work.steps = self.work.steps.saturating_add(steps);
    }

    /// Whether a rule that only one list has can still decide otherwise than the other list. Below
    /// `Disallow: /` a further `Disallow` changes nothing unless an `Allow` is between them.
    fn matters(&self, state: &State) -> bool {
        let matched = [state.matched.old, state.matched.new];
        let active = || state.active.iter().map(|(rule, _)| *rule);
        let mut rules = active().chain(matched.into_iter().flatten());
        let [old, new] = matched.map(|rule| self.allows(rule));
        rules.any(|rule| self.automaton(rule).is_some_and(Automaton::is_changed))
            && (old != new || active().any(|rule| self.allows(Some(rule)) != old))
    }

    /// The symbols that lead to different states, one for all others among them.
    fn symbols_after(&mut self, state: &State) -> BTreeSet<Symbol> {
        let mut symbols = BTreeSet::from([OTHER]);
        let mut considered = 0_usize;
        for (rule, step) in &state.active {
            let (done, ahead) = index(*step)
                .and_then(|step| self.automaton(*rule)?.steps.split_at_checked(step))
                .unwrap_or_default();
            let last = match done.last() {
                Some(Step::Any) => Before::Any,
                Some(Step::One(_)) | None => Before::One,
            };
            let going_on = self.alphabet.going_on(ahead, last);
            let counted = going_on.inspect(|_| considered = considered.saturating_add(1));
            symbols.extend(counted.flatten());
        }
        self.spend(considered);
        symbols
    }

    fn advanced(&mut self, state: &State, symbol: Symbol) -> State {
        let mut state = state.clone();
        for byte in self.alphabet.bytes(symbol) {
            self.spend(state.active.len());
            state = self.after(&state, *byte);
        }
        state
    }

    fn after(&self, state: &State, byte: u8) -> State {
        let next = |(rule, step): &(u32, u32)| match self.step(*rule, *step)? {
            Step::Any => Some((*rule, *step)),
            Step::One(expected) if expected == byte => Some((*rule, step.saturating_add(1))),
            Step::One(_) => None,
        };
        self.settled(State {
            active: state.active.iter().filter_map(next).collect(),
            matched: state.matched,
        })
    }

    /// The state after every step that needs no symbol, without the rules that can no longer
    /// decide.
    fn settled(&self, state: State) -> State {
        let State {
            mut active,
            mut matched,
        } = state;
        let after_star: Vec<(u32, u32)> = active
            .iter()
            .filter(|(rule, step)| self.step(*rule, *step) == Some(Step::Any))
            .map(|(rule, step)| (*rule, step.saturating_add(1)))
            .collect();
        active.extend(after_star);
        active.sort_unstable();
        active.dedup();
        let mut kept = Vec::with_capacity(active.len());
        for steps in active.chunk_by(|one, other| one.0 == other.0) {
            // After a `*` everything can follow that could follow an earlier step.
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
        kept.shrink_to_fit();
        State {
            active: kept,
            matched,
        }
    }

    fn automaton(&self, rule: u32) -> Option<&'a Automaton> {
        self.automata.get(index(rule)?)
    }

    fn step(&self, rule: u32, step: u32) -> Option<Step> {
        self.automaton(rule)?.steps.get(index(step)?).copied()
    }

    /// Whether this is the end of the rule's steps.
    fn is_at_end(rule: &Automaton, step: u32) -> bool {
        Some(rule.steps.len()) == index(step)
    }

    fn matches_whatever_follows(&self, rule: u32, step: u32) -> bool {
        self.automaton(rule)
            .is_some_and(|rule| Self::is_at_end(rule, step) && !rule.is_anchored)
    }

    /// Records a rule that matches, where it takes precedence.
    fn note(&self, matched: &mut Lists<Option<u32>>, rule: u32) {
        let Some(automaton) = self.automaton(rule) else {
            return;
        };
        let better = |best: Option<u32>| {
            best.and_then(|best| self.automaton(best))
                .is_none_or(|best| best.precedence < automaton.precedence)
        };
        if automaton.is_in.old && better(matched.old) {
            matched.old = Some(rule);
        }
        if automaton.is_in.new && better(matched.new) {
            matched.new = Some(rule);
        }
    }

    fn can_decide(&self, matched: &Lists<Option<u32>>, rule: u32) -> bool {
        let mut with_rule = *matched;
        self.note(&mut with_rule, rule);
        with_rule != *matched
    }

    /// The rules that decide about a URL that ends in this state.
    fn deciding(&self, state: &State) -> Lists<Option<u32>> {
        let mut deciding = state.matched;
        for (rule, step) in &state.active {
            let automaton = self.automaton(*rule);
            if automaton.is_some_and(|automaton| Self::is_at_end(automaton, *step)) {
                self.note(&mut deciding, *rule);
            }
        }
        deciding
    }

    fn allows(&self, deciding: Option<u32>) -> bool {
        let rule = deciding.and_then(|rule| self.automaton(rule));
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

/// A place in a list. Rules and steps are counted in half the bits, as most memory of a walk is the
/// active patterns.
fn index(number: u32) -> Option<usize> {
    usize::try_from(number).ok()
}

/// Keeping a state takes as long as this many steps: rules of hundreds of bytes have a state for
/// each byte, and took 11 seconds when only their steps were counted.
const STEPS_OF_A_STATE: usize = 100;

/// A state takes about 150 bytes beside its active patterns, which [`Work::active`] counts.
const MOST_STATES: usize = 500_000;
