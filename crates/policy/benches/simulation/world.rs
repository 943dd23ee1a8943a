//! The sites: their addresses, their latencies and their answers.

use std::time::Duration;

use polite_robots_policy::{IpGroup, NetError, Origin, RetryAfter};

use crate::xorshift::Xorshift;

pub(crate) struct World {
    pub(crate) hosts: u32,
    pub(crate) addresses: u32,
    chance: Xorshift,
}

pub(crate) struct Answer {
    pub(crate) result: Result<u16, NetError>,
    pub(crate) retry_after: Option<RetryAfter>,
}

/// The end of a request, as the crawler sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fate {
    Answered,
    Dropped,
    Hung,
}

impl World {
    /// The address of every tenth host. The other hosts have seven addresses for each nine hosts.
    pub(crate) const SHARED: u32 = 0;

    pub(crate) fn new(hosts: u32) -> World {
        World {
            hosts,
            addresses: hosts / 10 * 7 + 1,
            chance: Xorshift::new(0x9E37_79B9_7F4A_7C15),
        }
    }

    pub(crate) fn name(host: u32) -> String {
        format!("host-{host}.example")
    }

    pub(crate) fn origin(host: u32) -> Origin {
        Origin::of(&format!("https://{}/", World::name(host))).unwrap()
    }

    pub(crate) fn address(&self, host: u32) -> u32 {
        if host % 10 == 9 {
            World::SHARED
        } else {
            1 + mixed(host) % (self.addresses - 1)
        }
    }

    pub(crate) fn group(&self, host: u32) -> IpGroup {
        IpGroup(u64::from(self.address(host)))
    }

    /// One host in ten asks for some seconds, and one in a thousand for ten minutes.
    pub(crate) fn crawl_delay(&self, host: u32) -> Option<Duration> {
        let seconds = match mixed(host ^ 0x5555_5555) % 1_000 {
            0 => 600,
            small @ 1..100 => 1 + u64::from(small) % 30,
            _ => return None,
        };
        Some(Duration::from_secs(seconds))
    }

    /// One host in a hundred is slow. A host that always has a URL is slow too: its gap alone would
    /// not prevent a second request at the same time.
    pub(crate) fn latency(&mut self, host: u32) -> u32 {
        let chance = self.chance.below(500) as u32;
        if host % 97 == 1 || self.is_deep(host) {
            2_000 + 8 * chance
        } else {
            50 + chance
        }
    }

    /// One request in five hundred is dropped, and one in two thousand hangs. A request to a host
    /// that always waits for its turn never hangs, because the ledger learns only from the wheel
    /// that a lease is over.
    pub(crate) fn fate(&mut self, host: u32) -> Fate {
        match self.chance.below(2_000) {
            0 if !self.is_deep(host) => Fate::Hung,
            1..=4 => Fate::Dropped,
            _ => Fate::Answered,
        }
    }

    /// One host in ten thousand always has another URL.
    pub(crate) fn is_deep(&self, host: u32) -> bool {
        host % 10_000 == 7
    }

    /// The time until any other host has its next URL.
    pub(crate) fn rest(&mut self) -> u32 {
        1 + self.chance.below(2 * MEAN_REST) as u32
    }

    /// In the second hour one address in fifty accepts no connections. In the half hour after the
    /// third hour one host in ten answers every request with 429.
    pub(crate) fn answer(&mut self, host: u32, now: u32) -> Answer {
        let chance = self.chance.below(1_000);
        let is_out = (HOUR..2 * HOUR).contains(&now) && self.address(host) % 50 == 3;
        let is_storm = (3 * HOUR..3 * HOUR + 30 * MINUTE).contains(&now) && host % 10 == 4;
        let (result, retry_after) = match chance {
            _ if is_out => (Err(NetError::Connect), 0),
            0..500 if is_storm => (Ok(429), 0),
            _ if is_storm => (Ok(429), 30 + chance),
            0..5 => (Ok(503), 60),
            5..10 => (Ok(500), 0),
            10..12 => (Err(NetError::Read), 0),
            _ => (Ok(200), 0),
        };
        Answer {
            result,
            retry_after: (retry_after > 0)
                .then(|| RetryAfter::Delay(Duration::from_secs(retry_after as u64))),
        }
    }

    /// Whether the host leaves, together with all others of its address.
    pub(crate) fn is_leaving(&self, host: u32) -> bool {
        self.address(host) % 20 == 5
    }
}

/// A bijection without a pattern, so that neighbours share nothing.
fn mixed(number: u32) -> u32 {
    let number = (number ^ (number >> 16)).wrapping_mul(0x7FEB_352D);
    let number = (number ^ (number >> 15)).wrapping_mul(0x846C_A68B);
    number ^ (number >> 16)
}

pub(crate) const MINUTE: u32 = 60_000;
pub(crate) const HOUR: u32 = 60 * MINUTE;
/// The mean rest in milliseconds. It gives each host about seven requests in six hours.
const MEAN_REST: usize = 3_000_000;
