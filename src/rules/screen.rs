//! Rules that are looked at one by one, and how to pass over most of them.
//!
//! Each stands behind a [`Screen`] of three words that few paths pass. The screens lie in buckets by the first octets of
//! the rule's head; a path looks at one of them, and at those of the rules whose head is shorter.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::rules::arena::{Arena, Entry};
use crate::rules::path::Escapes;
use crate::rules::pattern::split_head;
use crate::rules::table::MULTIPLIER;

/// Made from an arena, and asked with the same one.
#[derive(Debug)]
pub(crate) struct Screens {
    /// Bucket behind bucket, [`FOR_EVERY_PATH`] last; in each, the rule first that takes precedence.
    screens: Box<[Screen]>,
    /// Where each bucket starts.
    starts: [u32; BUCKETS],
    /// A bit for each bucket: whether one of its screens asks what kinds of octets a path holds.
    wants_kinds: u64,
}

impl Screens {
    /// For the rules at these places of the arena.
    pub(crate) fn new(arena: &Arena, rules: &[u32]) -> Screens {
        let mut screens: Vec<(usize, Screen)> = rules
            .iter()
            .filter_map(|at| {
                let entry = arena.entry(*at)?;
                let (head, tail) = split_head(arena.pattern(entry), entry.tier);
                Some((bucket(head), Screen::new(entry.escapes, head, tail, *at)))
            })
            .collect();
        screens.sort_unstable_by_key(|(bucket, screen)| {
            let precedence = arena.entry(screen.entry).map(Entry::precedence);
            (*bucket, Reverse(precedence))
        });
        drop_twins(arena, &mut screens);
        let mut starts = [0; BUCKETS];
        for (bucket, start) in starts.iter_mut().enumerate() {
            *start = screens.partition_point(|(of, _)| *of < bucket) as u32;
        }
        let wanting = screens.iter().filter(|(_, screen)| screen.needed != 0);
        Screens {
            starts,
            wants_kinds: wanting.fold(0, |all, (bucket, _)| all | 1 << bucket),
            screens: screens.into_iter().map(|(_, screen)| screen).collect(),
        }
    }

    /// How many one path would look at, if all rules of the arena were in here, at most.
    pub(crate) fn most_looks(arena: &Arena) -> usize {
        let mut counts = [0_usize; BUCKETS];
        for entry in arena.entries() {
            let (head, _) = split_head(arena.pattern(entry), entry.tier);
            if let Some(count) = counts.get_mut(bucket(head)) {
                *count += 1;
            }
        }
        let [of_one @ .., of_every_path] = counts;
        of_one.into_iter().fold(0, usize::max) + of_every_path
    }

    /// Of `best` and the wanted rules that match, the one that takes precedence.
    #[inline]
    pub(crate) fn deciding<'a>(
        &self,
        arena: &'a Arena,
        path: &[u8],
        is_wanted: impl Fn(&Entry) -> bool,
        mut best: Option<&'a Entry>,
    ) -> Option<&'a Entry> {
        let first_word = first_word(path);
        let bucket = bucket_of_word(first_word);
        let is_wanting = self.wants_kinds & (1 << bucket | 1 << FOR_EVERY_PATH) != 0;
        let seen = Seen {
            first_word,
            kinds: if is_wanting { kinds(path) } else { 0 },
        };
        for bucket in [bucket, FOR_EVERY_PATH] {
            for screen in self.in_bucket(bucket) {
                if !seen.passes(screen) {
                    continue;
                }
                let candidate = arena.entry(screen.entry)?;
                if best.is_some_and(|best| best.precedence() > candidate.precedence()) {
                    break;
                }
                if is_wanted(candidate) && arena.is_match(candidate, path) {
                    best = Some(candidate);
                    break;
                }
            }
        }
        best
    }

    #[inline]
    fn in_bucket(&self, bucket: usize) -> &[Screen] {
        let start_of = |bucket: usize| self.starts.get(bucket).map(|start| *start as usize);
        let start = start_of(bucket).unwrap_or(self.screens.len());
        let end = start_of(bucket + 1).unwrap_or(self.screens.len());
        self.screens.get(start..end).unwrap_or_default()
    }
}

