//! Linear scan with a cheap filter in front of each rule.
//!
//! A [`Filter`] is two words that few paths pass, and that are all of a short rule. The filters lie
//! in buckets by the first bytes of the rule's head; a path visits its own bucket and the one of
//! the rules whose heads are shorter than that.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::access::Access;
use crate::compared_form::Escapes;
use crate::rules::pattern::{Tier, split_head};
use crate::rules::rule_list::{Decision, RuleEntry, RuleList};
use crate::rules::steps;
use crate::sort;
use crate::text::bytes::first_word;
use crate::text::hash::MULTIPLIER;

/// The filters of some rules of one [`RuleList`].
#[derive(Debug)]
pub(crate) struct Scan {
    /// Bucket after bucket, [`FOR_EVERY_PATH`] last; within a bucket in precedence order.
    filters: Box<[Filter]>,
    /// The start of each bucket. Each robot has this table, and few have more than a hundred
    /// filters.
    starts: [u16; BUCKETS],
    /// A bit for each bucket: whether one of its filters needs the kinds of bytes in a path.
    wants_kinds: u64,
}

impl Scan {
    /// Makes filters for the rules at these places of the list.
    pub(crate) fn new(list: &RuleList, rules: &[u32]) -> Scan {
        // A crafted file that leaves out more rules than `starts` can count has one bucket.
        let has_buckets = rules.len() <= usize::from(u16::MAX);
        let bucket = |head| match has_buckets {
            true => bucket(head),
            false => FOR_EVERY_PATH,
        };
        let mut filters: Vec<(usize, Filter)> = rules
            .iter()
            .filter_map(|at| {
                let entry = list.entry(*at)?;
                let (head, tail) = split_head(list.pattern(entry), entry.tier);
                steps::add(1 + tail.len());
                let bucket = bucket(head);
                let filter = Filter::new(head, tail, entry, *at);
                let filter = match bucket {
                    FOR_EVERY_PATH => filter,
                    _ => filter.with_text(head, entry),
                };
                Some((bucket, filter))
            })
            .collect();
        steps::add_sort_of_rules(filters.len());
        sort::unstable_by_key(&mut filters, |(bucket, filter)| {
            let precedence = list.entry(filter.entry).map(RuleEntry::precedence);
            (*bucket, Reverse(precedence))
        });
        drop_twins(list, &mut filters);
        let mut starts = [0; BUCKETS];
        for (bucket, start) in starts.iter_mut().enumerate() {
            *start = filters.partition_point(|(of, _)| *of < bucket) as u16;
        }
        let wanting = filters.iter().filter(|(_, filter)| filter.needs_kinds());
        Scan {
            starts,
            wants_kinds: wanting.fold(0, |all, (bucket, _)| all | 1 << bucket),
            filters: filters.into_iter().map(|(_, filter)| filter).collect(),
        }
    }

    /// The most filters that one path would meet if all rules of the list were scanned.
    pub(crate) fn most_filters(list: &RuleList) -> usize {
        let mut counts = [0_usize; BUCKETS];
        for entry in list.entries() {
            let (head, _) = split_head(list.pattern(entry), entry.tier);
            if let Some(count) = counts.get_mut(bucket(head)) {
                *count += 1;
            }
        }
        let [own @ .., every_path] = counts;
        own.into_iter().fold(0, usize::max) + every_path
    }

