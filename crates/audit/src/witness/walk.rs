//! The walk: all patterns at once, one symbol of the URL at a time.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

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
    active: Vec<(usize, usize)>,
    /// The rules with the highest precedence among those that match whatever follows.
    matched: Lists<Option<usize>>,
}

/// A state, and the symbol and the node that led to it.
struct Node {
    state: State,
    symbol: Symbol,
    from: Option<usize>,
}

/// A breadth-first walk through the states.
pub(super) struct Walk<'a> {
    alphabet: &'a Alphabet<'a>,
    automata: &'a [Automaton],
    nodes: Vec<Node>,
    seen: HashSet<State>,
    queue: VecDeque<usize>,
    /// The first node for each pair of deciding rules.
    found: BTreeMap<Lists<Option<usize>>, usize>,
    work: usize,
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
            work: 0,
        }
    }

    /// A shortest path for each pair of deciding rules.
    pub(super) fn found(&self) -> impl Iterator<Item = Vec<Symbol>> {
        self.found.values().map(|place| self.symbols_to(*place))
    }

    /// The number of active patterns, summed over all states.
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// Walks until the work exceeds the limit. Returns whether every branch came to its end.
    pub(super) fn run(&mut self, limit: usize) -> bool {
        let start = State {
            active: (0..self.automata.len()).map(|rule| (rule, 0)).collect(),
            matched: Lists::default(),
        };
        let start = self.settled(start);
        // Every path begins with a slash.
        let slash = self.alphabet.symbol("/");
        let first = self.advanced(&start, slash);
        self.reach(first, slash, None);
        while let Some(place) = self.queue.pop_front() {
            if self.work > limit {
                return false;
            }
            let Some(node) = self.nodes.get(place) else {
                continue;
            };
            let state = node.state.clone();
            for symbol in self.symbols_after(&state) {
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
    fn symbols_after(&self, state: &State) -> BTreeSet<Symbol> {
        let mut symbols = BTreeSet::from([OTHER]);
        for (rule, step) in &state.active {
            let steps = self.automata.get(*rule).map(|rule| rule.steps.as_slice());
            let (done, ahead) = steps
                .unwrap_or_default()
                .split_at_checked(*step)
                .unwrap_or_default();
            let last = match done.last() {
                Some(Step::Any) => Before::Any,
                Some(Step::One(_)) | None => Before::One,
            };
            symbols.extend(self.alphabet.going_on(ahead, last));
        }
        symbols
    }

    fn advanced(&self, state: &State, symbol: Symbol) -> State {
        let mut state = state.clone();
        for byte in self.alphabet.bytes(symbol) {
            state = self.after(&state, *byte);
        }
        state
    }

    fn after(&self, state: &State, byte: u8) -> State {
        let next = |(rule, step): &(usize, usize)| match self.step(*rule, *step)? {
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
        let after_star: Vec<(usize, usize)> = active
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

    /// Records a rule that matches, where it takes precedence.
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

    /// The rules that decide about a URL that ends in this state.
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