/// Drops every rule that says the same as one before it: of two such the first always decides, and a file may hold
/// thousands. The screens are sorted, so that twins lie in one run of the same length and access.
fn drop_twins(arena: &Arena, screens: &mut Vec<(usize, Screen)>) {
    let kind = |screen: &Screen| {
        arena
            .entry(screen.entry)
            .map(|held| (held.len, held.access))
    };
    let mut twins: Vec<u32> = Vec::new();
    let mut by_pattern: Vec<(&[u8], u32)> = Vec::new();
    let runs = screens.chunk_by(|(bucket, one), (other_bucket, other)| {
        bucket == other_bucket && kind(one) == kind(other)
    });
    for run in runs.filter(|run| run.len() > 1) {
        by_pattern.clear();
        by_pattern.extend(run.iter().filter_map(|(_, screen)| {
            let entry = arena.entry(screen.entry)?;
            Some((arena.pattern(entry), screen.entry))
        }));
        // Rules of one pattern are in the order of the file, as their places in the arena are.
        by_pattern.sort_unstable();
        let pairs = by_pattern.windows(2);
        twins.extend(pairs.filter_map(|pair| match pair {
            [(one, _), (other, twin)] if one == other => Some(*twin),
            _ => None,
        }));
    }
    if !twins.is_empty() {
        twins.sort_unstable();
        screens.retain(|(_, screen)| twins.binary_search(&screen.entry).is_err());
    }
}

/// On the files of 3,903 sites, of which half have more than 16 rules, a mean check takes 70 ns; without buckets 87.
const BUCKETS: usize = 33;

/// The bucket of the rules whose head is shorter than [`KEY`].
const FOR_EVERY_PATH: usize = BUCKETS - 1;

/// Octets of a head that choose its bucket. Two and four are 1 ns slower on those files: rules of one site begin alike,
/// and some have no more than this.
const KEY: usize = 3;

fn bucket(head: &[u8]) -> usize {
    if head.len() < KEY {
        FOR_EVERY_PATH
    } else {
        bucket_of_word(first_word(head))
    }
}

/// Not [`FOR_EVERY_PATH`].
#[inline]
fn bucket_of_word(first_word: u64) -> usize {
    let key = first_word << (64 - 8 * KEY);
    (key.wrapping_mul(MULTIPLIER) >> 59) as usize
}

/// What of a rule can be compared with a path in a few instructions. A path that does not pass does not match.
#[derive(Debug, Clone, Copy)]
struct Screen {
    /// The first eight octets of the head, and which of them there are.
    head: u64,
    head_mask: u64,
    /// The kinds of octets behind the head that must be somewhere in the path.
    needed: u64,
    entry: u32,
}

impl Screen {
    fn new(escapes: Escapes, head: &[u8], tail: &[u8], entry: u32) -> Screen {
        let needed = match escapes {
            Escapes::Settled => tail
                .split(|octet| *octet == b'*')
                .fold(0, |all, piece| all | kinds(piece)),
            Escapes::PlaceDependent => 0,
        };
        let known = head.len().min(8);
        Screen {
            head: first_word(head),
            head_mask: match known {
                8 => u64::MAX,
                _ => (1 << (8 * known)) - 1,
            },
            needed,
            entry,
        }
    }
}

/// What a screen asks of a path.
struct Seen {
    first_word: u64,
    kinds: u64,
}

impl Seen {
    #[inline]
    fn passes(&self, screen: &Screen) -> bool {
        ((self.first_word ^ screen.head) & screen.head_mask) | (screen.needed & !self.kinds) == 0
    }
}

/// Up to eight octets; NUL stands for those that are not there, and no pattern holds one.
#[inline]
fn first_word(text: &[u8]) -> u64 {
    match text.first_chunk::<8>() {
        Some(word) => u64::from_le_bytes(*word),
        None => text
            .iter()
            .rev()
            .fold(0, |word, octet| word << 8 | u64::from(*octet)),
    }
}

/// Which of 64 kinds of octets there are.
#[inline]
pub(crate) fn kinds(text: &[u8]) -> u64 {
    let kind = |octet: &u8| KINDS.get(usize::from(*octet)).copied().unwrap_or(0);
    text.iter().fold(0, |kinds, octet| kinds | kind(octet))
}