    /// The rule with the greatest precedence among `best` and those that match and whose places are
    /// wanted.
    #[inline]
    pub(crate) fn deciding(
        &self,
        list: &RuleList,
        path: &[u8],
        is_wanted: impl Fn(u32) -> bool,
        mut best: Option<Decision>,
    ) -> Option<Decision> {
        if self.filters.is_empty() {
            return best;
        }
        let first_word = first_word(path);
        let bucket = bucket_of_word(first_word);
        let is_wanting = self.wants_kinds & (1 << bucket | 1 << FOR_EVERY_PATH) != 0;
        let kinds = if is_wanting { kinds(path) } else { 0 };
        steps::add(path.len());
        let precedence = |at| list.entry(at).map(RuleEntry::precedence);
        let is_outranked =
            |filter: &Filter, best: Decision| precedence(best.at) > precedence(filter.entry);
        let decides = |filter: &Filter| {
            is_wanted(filter.entry) && (filter.is_whole() || is_match(list, filter.entry, path))
        };
        let own = self.in_bucket(bucket)?;
        let lets_pass = |filter: &Filter| {
            filter.lets_start_pass(first_word, path.len()) && filter.lets_rest_pass(path, kinds)
        };
        best = deciding_among(own, best, lets_pass, is_outranked, decides);
        let others = self.in_bucket(FOR_EVERY_PATH)?;
        let lets_pass = |filter: &Filter| filter.lets_pass(first_word, kinds);
        deciding_among(others, best, lets_pass, is_outranked, decides)
    }

    /// Visits every rule that may match.
    pub(crate) fn for_each_candidate(&self, path: &[u8], mut candidate: impl FnMut(u32)) {
        let (first_word, kinds) = (first_word(path), kinds(path));
        let own = self.in_bucket(bucket_of_word(first_word));
        let own = own.unwrap_or_default().iter().filter(|filter| {
            filter.lets_start_pass(first_word, path.len()) && filter.lets_rest_pass(path, kinds)
        });
        let others = self.in_bucket(FOR_EVERY_PATH).unwrap_or_default().iter();
        steps::add(path.len() + self.filters.len());
        let others = others.filter(|filter| filter.lets_pass(first_word, kinds));
        own.chain(others).for_each(|filter| candidate(filter.entry));
    }

    /// The filters of a bucket; `None` never, as the starts ascend.
    #[inline]
    fn in_bucket(&self, bucket: usize) -> Option<&[Filter]> {
        let start = usize::from(*self.starts.get(bucket)?);
        let next = self.starts.get(bucket + 1);
        let end = next.map_or(self.filters.len(), |next| usize::from(*next));
        self.filters.get(start..end)
    }
}

/// The first of some filters in precedence order that decides, unless `best` outranks it.
#[inline(always)]
fn deciding_among(
    filters: &[Filter],
    best: Option<Decision>,
    lets_pass: impl Fn(&Filter) -> bool,
    is_outranked: impl Fn(&Filter, Decision) -> bool,
    decides: impl Fn(&Filter) -> bool,
) -> Option<Decision> {
    for filter in filters {
        steps::add(1);
        if !lets_pass(filter) {
            continue;
        }
        if best.is_some_and(|best| is_outranked(filter, best)) {
            break;
        }
        if decides(filter) {
            return Some(filter.decision());
        }
    }
    best
}

/// Not inlined, as the scan alone needs few registers.
#[inline(never)]
fn is_match(list: &RuleList, at: u32, path: &[u8]) -> bool {
    list.entry(at)
        .is_some_and(|entry| list.is_match(entry, path))
}

/// Drops each rule with the same pattern and access as an earlier one: the earlier one always
/// decides, and a file may repeat a rule thousands of times. The filters are sorted, so twins lie
/// in one run of the same length and access.
fn drop_twins(list: &RuleList, filters: &mut Vec<(usize, Filter)>) {
    let kind = |filter: &Filter| list.entry(filter.entry).map(|held| (held.len, held.access));
    let mut twins: Vec<u32> = Vec::new();
    let mut by_pattern: Vec<(&[u8], u32)> = Vec::new();
    let runs = filters.chunk_by(|(bucket, one), (other_bucket, other)| {
        bucket == other_bucket && kind(one) == kind(other)
    });
    for run in runs.filter(|run| run.len() > 1) {
        by_pattern.clear();
        by_pattern.extend(run.iter().filter_map(|(_, filter)| {
            let entry = list.entry(filter.entry)?;
            Some((list.pattern(entry), filter.entry))
        }));
        // The second key is the place in the list, so that the first line of the file comes first.
        let len = by_pattern.first().map_or(0, |(pattern, _)| pattern.len());
        steps::add_sort_of_rules(by_pattern.len() * (1 + len / 16));
        sort::unstable(&mut by_pattern);
        let pairs = by_pattern.windows(2);
        twins.extend(pairs.filter_map(|pair| match pair {
            [(one, _), (other, twin)] if one == other => Some(*twin),
            _ => None,
        }));
    }
    if twins.is_empty() {
        return;
    }
    let mut is_kept = vec![true; list.entries().len()];
    for twin in twins {
        if let Some(is_kept) = is_kept.get_mut(twin as usize) {
            *is_kept = false;
        }
    }
    filters.retain(|(_, filter)| is_kept.get(filter.entry as usize) == Some(&true));
}

