//! The alphabet of the walk: patterns advance byte by byte, URLs grow by symbols of one or more
//! bytes.

use std::collections::{BTreeMap, BTreeSet};

use crate::witness::rule::{RuleText, without_authority};

/// A character of a path, or an escape such as `%2F`, which a URL has whole or not at all.
///
/// Patterns go by bytes: `/*F` matches `/%2F`, and in the Google dialect `/%2` does.
pub(super) type Symbol = u32;

/// The symbol for every character that no pattern has.
pub(super) const OTHER: Symbol = 0;

/// The symbols of all patterns.
pub(super) struct Alphabet<'a> {
    symbols: BTreeMap<&'a str, Symbol>,
    texts: Vec<&'a str>,
    by_first_byte: BTreeMap<u8, Vec<Symbol>>,
    /// Escapes by each byte but their first.
    by_later_byte: BTreeMap<u8, Vec<Symbol>>,
}

impl<'a> Alphabet<'a> {
    pub(super) fn new(rules: impl Iterator<Item = &'a RuleText<'a>>) -> Alphabet<'a> {
        let mut texts = BTreeSet::from(["/"]);
        texts.extend(rules.flat_map(|rule| symbols(rule.pattern)));
        let is_in_none = |other: &&str| !texts.iter().any(|text| text.contains(*other));
        let other = symbols(OTHERS).find(is_in_none).unwrap_or("%01");
        let mut alphabet = Alphabet {
            symbols: BTreeMap::new(),
            texts: Vec::new(),
            by_first_byte: BTreeMap::new(),
            by_later_byte: BTreeMap::new(),
        };
        for (text, symbol) in core::iter::once(other).chain(texts).zip(OTHER..) {
            alphabet.symbols.insert(text, symbol);
            alphabet.texts.push(text);
            let Some((first, later)) = text.as_bytes().split_first() else {
                continue;
            };
            let of_first = alphabet.by_first_byte.entry(*first).or_default();
            of_first.push(symbol);
            for byte in later {
                let of_later = alphabet.by_later_byte.entry(*byte).or_default();
                of_later.push(symbol);
            }
        }
        alphabet
    }

    /// The steps of a pattern, without its `$`.
    pub(super) fn steps(&self, pattern: &str) -> Vec<Step> {
        let body = pattern.strip_suffix('$').unwrap_or(pattern);
        let mut steps: Vec<Step> = body
            .bytes()
            .map(|byte| match byte {
                b'*' => Step::Any,
                byte => Step::One(byte),
            })
            .collect();
        steps.dedup_by(|one, other| (*one, *other) == (Step::Any, Step::Any));
        steps
    }

    pub(super) fn symbol(&self, text: &str) -> Symbol {
        self.symbols.get(text).copied().unwrap_or(OTHER)
    }

    /// The bytes of a symbol.
    pub(super) fn bytes(&self, symbol: Symbol) -> &'a [u8] {
        self.text(symbol).unwrap_or_default().as_bytes()
    }

    /// The symbols with which a pattern that has these steps ahead can continue. After a `*` it may
    /// continue within an escape. `None` stands for a symbol that only begins alike: it was
    /// compared in vain, which is work too.
    pub(super) fn going_on<'s>(
        &'s self,
        ahead: &'s [Step],
        last: Before,
    ) -> impl Iterator<Item = Option<Symbol>> {
        let byte = match ahead.first() {
            Some(Step::One(byte)) => Some(*byte),
            Some(Step::Any) | None => None,
        };
        let of = |symbols: &'s BTreeMap<u8, Vec<Symbol>>| {
            let symbols = byte.and_then(|byte| symbols.get(&byte));
            symbols.into_iter().flatten().copied()
        };
        let whole = of(&self.by_first_byte)
            .map(|symbol| is_start_of(self.bytes(symbol), ahead).then_some(symbol));
        let within = match last {
            Before::Any => Some(of(&self.by_later_byte).map(Some)),
            Before::One => None,
        };
        whole.chain(within.into_iter().flatten())
    }

    /// The URL of a path.
    pub(super) fn url(&self, symbols: &[Symbol]) -> String {
        let texts = symbols.iter().filter_map(|symbol| self.text(*symbol));
        without_authority(texts.collect())
    }

    fn text(&self, symbol: Symbol) -> Option<&'a str> {
        self.texts.get(usize::try_from(symbol).ok()?).copied()
    }
}

/// Whether the symbol begins with the steps before the next `*`.
fn is_start_of(symbol: &[u8], steps: &[Step]) -> bool {
    let certain = steps.iter().map_while(|step| match step {
        Step::One(byte) => Some(byte),
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
        let (symbol, after) = rest.split_at_checked(length)?;
        rest = after;
        Some(symbol)
    })
}

/// A step of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A byte.
    One(u8),
    /// `*`
    Any,
}

/// The kind of the step before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    One,
    Any,
}

/// Candidates for [`OTHER`]: the first that is in no pattern.
const OTHERS: &str = "xyzab01-_~cdefghijklmnopqrstuvwABCDEFGHIJKLMNOPQRSTUVWXYZ23456789";
