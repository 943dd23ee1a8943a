//! Patterns as octets, and URLs as symbols of one or more of them: what an automaton can tell apart.

use std::collections::{BTreeMap, BTreeSet};

use crate::witness::{RuleText, without_authority};

/// A character of a path, or an escape such as `%2F`, which a URL has whole or not at all. [`OTHER`] is one in no pattern.
///
/// Patterns go by octets: `/*F` matches `/%2F`, and to Google `/%2` does.
pub(super) type Symbol = u32;

pub(super) const OTHER: Symbol = 0;

/// The symbols of all patterns.
pub(super) struct Alphabet<'a> {
    symbols: BTreeMap<&'a str, Symbol>,
    texts: Vec<&'a str>,
    by_first_octet: BTreeMap<u8, Vec<Symbol>>,
    /// Escapes by each octet but their first.
    by_later_octet: BTreeMap<u8, Vec<Symbol>>,
}

impl<'a> Alphabet<'a> {
    pub(super) fn new(rules: impl Iterator<Item = &'a RuleText<'a>>) -> Alphabet<'a> {
        let mut texts: BTreeSet<&str> = rules.flat_map(|rule| symbols(rule.pattern)).collect();
        texts.insert("/");
        let is_in_none = |other: &&str| !texts.iter().any(|text| text.contains(*other));
        let other = symbols(OTHERS).find(is_in_none).unwrap_or("%01");
        let mut alphabet = Alphabet {
            symbols: BTreeMap::new(),
            texts: Vec::new(),
            by_first_octet: BTreeMap::new(),
            by_later_octet: BTreeMap::new(),
        };
        for (text, symbol) in core::iter::once(other).chain(texts).zip(OTHER..) {
            alphabet.symbols.insert(text, symbol);
            alphabet.texts.push(text);
            let Some((first, later)) = text.as_bytes().split_first() else {
                continue;
            };
            let of_first = alphabet.by_first_octet.entry(*first).or_default();
            of_first.push(symbol);
            for octet in later {
                let of_later = alphabet.by_later_octet.entry(*octet).or_default();
                of_later.push(symbol);
            }
        }
        alphabet
    }

    pub(super) fn steps(&self, pattern: &str) -> Vec<Step> {
        let body = pattern.strip_suffix('$').unwrap_or(pattern);
        let mut steps: Vec<Step> = body
            .bytes()
            .map(|octet| match octet {
                b'*' => Step::Any,
                octet => Step::One(octet),
            })
            .collect();
        steps.dedup_by(|one, other| (*one, *other) == (Step::Any, Step::Any));
        steps
    }

    pub(super) fn symbol(&self, text: &str) -> Symbol {
        self.symbols.get(text).copied().unwrap_or(OTHER)
    }

    pub(super) fn octets(&self, symbol: Symbol) -> &'a [u8] {
        self.text(symbol).unwrap_or_default().as_bytes()
    }

    /// The symbols that a pattern with these steps ahead goes on with; behind a `*` in the midst of an escape too.
    pub(super) fn going_on(&self, ahead: &[Step], place: Behind) -> impl Iterator<Item = Symbol> {
        let octet = match ahead.first() {
            Some(Step::One(octet)) => Some(*octet),
            Some(Step::Any) | None => None,
        };
        let of = |symbols: &BTreeMap<u8, Vec<Symbol>>| {
            let symbols = octet.and_then(|octet| symbols.get(&octet));
            symbols.cloned().unwrap_or_default()
        };
        let whole = of(&self.by_first_octet)
            .into_iter()
            .filter(|symbol| is_start_of(self.octets(*symbol), ahead));
        let midst = match place {
            Behind::Any => of(&self.by_later_octet),
            Behind::One => Vec::new(),
        };
        whole.chain(midst)
    }

    pub(super) fn url(&self, symbols: &[Symbol]) -> String {
        let texts = symbols.iter().filter_map(|symbol| self.text(*symbol));
        without_authority(texts.collect())
    }

    fn text(&self, symbol: Symbol) -> Option<&'a str> {
        self.texts.get(usize::try_from(symbol).ok()?).copied()
    }
}

/// As far as the steps are certain.
fn is_start_of(symbol: &[u8], steps: &[Step]) -> bool {
    let certain = steps.iter().map_while(|step| match step {
        Step::One(octet) => Some(octet),
        Step::Any => None,
    });
    symbol.iter().zip(certain).all(|(one, other)| one == other)
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
    /// An octet.
    One(u8),
    /// `*`
    Any,
}

/// The step before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    One,
    Any,
}

/// The first that is in no pattern stands for all that are not.
const OTHERS: &str = "xyzab01-_~cdefghijklmnopqrstuvwABCDEFGHIJKLMNOPQRSTUVWXYZ23456789";
