//! The bytes of memory that the cache counts for what it keeps.

use polite_robots::record::PolicyToken;
use polite_robots::{Robot, RobotsTxt};

use crate::access::cache::slot::Slot;
use crate::access::cache::ticket::Lease;
use crate::access::fetch::Fetch;

/// The bytes of an origin, without its file.
pub(super) fn weight_of_slot(slot: &Slot) -> usize {
    let lease = match (&slot.lease, slot.file) {
        (None, _) => 0,
        (Some(_), Some(_)) => TICKET,
        (Some(_), None) => FIRST_FETCH,
    };
    let paused = slot.lease.as_ref().and_then(|lease| lease.paused());
    ORIGIN
        .saturating_add(slot.origin.heap_bytes())
        .saturating_add(slot.facts.heap_bytes())
        .saturating_add(lease)
        .saturating_add(paused.map_or(0, Fetch::bytes))
}

/// The further bytes that an origin counts for while its first answer is fetched.
pub(super) const FIRST_FETCH: usize = TICKET + EXPECTED_FILE;

/// The bytes of a compiled file, with the indexes that it builds to answer.
pub(super) fn weight_of_file(robot: &Robot, document: Option<&RobotsTxt>) -> usize {
    let rules = robot
        .rules()
        .map(|rule| RULE.saturating_add(rule.pattern().len().saturating_mul(PATTERN_BYTE)));
    let sitemaps = robot
        .sitemaps()
        .map(|sitemap| SITEMAP.saturating_add(sitemap.len()));
    let records = robot
        .records()
        .map(|record| RECORD.saturating_add(record.value().len()));
    let policies = PolicyToken::ALL.iter();
    let policies = policies.filter_map(|token| robot.policy(*token));
    let document = document.map_or(0, |document| {
        DOCUMENT.saturating_add(document.as_bytes().len().saturating_mul(DOCUMENT_BYTE))
    });
    rules
        .chain(sitemaps)
        .chain(records)
        // Their robots have no such rules themselves, so this ends.
        .chain(policies.map(|policy| weight_of_file(policy, None)))
        .fold(FILE, usize::saturating_add)
        .saturating_add(document)
}

/// A slot in a vector that may be an eighth empty, its number in a table that may be half empty,
/// its place among those that are due.
const ORIGIN: usize = size_of::<Slot>() + size_of::<Slot>() / 8 + 16 + 40;

/// A lease, its ticket, and the counts between them.
const TICKET: usize = size_of::<Lease>() + 32;

/// The room that is kept for the first answer of an origin: the mean file of a crawl takes less.
const EXPECTED_FILE: usize = 4096;

/// A file without rules, which has a part of a table to itself, as in a cache of few files.
const FILE: usize = 530;
const RULE: usize = 48;
const PATTERN_BYTE: usize = 2;
const SITEMAP: usize = 32;
const RECORD: usize = 48;
const DOCUMENT: usize = 300;
const DOCUMENT_BYTE: usize = 3;
