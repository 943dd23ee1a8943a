//! The hosts with pages that wait, and what they wait for.

use std::collections::HashMap;

use polite_robots_policy::settings::Obedience;
use polite_robots_policy::{HostId, Origin, Timestamp, Turn};

use crate::hosts::progress::{Progress, WaitCause, WaitingHost};
use crate::state::State;

/// The pages that wait for one host.
#[derive(Debug)]
pub(crate) struct Wait {
    pub(crate) pages: usize,
    pub(crate) next_turn: Option<Timestamp>,
    pub(crate) cause: WaitCause,
}

impl Wait {
    pub(crate) fn of(self, host: &str) -> WaitingHost {
        WaitingHost {
            host: host.to_owned(),
            pages: self.pages,
            next_turn: self.next_turn,
            cause: self.cause,
        }
    }
}

impl State {
    /// The hosts with pages that wait. It looks at each of them, and allocates one table.
    pub(crate) fn waiting(&self, now: Timestamp) -> HashMap<&str, Wait> {
        let mut hosts: HashMap<&str, Wait> = HashMap::new();
        for (origin, pages) in self.waiters.callers() {
            let wait = self.wait_of(origin, now);
            let known = hosts
                .entry(origin.host())
                .or_insert(Wait { pages: 0, ..wait });
            // If http and https wait for two causes, the same one is reported each time.
            known.cause = known.cause.min(wait.cause);
            known.pages += pages;
        }
        hosts
    }

    /// The summary of all hosts with pages that wait.
    pub(crate) fn progress(&self, now: Timestamp) -> Progress {
        let hosts = self.waiting(now);
        Progress {
            hosts: hosts.len(),
            pages: hosts.values().map(|wait| wait.pages).sum(),
            in_flight: self.dispatcher.running(),
            closed: self.cache.in_outage(),
            next_turn: hosts.values().filter_map(|wait| wait.next_turn).min(),
        }
    }

    /// The wait for a host, without its pages.
    fn wait_of(&self, origin: &Origin, now: Timestamp) -> Wait {
        let scheduler = &self.dispatcher.scheduler;
        let host = scheduler.find(origin.host());
        let turn = host.map_or(Turn::Ready, |host| scheduler.turn(host, now));
        Wait {
            pages: 0,
            next_turn: match turn {
                Turn::Ready | Turn::Busy => Some(now),
                Turn::NotBefore(turn) => Some(turn),
                _ => None,
            },
            cause: match host.filter(|_| !self.waiters.waits_for_memory(origin)) {
                Some(host) => self.cause(host, origin, turn, now),
                None => WaitCause::Memory,
            },
        }
    }

    fn cause(&self, host: HostId, origin: &Origin, turn: Turn, now: Timestamp) -> WaitCause {
        match turn {
            Turn::NotBefore(until) => self.dispatcher.pace_cause(host, until, now),
            Turn::Skip => WaitCause::LongCrawlDelay,
            Turn::Busy if !self.lacks_rules(host, origin) => WaitCause::Request,
            // A robots.txt waits for a place like a page.
            Turn::Ready if self.dispatcher.is_needed(host) => WaitCause::Place,
            _ => WaitCause::RobotsTxt,
        }
    }

    /// Whether no round for the robots.txt of the origin has ended yet, if it is asked for.
    fn lacks_rules(&self, host: HostId, origin: &Origin) -> bool {
        let rule = self.dispatcher.scheduler.rule(host);
        let obedience = rule.obedience.unwrap_or(self.cache.settings().obedience);
        let entry = self.cache.entry(origin);
        obedience == Obedience::Obey && entry.is_none_or(|entry| entry.robots_date().is_none())
    }
}
