//! The rounds for robots.txt. The crawler sends each request in the turn of its host, for every
//! step that a profile has.

use std::net::{IpAddr, Ipv4Addr};

use polite_robots_policy::cache::Ticket;
use polite_robots_policy::fetch::{BodyEnd, Event, Fetch, Headers, RawResponse, Step};
use polite_robots_policy::{NetError, Outcome, Turn};

use super::{Crawl, Flight, Happening, Purpose, Round};

impl Crawl<'_> {
    pub(super) fn begin_round(&mut self, site: usize, authority: u8, ticket: Ticket) {
        let validators = ticket.validators().clone();
        let profile = &self.setup.profile;
        let fetch = Fetch::new(ticket.origin(), validators, profile, self.wall());
        let number = self.number();
        let round = Round {
            ticket,
            fetch,
            site,
            authority,
        };
        self.rounds.insert(number, round);
        self.hosts[site].queues[usize::from(authority)].round = Some(number);
        self.pursue(number);
    }

    /// Does the next step of a round.
    pub(super) fn pursue(&mut self, number: u64) {
        let wall = self.wall();
        let Some(round) = self.rounds.get(&number) else {
            return;
        };
        match round.fetch.poll(wall) {
            Step::Done(_) => self.finish_round(number),
            Step::Resolve(_) => self.plan(self.now + RESOLUTION, Happening::Resolved(number)),
            Step::Wait(until) => {
                let wait = until.saturating_since(wall).as_millis() as u64;
                self.plan(self.now + wait, Happening::Waited(number));
            }
            Step::Get(request) => {
                let site = self.world.find(request.host);
                // The host may be unknown, finished, or resting as its own pages are closed.
                self.wake(site);
                let host = &mut self.hosts[site];
                let is_free = host.hops.is_empty() && self.flights.len() < self.setup.workers;
                if is_free && self.scheduler.turn(host.id, wall) == Turn::Ready {
                    self.send_round(number);
                } else {
                    host.hops.push_back(number);
                }
            }
            other => panic!("{other:?}"),
        }
    }

    /// Sends the request of a round, in the turn of its host.
    pub(super) fn send_round(&mut self, number: u64) {
        let wall = self.wall();
        let step = self.rounds.get(&number).map(|round| round.fetch.poll(wall));
        let Some(Step::Get(request)) = step else {
            // The clock was set back, and the round waits once more.
            return self.pursue(number);
        };
        let (site, authority, path) = self.world.resolve(request.url);
        assert_eq!(self.world.find(request.host), site);
        self.send(site, authority, path, 0, Purpose::Round(number));
    }

    pub(super) fn resolved(&mut self, number: u64) {
        let wall = self.wall();
        let is_down = self.now < self.down_until;
        if let Some(round) = self.rounds.get_mut(&number) {
            let event = if is_down {
                Event::Failed(NetError::Local)
            } else {
                Event::Resolved(&[IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1))])
            };
            round.fetch.handle(event, wall);
            self.pursue(number);
        }
    }

    pub(super) fn answered(&mut self, number: u64, flight: &Flight) {
        let wall = self.wall();
        let Some(round) = self.rounds.get_mut(&number) else {
            return;
        };
        let answer = &flight.answer;
        let max_age = answer
            .max_age
            .map(|millis| format!("max-age={}", millis / 1000));
        let retry_after = answer.retry_after.to_string();
        let mut headers = Headers::default();
        if let Some(max_age) = &max_age {
            headers.insert("Cache-Control", max_age);
        }
        if let Some(location) = &answer.location {
            headers.insert("Location", location);
        }
        if answer.retry_after > 0 {
            headers.insert("Retry-After", &retry_after);
        }
        let event = match answer.result {
            Ok(status) => Event::Response(RawResponse {
                status,
                headers,
                body: &answer.body,
                end: BodyEnd::Complete,
            }),
            Err(error) => Event::Failed(error),
        };
        round.fetch.handle(event, wall);
        let is_elsewhere = flight.site != round.site;
        self.pursue(number);
        if is_elsewhere {
            // This site's own pages may have waited.
            self.wake(flight.site);
        }
    }

    fn finish_round(&mut self, number: u64) {
        let Some(round) = self.rounds.remove(&number) else {
            return;
        };
        let outcome = round.fetch.into_outcome();
        if matches!(outcome, Outcome::Local) {
            self.given_up
                .push((round.site, round.authority, self.fair()));
        }
        self.cache.handle(round.ticket, outcome, self.wall());
        self.forget_round(round.site, round.authority, number);
    }

    /// Notes that the origin no longer waits for this round.
    pub(super) fn forget_round(&mut self, site: usize, authority: u8, number: u64) {
        let queue = &mut self.hosts[site].queues[usize::from(authority)];
        if queue.round == Some(number) {
            queue.round = None;
        }
        self.wake(site);
    }
}

/// The time that it takes to look up the address of a host.
const RESOLUTION: u64 = 20;