/// One of 64 kinds for each octet: lower-case letters each have their own, digits and marks share theirs with upper
/// case. A table takes half the time of working it out.
#[expect(clippy::indexing_slicing, reason = "worked out at compile time")]
static KINDS: [u64; 256] = {
    let mut kinds = [0; 256];
    let mut octet = 0;
    while octet < kinds.len() {
        let low = 1_u64 << (octet & 0x1F);
        kinds[octet] = if octet < 0x60 { low << 32 } else { low };
        octet += 1;
    }
    kinds
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Dialect;
    use crate::parse::directive::Access;
    use crate::parse::line::Value;

    #[test]
    fn a_path_looks_at_one_bucket_and_at_the_short_heads() {
        let mut arena = Arena::new(Dialect::Rfc9309, 0);
        let short = (0..10).map(|number| alloc::format!("/a*{number}"));
        let alike = (0..20).map(|number| alloc::format!("/sa{number}"));
        let others = (0..5).map(|number| alloc::format!("/zz*{number}"));
        for (line, pattern) in (1..).zip(short.chain(alike).chain(others)) {
            arena.push(Access::Disallow, Value::new(pattern.as_bytes()), line);
        }
        assert_eq!(Screens::most_looks(&arena), 30);
        let every_head = (b'a'..=b'z').map(|letter| bucket(&[b'/', letter, letter]));
        let mut buckets: Vec<usize> = every_head.collect();
        buckets.sort_unstable();
        buckets.dedup();
        assert!(buckets.len() > BUCKETS / 3, "{buckets:?}");
        assert!(!buckets.contains(&FOR_EVERY_PATH));
    }

    #[test]
    fn rules_that_say_the_same_are_looked_at_once() {
        let mut arena = Arena::new(Dialect::Rfc9309, 0);
        for line in 1..=60 {
            let access = if line % 2 == 0 {
                Access::Allow
            } else {
                Access::Disallow
            };
            // Three patterns of one length, one after the other, and one in another bucket.
            for pattern in ["/*b", "/*a", "/*c", "/same/long/head"] {
                arena.push(access, Value::new(pattern.as_bytes()), line);
            }
        }
        arena.finish();
        let every_rule: Vec<u32> = (0..240).collect();
        let screens = Screens::new(&arena, &every_rule);
        assert_eq!(screens.screens.len(), 8);
        for (path, line) in [(&b"/xa"[..], 2), (b"/xc", 2), (b"/same/long/head", 2)] {
            let deciding = screens.deciding(&arena, path, |_| true, None);
            assert_eq!(deciding.map(|entry| entry.line), Some(line), "{path:?}");
        }
        let disallow = |entry: &Entry| entry.access == Access::Disallow;
        let deciding = screens.deciding(&arena, b"/xb", disallow, None);
        assert_eq!(deciding.map(|entry| entry.line), Some(1));
    }

    /// A screen that lets too much through changes no answer.
    #[test]
    fn a_screen_stops_what_cannot_match() {
        let passes = |escapes, path: &[u8]| {
            let screen = Screen::new(escapes, b"/ab", b"*xyz*w", 0);
            let seen = Seen {
                first_word: first_word(path),
                kinds: kinds(path),
            };
            seen.passes(&screen)
        };
        for (path, expected) in [
            (&b"/ab-xyz-w"[..], true),
            (b"/abwzyx", true),
            (b"/ab", false),
            (b"/ab-xyz", false),
            (b"/ab-wxy", false),
            (b"/ac-xyz-w", false),
            (b"ab/-xyz-w", false),
        ] {
            assert_eq!(passes(Escapes::Settled, path), expected, "{path:?}");
        }
        assert!(passes(Escapes::PlaceDependent, b"/ab"));
        assert_eq!(first_word(b"ab"), 0x6261);
        assert_eq!(first_word(b"abcdefghi"), 0x6867_6665_6463_6261);
        assert_eq!(kinds(b"abba").count_ones(), 2);
        assert_eq!(kinds(b"a") | kinds(b"b"), kinds(b"ab"));
    }
}
