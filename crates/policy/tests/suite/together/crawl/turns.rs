//! The turn of a host: the next request of a robots.txt, or the next page.

use polite_robots::Robot;
use polite_robots_policy::cache::{NextFetch, Site};
use polite_robots_policy::fetch::Headers;
use polite_robots_policy::{IpGroup, Lookup, NetError, Reply, RetryAfter, Timestamp, Turn};

use super::super::judge::{Exchange, Reply as Seen};
use super::super::world::{Answer, Path, SECOND, path_of_page};
use super::{Crawl, Flight, Happening, Purpose, QueueState, Reach};

impl Crawl<'_> {
    /// Starts a request, or notes why there is none.
    pub(super) fn take_turn(&mut self, site: usize) {
        self.tally.turns += 1;
        // 1. A robots.txt that led here goes first.
        while let Some(round) = self.hosts[site].hops.pop_front() {
            if self.rounds.contains_key(&round) {
                return self.send_round(round);
            }
        }
        // 2. A queue that has a page and is not known to wait.
        let Some(number) = self.next_queue(site) else {
            return self.rest(site);
        };
        let queue = &self.hosts[site].queues[usize::from(number)];
        if queue.state == QueueState::New && !self.room.is_empty() {
            // Others have waited longer. Without a queue for them, a site that retries at the right
            // times could keep them out.
            return self.stand_in_line(site, number);
        }
        let queue_state = queue.state;
        let origin = queue.origin.clone();
        let wall = self.wall();
        // 3. The robots.txt of its origin.
        match self.cache.poll(&origin, wall) {
            Lookup::Ready(robot) => {
                self.admit(site, number);
                self.page(site, number, &robot);
            }
            Lookup::Fetch(ticket) => {
                self.admit(site, number);
                self.begin_round(site, number, ticket);
            }
            Lookup::Closed(closed) => {
                self.close(site, number, closed.retry);
            }
            // The round of this origin is under way elsewhere.
            Lookup::Pending => self.wait(
                site,
                number,
                wall.saturating_add(std::time::Duration::from_secs(1)),
            ),
            Lookup::Full => {
                self.tally.full += 1;
                if queue_state == QueueState::Called {
                    self.room.push_front((site, number));
                    self.hosts[site].queues[usize::from(number)].state = QueueState::WaitsForRoom;
                    self.plan_room();
                } else {
                    self.stand_in_line(site, number);
                }
            }
            other => panic!("{other:?}"),
        }
    }

    fn stand_in_line(&mut self, site: usize, number: u8) {
        self.hosts[site].queues[usize::from(number)].state = QueueState::WaitsForRoom;
        self.room.push_back((site, number));
        self.plan_room();
    }

    /// The host's next queue, round robin, that has a page and waits for nothing.
    fn next_queue(&mut self, site: usize) -> Option<u8> {
        let wall = self.wall();
        let host = &mut self.hosts[site];
        let count = host.queues.len();
        for step in 0..count {
            let number = (host.next + step) % count;
            let queue = &host.queues[number];
            let is_free = queue.round.is_none() && queue.state != QueueState::WaitsForRoom;
            if is_free && !queue.pages.is_empty() && queue.not_before <= wall {
                host.next = (number + 1) % count;
                return Some(number as u8);
            }
        }
        None
    }

    /// Gives the host no turn until one of its queues is worth a look.
    fn rest(&mut self, site: usize) {
        let host = &self.hosts[site];
        let queues = host.queues.iter().filter(|queue| {
            let is_free = queue.round.is_none() && queue.state != QueueState::WaitsForRoom;
            is_free && !queue.pages.is_empty()
        });
        let earliest = queues.map(|queue| queue.not_before).min();
        match earliest {
            Some(until) => self.scheduler.defer(host.id, until),
            None if self.is_done(site) => self.scheduler.remove(host.id),
            None => self.scheduler.set_idle(host.id),
        }
    }

    pub(super) fn is_done(&self, site: usize) -> bool {
        let host = &self.hosts[site];
        let mut queues = host.queues.iter();
        host.hops.is_empty() && queues.all(|queue| queue.state == QueueState::Finished)
    }

    /// Notes that the host has something to do again.
    pub(super) fn wake(&mut self, site: usize) {
        let id = self.hosts[site].id;
        let wall = self.wall();
        if self.scheduler.contains(id) {
            self.scheduler.set_waiting(id);
            self.scheduler.defer(id, wall);
        } else {
            let site_of_host = &self.world.sites[site];
            let address = site_of_host.address.map(IpGroup);
            let id = self.scheduler.insert(&site_of_host.host, address);
            self.own(id, site);
        }
    }

    /// Notes that the cache knows the origin. The cache must not forget it while pages wait.
    fn admit(&mut self, site: usize, number: u8) {
        let queue = &mut self.hosts[site].queues[usize::from(number)];
        if queue.state == QueueState::Admitted {
            return;
        }
        queue.state = QueueState::Admitted;
        self.tally.admissions += 1;
        self.cache.hold(&queue.origin);
        self.use_room();
    }

    /// Calls the next queue: after one came in, there may be room for another.
    pub(super) fn use_room(&mut self) {
        while let Some((site, number)) = self.room.pop_front() {
            let queue = &mut self.hosts[site].queues[usize::from(number)];
            if queue.state == QueueState::WaitsForRoom {
                queue.state = QueueState::Called;
                return self.wake(site);
            }
        }
    }

    fn wait(&mut self, site: usize, number: u8, until: Timestamp) {
        self.hosts[site].queues[usize::from(number)].not_before = until;
    }

    fn close(&mut self, site: usize, number: u8, retry: NextFetch) {
        match retry {
            NextFetch::At(time) => {
                assert!(time > self.wall(), "a retry that is due gives a ticket");
                self.wait(site, number, time);
                // An unreachable site would keep its room until it is back; others can use it
                // meanwhile.
                let queue = &mut self.hosts[site].queues[usize::from(number)];
                queue.state = QueueState::New;
                self.cache.release(&queue.origin);
                self.use_room();
            }
            NextFetch::Never => {
                self.admit(site, number);
                let queue = &mut self.hosts[site].queues[usize::from(number)];
                queue.pages.clear();
                self.settle(site, number);
            }
            other => panic!("{other:?}"),
        }
    }

    /// Sends the request for the next page if its rules and the pace permit it.
    fn page(&mut self, site: usize, number: u8, robot: &Robot) {
        let host = &mut self.hosts[site];
        let queue = &mut host.queues[usize::from(number)];
        let delay = robot.crawl_delay();
        self.scheduler
            .set_crawl_delay(host.id, &queue.origin, delay);
        let Some(page) = queue.pages.front().copied() else {
            return;
        };
        if !robot.allowed(&*path_of_page(page)) {
            queue.pages.pop_front();
            return self.settle(site, number);
        }
        // The delay may be new to the scheduler.
        let id = self.hosts[site].id;
        if self.scheduler.turn(id, self.wall()) == Turn::Ready {
            let queue = &mut self.hosts[site].queues[usize::from(number)];
            queue.pages.pop_front();
            queue.in_flight += 1;
            let attempt = u32::from(queue.attempts[page as usize]);
            self.send(site, number, Path::Page(page), attempt, Purpose::Page(page));
        }
    }

    /// An origin whose queue is empty may be forgotten.
    fn settle(&mut self, site: usize, number: u8) {
        let queue = &mut self.hosts[site].queues[usize::from(number)];
        let is_empty = queue.pages.is_empty() && queue.in_flight == 0;
        if is_empty && queue.state == QueueState::Admitted {
            queue.state = QueueState::Finished;
            self.open_queues -= 1;
            self.cache.release(&queue.origin);
            self.use_room();
        }
    }

    pub(super) fn send(
        &mut self,
        site: usize,
        authority: u8,
        path: Path,
        attempt: u32,
        purpose: Purpose,
    ) {
        let (wall, fair) = (self.wall(), self.fair());
        let id = self.hosts[site].id;
        self.scheduler.handle_start(id, wall);
        let (answer, latency, reach) = if self.now < self.down_until {
            (Answer::without_response(NetError::Local), 5, Reach::Nobody)
        } else {
            let answer = self.world.answer(site, authority, path, attempt, fair);
            (answer, self.world.sites[site].latency, Reach::Site)
        };
        let number = self.number();
        let flight = Flight {
            id,
            site,
            authority,
            path,
            purpose,
            started: wall,
            start: fair,
            answer,
            reach,
        };
        self.flights.insert(number, flight);
        self.plan(self.now + latency, Happening::End(number));
    }

    pub(super) fn handle(&mut self, happening: Happening) {
        match happening {
            Happening::End(flight) => {
                // The flight may have been dropped.
                if let Some(flight) = self.flights.remove(&flight) {
                    self.end(flight);
                }
            }
            Happening::Resolved(round) => self.resolved(round),
            Happening::Waited(round) => self.pursue(round),
            Happening::Room => {
                self.is_room_planned = false;
                self.use_room();
                if !self.room.is_empty() {
                    self.plan_room();
                }
            }
        }
    }

    fn plan_room(&mut self) {
        if !self.is_room_planned {
            self.is_room_planned = true;
            self.plan(self.now + ROOM, Happening::Room);
        }
    }

    fn end(&mut self, flight: Flight) {
        let wall = self.wall();
        let answer = &flight.answer;
        let retry_after = answer.retry_after.to_string();
        let mut headers = Headers::default();
        if answer.retry_after > 0 {
            headers.insert("Retry-After", &retry_after);
        }
        let retry_after = RetryAfter::of(&headers, wall);
        let reply = Reply::new(answer.result, flight.started).with_retry_after(retry_after);
        self.scheduler.handle_reply(flight.id, reply, wall);
        let seen = answer.result.map_or(Seen::NoResponse, Seen::Status);
        self.note(&flight, seen);
        match flight.purpose {
            Purpose::Page(page) => self.page_ended(&flight, page),
            Purpose::Round(round) => self.answered(round, &flight),
        }
    }

    fn page_ended(&mut self, flight: &Flight, page: u32) {
        let wall = self.wall();
        let queue = &mut self.hosts[flight.site].queues[usize::from(flight.authority)];
        queue.in_flight -= 1;
        let (state, is_final) = match flight.answer.result {
            Ok(status) if status < 500 => (Some(Site::Available), status != 429),
            Err(NetError::Local) => (None, false),
            Ok(_) | Err(_) => (Some(Site::Unavailable), false),
        };
        if let Some(state) = state {
            self.cache.set_site(&queue.origin, state, wall);
        }
        if !is_final {
            queue.attempts[page as usize] =
                queue.attempts[page as usize].saturating_add(u8::from(state.is_some()));
            queue.pages.push_back(page);
        }
        self.settle(flight.site, flight.authority);
        self.wake(flight.site);
    }

    /// Notes a request that reached its site.
    pub(super) fn note(&mut self, flight: &Flight, reply: Seen) {
        if flight.reach == Reach::Nobody {
            return;
        }
        self.log[flight.site].push(Exchange {
            authority: flight.authority,
            path: flight.path,
            start: flight.start,
            end: self.now + self.ahead,
            reply,
            retry_after: flight.answer.retry_after,
        });
    }
}

/// The time after which the cache is asked again whether it has room.
const ROOM: u64 = 30 * SECOND;