/// Half of all real files have more than 16 rules, which the buckets part.
const BUCKETS: usize = 33;

/// The bucket of the rules whose heads are shorter than [`KEY`].
const FOR_EVERY_PATH: usize = BUCKETS - 1;

/// The bytes of a head that choose its bucket. With fewer the rules of a site begin alike; some
/// heads have no more.
const KEY: usize = 3;

fn bucket(head: &[u8]) -> usize {
    if head.len() < KEY {
        FOR_EVERY_PATH
    } else {
        bucket_of_word(first_word(head))
    }
}

/// The bucket of a path, or of a head of at least [`KEY`] bytes; never [`FOR_EVERY_PATH`].
#[inline]
fn bucket_of_word(first_word: u64) -> usize {
    let key = first_word << (64 - 8 * KEY);
    (key.wrapping_mul(MULTIPLIER) >> 59) as usize
}

/// The part of a rule that a few instructions compare with a path. A path that does not pass does
/// not match. 24 bytes: a crawler keeps the filters of a million sites.
#[derive(Debug, Clone, Copy)]
struct Filter {
    /// The first eight bytes of the head.
    head: u64,
    /// The next part of the pattern, as [`Filter::rest`] says.
    next: u64,
    /// The place of the rule in the list.
    entry: u32,
    /// The length of the shortest path that may match; of a literal, its own.
    least: u8,
    /// The bits of `head` that no byte of the head is in.
    unused: u8,
    rest: Rest,
    /// The rule's [`RuleEntry::effect`].
    effect: Access,
}

/// The part of a pattern that is not in [`Filter::head`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// There is none.
    Nothing,
    /// A literal of 9 to 16 bytes, whose last eight are in `next`.
    Word,
    /// A longer literal, or one that ends in `$`. Its last eight bytes are in `next`.
    Text,
    /// Anything. The kinds of bytes that the path must hold somewhere are in `next`.
    Pieces,
}

impl Filter {
    /// A filter for [`Filter::lets_pass`] too.
    fn new(head: &[u8], tail: &[u8], entry: &RuleEntry, at: u32) -> Filter {
        let is_whole = head.len() <= 8 && head.len() == entry.len as usize;
        // An escape in the tail may mean one byte.
        let (needed, tail_len) = match entry.escapes {
            _ if tail.is_empty() => (0, 0),
            Escapes::Settled => {
                let len = tail.iter().filter(|byte| **byte != b'*').count();
                // A piece may have the kind of the `*`, and so let more through.
                (kinds(tail) & !kinds(b"*"), len)
            }
            Escapes::QueryDependent => (0, 0),
        };
        let least = head.len().saturating_add(tail_len);
        // Every path starts with a slash, so a rule without a head needs it too. A shift by all 64
        // bits would need a second one.
        let head = if head.is_empty() { b"/" } else { head };
        let missing = 8 - head.len().min(8) as u8;
        Filter {
            head: first_word(head),
            next: needed,
            entry: at,
            least: u8::try_from(least).unwrap_or(u8::MAX),
            unused: 8 * missing,
            rest: if is_whole {
                Rest::Nothing
            } else {
                Rest::Pieces
            },
            effect: entry.effect(),
        }
    }

