//! The order of the files of the crate: data flows one way, and a file imports only from files
//! above it.

#[path = "../../../../tests/suite/layering/checker.rs"]
mod checker;

/// A checker that reads fewer imports than these has not read the files.
const LEAST_IMPORTS: usize = 3 * ORDER.len();

/// The files of `src`, from what all of them need to the machines that use the rest.
const ORDER: &[&str] = &[
    "time",
    "http_date",
    "evidence",
    "origin",
    "jitter",
    "keyed_table",
    "parts",
    "retry_after",
    "net_error",
    "settings/access",
    "settings/pace",
    "settings",
    "profile",
    "host_rule",
    "headers/cache_control",
    "headers/coding",
    "headers",
    "rate_limit",
    "access/response/body_end",
    "access/response/text",
    "access/response/unpack",
    "access/response",
    "access/freshness",
    "access/outcome",
    "access/fetch",
    "access/explain",
    "access/outage",
    "access/facts",
    "access/remains",
    "access/ruling",
    "access/entry",
    "access/cache/ticket",
    "access/cache/lookup",
    "access/cache/check",
    "access/cache/slot",
    "access/cache/slots",
    "access/cache/weight",
    "access/cache/shared_files",
    "access/cache/kept_places",
    "access/cache/lost_files",
    "access/cache/tombstones",
    "access/cache",
    "access/cache/room",
    "access/cache/saving",
    "access",
    "pace/reply",
    "pace/backoff",
    "pace/reward",
    "pace/crawl_delay",
    "pace/rare",
    "pace/host_delay",
    "pace/host_pace",
    "pace/permission",
    "pace/join",
    "pace/pacer",
    "pace/scheduler/timer_queue",
    "pace/scheduler/slab",
    "pace/scheduler/ip_group",
    "pace/scheduler/group",
    "pace/scheduler/groups",
    "pace/scheduler/host_id",
    "pace/scheduler/host",
    "pace/scheduler/hosts",
    "pace/scheduler/leases",
    "pace/scheduler/queues",
    "pace/scheduler/stored",
    "pace/scheduler",
    "pace",
    "crawl/page",
    "crawl/lines",
    "crawl/resting",
    "crawl/idle",
    "crawl/round",
    "crawl",
    "robots_cache/response",
    "robots_cache/block_on",
    "robots_cache/clock",
    "robots_cache/shared",
    "robots_cache/permit",
    "robots_cache/boxed_fetch",
    "robots_cache",
    "robots_cache/by_reqwest",
    "robots_cache/by_ureq",
];

/// The two halves do not know each other.
#[test]
fn access_and_pace_are_apart() {
    let of_half = |half: &str| -> Vec<&str> {
        let other = if half == "access" { "pace" } else { "access" };
        let is_of_other = |entry: &&str| *entry == other || entry.starts_with(&format!("{other}/"));
        let rest = ORDER.iter().copied().filter(|entry| !is_of_other(entry));
        rest.collect()
    };
    for half in ["access", "pace"] {
        let violations = checker::check(&of_half(half)).violations;
        let imports: Vec<&String> = violations
            .iter()
            .filter(|violation| {
                violation.starts_with(&format!("{half}/")) && violation.contains(" imports ")
            })
            .collect();
        assert!(imports.is_empty(), "{imports:#?}");
    }
}
