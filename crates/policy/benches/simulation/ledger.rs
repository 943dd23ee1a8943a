//! The starts that the answers forbid, recorded independently of the scheduler under test.

use std::time::Duration;

use polite_robots_policy::{NetError, Reply, RetryAfter};

pub(crate) struct Ledger {
    hosts: Vec<Host>,
    addresses: Vec<Address>,
}

/// Times are milliseconds since one day before the start.
#[derive(Clone, Default)]
struct Host {
    is_in_flight: bool,
    started: u32,
    not_before: u32,
}

#[derive(Clone, Default)]
struct Address {
    /// The last ten starts; the oldest one is at the index `oldest`.
    starts: [u32; LIMIT],
    oldest: u8,
    refusals: u8,
    /// The start of the current rest, which no answer has ended yet.
    rests_since: Option<u32>,
    not_before: u32,
}

impl Ledger {
    pub(crate) fn new(hosts: usize, addresses: usize) -> Ledger {
        Ledger {
            hosts: vec![Host::default(); hosts],
            addresses: vec![Address::default(); addresses],
        }
    }

    pub(crate) fn start(&mut self, host: usize, address: usize, now: u32) {
        let (number, host) = (host, &mut self.hosts[host]);
        assert!(!host.is_in_flight, "host {number}: two at once");
        let early = host.not_before.saturating_sub(now);
        assert_eq!(early, 0, "host {number}: too early, in ms");
        host.is_in_flight = true;
        host.started = now;

        let (number, address) = (address, &mut self.addresses[address]);
        let early = address.not_before.saturating_sub(now);
        assert_eq!(early, 0, "address {number}: inside its rest, in ms");
        let oldest = &mut address.starts[usize::from(address.oldest)];
        let early = (*oldest + WINDOW).saturating_sub(now);
        assert_eq!(
            early, 0,
            "address {number}: the eleventh of a minute, in ms"
        );
        *oldest = now;
        address.oldest = (address.oldest + 1) % LIMIT as u8;
    }

    pub(crate) fn reply(
        &mut self,
        host: usize,
        address: usize,
        reply: &Reply,
        crawl_delay: Option<Duration>,
        now: u32,
    ) {
        let host = &mut self.hosts[host];
        host.is_in_flight = false;
        let gap = crawl_delay.map_or(SECOND, millis).max(SECOND);
        // The least back-off after such an answer: one second, doubled for each level that it adds.
        let raised = match reply.result {
            Ok(429) => 8 * SECOND,
            Ok(503) => 4 * SECOND,
            _ => 0,
        };
        let asked = match reply.retry_after {
            Some(RetryAfter::Delay(delay)) => millis(delay),
            _ => 0,
        };
        let wait = gap.max(raised).max(asked);
        host.not_before = host.not_before.max(now + wait);

        let address = &mut self.addresses[address];
        if reply.result.is_ok() {
            address.rests_since = None;
        }
        let is_refused = reply.result == Err(NetError::Connect);
        // Requests that began before the rest repeat the same refusal.
        let is_news = address
            .rests_since
            .is_none_or(|since| host.started >= since);
        if !(is_refused && is_news) {
            address.refusals = 0;
            return;
        }
        address.refusals += 1;
        if address.refusals == 3 {
            address.refusals = 0;
            address.rests_since = Some(now);
            address.not_before = now + 8 * SECOND;
        }
    }

    /// The request under way is lost; the host keeps its gap and its blocks.
    pub(crate) fn cancel(&mut self, host: usize, crawl_delay: Option<Duration>, now: u32) {
        let gap = crawl_delay.map_or(SECOND, millis).max(SECOND);
        let host = &mut self.hosts[host];
        host.is_in_flight = false;
        host.not_before = host.not_before.max(now + gap);
    }

    /// The lease of the request under way is over; its gap, counted from its start, ended long
    /// before.
    pub(crate) fn expire(&mut self, host: usize) {
        self.hosts[host].is_in_flight = false;
    }

    /// The state of the host is lost; it waits for one gap.
    pub(crate) fn lose(&mut self, host: usize, crawl_delay: Option<Duration>, now: u32) {
        let gap = crawl_delay.map_or(SECOND, millis).max(SECOND);
        self.hosts[host].not_before = now + gap;
    }
}

fn millis(duration: Duration) -> u32 {
    duration.as_millis() as u32
}

/// The figures of the profile, written again.
const LIMIT: usize = 10;
const WINDOW: u32 = 60_000;
const SECOND: u32 = 1_000;