    /// The filter with more of a long literal.
    fn with_text(self, head: &[u8], entry: &RuleEntry) -> Filter {
        let rest = match (entry.tier, self.rest) {
            (Tier::Prefix, Rest::Pieces)
                if head.len() == entry.len as usize && head.len() <= 16 =>
            {
                Rest::Word
            }
            (Tier::Prefix, Rest::Pieces) => Rest::Text,
            _ => return self,
        };
        match (u8::try_from(head.len()), head.last_chunk()) {
            (Ok(_), Some(last)) => Filter {
                next: u64::from_le_bytes(*last),
                rest,
                ..self
            },
            _ => self,
        }
    }

    fn needs_kinds(&self) -> bool {
        self.rest == Rest::Pieces && self.next != 0
    }

    #[inline]
    fn decision(&self) -> Decision {
        Decision {
            at: self.entry,
            effect: self.effect,
        }
    }

    /// Whether the pattern has no part that the filter leaves out.
    #[inline]
    fn is_whole(&self) -> bool {
        matches!(self.rest, Rest::Nothing | Rest::Word)
    }

    /// Takes the first word of a path and its length.
    #[inline]
    fn lets_start_pass(&self, first_word: u64, len: usize) -> bool {
        let is_short = (len as u64).wrapping_sub(u64::from(self.least)) >> 63;
        self.differing(first_word) | is_short == 0
    }

    /// Takes a path whose start passed, and its kinds of bytes.
    #[inline]
    fn lets_rest_pass(&self, path: &[u8], kinds: u64) -> bool {
        match self.rest {
            Rest::Nothing => true,
            Rest::Word | Rest::Text => {
                let head = path.get(..usize::from(self.least));
                head.and_then(|head| head.last_chunk()) == Some(&self.next.to_le_bytes())
            }
            Rest::Pieces => self.next & !kinds == 0,
        }
    }

    /// Takes the first word of a path and its kinds of bytes. For a filter without
    /// [`Filter::with_text`].
    #[inline]
    fn lets_pass(&self, first_word: u64, kinds: u64) -> bool {
        self.differing(first_word) | (self.next & !kinds) == 0
    }

    #[inline]
    fn differing(&self, first_word: u64) -> u64 {
        (first_word ^ self.head).wrapping_shl(u32::from(self.unused))
    }
}

/// The set of kinds of bytes in a text, a bit for each of 64 kinds.
#[inline]
pub(crate) fn kinds(text: &[u8]) -> u64 {
    let Some(last) = text.last_chunk::<8>() else {
        return kinds_of(text);
    };
    // The last chunk overlaps the one before it: for a loop over the few bytes after the chunks the
    // processor would mispredict the end.
    text.chunks_exact(8)
        .fold(kinds_of(last), |kinds, chunk| kinds | kinds_of(chunk))
}

#[inline(always)]
fn kinds_of(text: &[u8]) -> u64 {
    let kind = |byte: &u8| KINDS.get(usize::from(*byte)).copied().unwrap_or(0);
    text.iter().fold(0, |kinds, byte| kinds | kind(byte))
}

