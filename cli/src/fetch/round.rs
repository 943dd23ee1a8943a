//! One round for a robots.txt: it is fetched once, and then interpreted again for each profile.

use std::net::{IpAddr, Ipv4Addr};

use polite_robots::Cause;
use polite_robots_policy::fetch::{Event, Fetch, Step, Validators};
use polite_robots_policy::{NetError, Origin, Outcome, Profile, Timestamp};

use crate::fetch::http::{Http, Paces, Received, get_in_turn, now};
use crate::fetch::problem::Problem;

/// The requests of a round with their answers, from the robots.txt of the origin to the end of its
/// redirects.
pub(super) struct Round {
    pub(super) exchanges: Vec<Exchange>,
    pub(super) ended: Timestamp,
}

/// A request and its answer.
pub(super) struct Exchange {
    pub(super) url: String,
    pub(super) answer: Result<Received, Problem>,
}

impl Round {
    /// Fetches as RFC 9309 says. Google follows the same redirects, and IBM none of them.
    pub(super) async fn ask(origin: &Origin, http: &Http, paces: &Paces) -> Round {
        let mut fetch = Fetch::new(origin, Validators::default(), &Profile::rfc9309(), now());
        let mut exchanges = Vec::new();
        while let Step::Get(request) = fetch.poll(now()) {
            let (url, host) = (request.url.to_owned(), request.host.to_owned());
            let answer = get_in_turn(http, paces, &host, &url, request.max_bytes).await;
            fetch.handle(event(&answer), now());
            exchanges.push(Exchange { url, answer });
        }
        Round {
            exchanges,
            ended: now(),
        }
    }

    /// The outcome for a profile. If the profile asks a server again, or at another address, it
    /// gets the same answer.
    pub(super) fn outcome(&self, origin: &Origin, profile: &Profile) -> Outcome {
        let mut fetch = Fetch::new(origin, Validators::default(), profile, self.ended);
        let mut now = self.ended;
        loop {
            match fetch.poll(now) {
                Step::Get(request) => {
                    let known = self.exchanges.iter().find(|known| known.url == request.url);
                    match known {
                        Some(exchange) => fetch.handle(event(&exchange.answer), now),
                        None => fetch.handle(Event::Failed(NetError::Local), now),
                    }
                }
                Step::Resolve(_) => {
                    let any = [IpAddr::V4(Ipv4Addr::UNSPECIFIED)];
                    fetch.handle(Event::Resolved(&any), now);
                }
                Step::Wait(until) => now = until,
                _ => return fetch.into_outcome(),
            }
        }
    }

    /// The exchange at the end of the redirects.
    pub(super) fn last(&self) -> Option<&Exchange> {
        self.exchanges.last()
    }

    /// The answer at the end of the redirects, if one came.
    pub(super) fn received(&self) -> Option<&Received> {
        self.last()?.answer.as_ref().ok()
    }

    /// The reason why the question has no answer at all, if it has none.
    pub(super) fn problem(&self) -> Option<String> {
        let received = match &self.last()?.answer {
            Err(problem) => return Some(problem.to_string()),
            Ok(received) => received,
        };
        let read = received.body.len();
        match received.file()?.err()? {
            Cause::Truncated => Some(format!(
                "the answer ended after {read} bytes, before it was whole"
            )),
            _ => Some(format!("the answer is {}", received.unread_coding())),
        }
    }
}

fn event(answer: &Result<Received, Problem>) -> Event<'_> {
    match answer {
        Ok(received) => Event::Response(received.response()),
        Err(problem) => problem.event(),
    }
}
