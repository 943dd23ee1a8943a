//! Patterns as symbols: what an automaton can tell apart.

use std::collections::{BTreeMap, BTreeSet};

use crate::witness::{RuleText, without_authority};

/// A character of a path, or an escape such as `%2F`, which cannot be taken apart. [`OTHER`] is one in no pattern.
pub(super) type Symbol = u32;

pub(super) const OTHER: Symbol = 0;

/// The symbols of all patterns.
pub(super) struct Alphabet<'a> {
    symbols: BTreeMap<&'a str, Symbol>,
    texts: Vec<&'a str>,
}

impl<'a> Alphabet<'a> {
    pub(super) fn new(rules: impl Iterator<Item = &'a RuleText<'a>>) -> Alphabet<'a> {
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

    pub(super) fn steps(&self, pattern: &str) -> Vec<Step> {
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

    pub(super) fn symbol(&self, text: &str) -> Symbol {
        self.symbols.get(text).copied().unwrap_or(OTHER)
    }

    pub(super) fn url(&self, symbols: &[Symbol]) -> String {
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
pub(super) enum Step {
    One(Symbol),
    /// `*`
    Any,
}