/// The kind of each byte as a bit: lower-case letters have one each, digits and marks share theirs
/// with upper case. A table takes half the time of computing the kind.
#[expect(clippy::indexing_slicing, reason = "computed at compile time")]
static KINDS: [u64; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < kinds.len() {
        let low = 1_u64 << (byte & 0x1F);
        kinds[byte] = if byte < 0x60 { low << 32 } else { low };
        byte += 1;
    }
    kinds
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Dialect;
    use crate::parse::value::Value;

    #[test]
    fn a_path_visits_one_bucket_and_the_short_heads() {
        let mut list = RuleList::new(Dialect::Rfc9309, 0);
        let short = (0..10).map(|number| alloc::format!("/a*{number}"));
        let alike = (0..20).map(|number| alloc::format!("/sa{number}"));
        let others = (0..5).map(|number| alloc::format!("/zz*{number}"));
        for (line, pattern) in (1..).zip(short.chain(alike).chain(others)) {
            list.push(Access::Disallow, Value::new(pattern.as_bytes()), line);
        }
        assert_eq!(Scan::most_filters(&list), 30);
        let every_head = (b'a'..=b'z').map(|letter| bucket(&[b'/', letter, letter]));
        let mut buckets: Vec<usize> = every_head.collect();
        buckets.sort_unstable();
        buckets.dedup();
        assert!(buckets.len() > BUCKETS / 3, "{buckets:?}");
        assert!(!buckets.contains(&FOR_EVERY_PATH));
    }

    /// A whole filter decides without a look at the pattern, and the kinds of the path's bytes are
    /// collected for no filter but those that need them.
    #[test]
    fn a_filter_knows_what_it_holds() {
        for (pattern, is_whole, needs_kinds) in [
            ("/ab", true, false),
            ("/abcdefgh", true, false),
            ("/abcdefghijklmnopq", false, false),
            ("/ab$", false, false),
            ("/abc*", false, false),
            ("/abc*d", false, true),
            ("*d", false, true),
        ] {
            let mut list = RuleList::new(Dialect::Rfc9309, 0);
            list.push(Access::Allow, Value::new(pattern.as_bytes()), 1);
            let scan = Scan::new(&list, &[0]);
            let [filter] = &*scan.filters else {
                panic!("{pattern}");
            };
            assert_eq!(filter.is_whole(), is_whole, "{pattern}");
            assert_eq!(filter.needs_kinds(), needs_kinds, "{pattern}");
        }
    }

    /// So a filter with letters lets few other paths through.
    #[test]
    fn each_lower_case_letter_has_a_kind_of_its_own() {
        for letter in b'a'..=b'z' {
            let alike = (0..=u8::MAX).filter(|byte| kinds(&[*byte]) == kinds(&[letter]));
            // Bytes outside of ASCII are in no compared form.
            assert!(alike.filter(u8::is_ascii).eq([letter]), "{letter}");
        }
    }

    #[test]
    fn equal_rules_have_one_filter() {
        let mut list = RuleList::new(Dialect::Rfc9309, 0);
        for line in 1..=60 {
            let access = if line % 2 == 0 {
                Access::Allow
            } else {
                Access::Disallow
            };
            // Three patterns of one length, one after the other, and one in another bucket.
            for pattern in ["/*b", "/*a", "/*c", "/same/long/head"] {
                list.push(access, Value::new(pattern.as_bytes()), line);
            }
        }
        list.finish();
        let every_rule: Vec<u32> = (0..240).collect();
        let filters = Scan::new(&list, &every_rule);
        assert_eq!(filters.filters.len(), 8);
        for (path, line) in [(&b"/xa"[..], 2), (b"/xc", 2), (b"/same/long/head", 2)] {
            let deciding = filters.deciding(&list, path, |_| true, None);
            let deciding = deciding.map(|found| list.entries()[found.at as usize].line);
            assert_eq!(deciding, Some(line), "{path:?}");
        }
        let disallow = |at| list.entries()[at as usize].access == Access::Disallow;
        let deciding = filters.deciding(&list, &b"/xb"[..], disallow, None);
        assert_eq!(deciding.map(|found| found.at), Some(0));
    }

    #[test]
    fn more_rules_than_a_bucket_can_count_are_scanned() {
        let mut list = RuleList::new(Dialect::Rfc9309, 0);
        let rules = u32::from(u16::MAX) + 1;
        for line in 1..=rules {
            let pattern = alloc::format!("/{line:06}*");
            list.push(Access::Disallow, Value::new(pattern.as_bytes()), line);
        }
        let every_rule: Vec<u32> = (0..rules).collect();
        for count in [rules - 1, rules] {
            let filters = Scan::new(&list, &every_rule[..count as usize]);
            assert_eq!(
                filters.starts[FOR_EVERY_PATH] == 0,
                count == rules,
                "{count} rules"
            );
            for line in [1, 256, 40_000, count] {
                let path = alloc::format!("/{line:06}x");
                let deciding = filters.deciding(&list, path.as_bytes(), |_| true, None);
                assert_eq!(deciding.map(|found| found.at + 1), Some(line), "{path}");
            }
        }
    }

    /// The buckets of 30,000 and 40,000 rules start where 16 bits still count and end where they do
    /// not.
    #[test]
    fn more_rules_than_buckets_can_count_are_all_scanned() {
        let mut list = RuleList::new(Dialect::Rfc9309, 0);
        let of_head = |head: &'static str, rules: u32| {
            (0..rules).map(move |number| alloc::format!("/{head}{number:05}*"))
        };
        for (line, pattern) in (1..).zip(of_head("aaa", 30_000).chain(of_head("bbb", 40_000))) {
            list.push(Access::Disallow, Value::new(pattern.as_bytes()), line);
        }
        let every_rule: Vec<u32> = (0..70_000).collect();
        let scan = Scan::new(&list, &every_rule);
        for (path, line) in [
            ("/aaa00000x", 1),
            ("/aaa29999x", 30_000),
            ("/bbb00000x", 30_001),
            ("/bbb39999x", 70_000),
        ] {
            let deciding = scan.deciding(&list, path.as_bytes(), |_| true, None);
            assert_eq!(deciding.map(|found| found.at + 1), Some(line), "{path}");
        }
    }

    #[test]
    fn a_filter_takes_24_bytes() {
        assert_eq!(size_of::<Filter>(), 24);
    }

    /// A filter that lets too much through changes no answer.
    #[test]
    fn a_filter_stops_what_cannot_match() {
        let passes = |escapes, path: &[u8]| {
            let mut list = RuleList::new(Dialect::Rfc9309, 0);
            list.push(Access::Disallow, Value::new(b"/ab*xyz*w"), 1);
            let mut entry = *list.entry(0).unwrap();
            entry.escapes = escapes;
            let filter = Filter::new(b"/ab", b"*xyz*w", &entry, 0);
            let (word, kinds) = (first_word(path), kinds(path));
            let is_long_enough = filter.lets_start_pass(word, path.len());
            let passes = filter.lets_pass(word, kinds);
            let passes_both = is_long_enough && filter.lets_rest_pass(path, kinds);
            assert_eq!(
                passes && path.len() >= usize::from(filter.least),
                passes_both
            );
            passes_both
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
        assert!(passes(Escapes::QueryDependent, b"/ab"));
        assert!(!passes(Escapes::QueryDependent, b"/a"));
        assert_eq!(first_word(b"ab"), 0x6261);
        assert_eq!(first_word(b"abcdefghi"), 0x6867_6665_6463_6261);
        assert_eq!(kinds(b"abba").count_ones(), 2);
        assert_eq!(kinds(b"a") | kinds(b"b"), kinds(b"ab"));
    }

    /// A literal of up to sixteen bytes is compared by its filter alone.
    #[test]
    fn a_filter_holds_a_short_literal() {
        for (value, rest) in [
            (&b"/abcdef"[..], Rest::Nothing),
            (b"/abcdefg", Rest::Nothing),
            (b"/abcdefg$", Rest::Text),
            (b"/abcdef$", Rest::Pieces),
            (b"/abcdefgh", Rest::Word),
            (b"/abcdefghijklmno", Rest::Word),
            (b"/abcdefghijklmnop", Rest::Text),
            (b"/abcdefghijklmnop*", Rest::Pieces),
            (&[b'/'; 255], Rest::Text),
            (&[b'/'; 256], Rest::Pieces),
        ] {
            let mut list = RuleList::new(Dialect::Rfc9309, 0);
            list.push(Access::Disallow, Value::new(value), 1);
            let scan = Scan::new(&list, &[0]);
            let [filter] = *scan.filters else {
                panic!("{:?}", scan.filters)
            };
            assert_eq!(filter.rest, rest, "{value:?}");
            let literal = value.strip_suffix(b"$").unwrap_or(value);
            let literal = literal.strip_suffix(b"*").unwrap_or(literal);
            let matches = |path: &[u8]| scan.deciding(&list, path, |_| true, None).is_some();
            assert!(matches(literal), "{value:?}");
            assert_eq!(matches(&[literal, b"/"].concat()), !value.ends_with(b"$"));
            assert!(!matches(&literal[..literal.len() - 1]));
            for at in 1..literal.len() {
                let mut other = literal.to_vec();
                other[at] ^= 1;
                assert!(!matches(&other), "{value:?} {at}");
            }
        }
    }
}
