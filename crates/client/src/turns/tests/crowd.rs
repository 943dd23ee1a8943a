//! Many slow hosts beside good ones, over the machines alone.

use proptest::prelude::*;

use super::*;

/// The times of a host's requests in milliseconds: that for robots.txt, and those of its pages, in
/// this order again and again. Those of a hostile host are long.
#[derive(Debug, Clone)]
struct Manner {
    is_good: bool,
    robots: u64,
    pages: Vec<u64>,
}

impl Manner {
    fn good(time: u64) -> Manner {
        Manner {
            is_good: true,
            robots: time,
            pages: vec![time],
        }
    }

    fn hostile(robots: u64, pages: &[u64]) -> Manner {
        Manner {
            is_good: false,
            robots,
            pages: pages.to_vec(),
        }
    }

    fn time(&self, request: usize) -> Duration {
        let page = request.checked_sub(1);
        let time = page.map_or(self.robots, |page| self.pages[page % self.pages.len()]);
        Duration::from_millis(time)
    }
}

struct Visitor {
    manner: Manner,
    host: HostId,
    waiting: Option<oneshot::Receiver<Grant>>,
    request: Option<(TurnGuard, Timestamp, Timestamp)>,
    /// The times at which its requests ended well.
    done: Vec<Timestamp>,
    begun: usize,
}

/// Runs the hosts for `seconds` with a page waiting for each. Returns when each good host got its
/// first page, in seconds, and how many of their requests ended after the first `settled` seconds.
fn crowd(places: usize, manners: &[Manner], settled: u64, seconds: u64) -> (u64, usize) {
    let keeper = Arc::new(Deaf);
    let mut dispatcher = Dispatcher::new(Scheduler::new(Profile::rfc9309()), places, 8);
    let weak: Weak<dyn Keeper> = Arc::<Deaf>::downgrade(&keeper);
    dispatcher.set_keeper(weak);
    let mut visitors: Vec<Visitor> = manners
        .iter()
        .enumerate()
        .map(|(number, manner)| Visitor {
            manner: manner.clone(),
            host: dispatcher.insert(&format!("h{number}.example"), HostRule::new(), None),
            waiting: None,
            request: None,
            done: Vec::new(),
            begun: 0,
        })
        .collect();
    let start = Timestamp::from_millis(1_767_225_600_000);
    let after = |seconds: u64| start.saturating_add(Duration::from_secs(seconds));
    let (mut now, end) = (start, after(seconds));
    while now < end {
        for visitor in &mut visitors {
            let is_over = visitor
                .request
                .as_ref()
                .is_some_and(|(turn, _, until)| *until <= now || turn.way().is_given());
            if is_over && let Some((turn, started, _)) = visitor.request.take() {
                let end = match turn.way().is_given() {
                    true => TurnEnd::Broken,
                    false => {
                        visitor.done.push(now);
                        TurnEnd::Answered(Reply::new(Ok(200), started))
                    }
                };
                dispatcher.end(turn.id(), end, now);
                turn.revoke();
            }
            if visitor.request.is_none() && visitor.waiting.is_none() {
                let turn = dispatcher.queue(visitor.host, Position::Back, Timestamp::MAX);
                visitor.waiting = Some(turn.unwrap());
            }
        }
        let mut next = dispatcher.grant(now).unwrap_or(end);
        for visitor in &mut visitors {
            if let Some(waiting) = &mut visitor.waiting
                && let Ok(Grant::Turn(mut turn)) = waiting.try_recv()
            {
                visitor.waiting = None;
                assert_eq!(dispatcher.start(turn.id(), now), LeaseStatus::Live);
                turn.mark_sent();
                let until = now.saturating_add(visitor.manner.time(visitor.begun));
                visitor.begun += 1;
                visitor.request = Some((turn, now, until));
            }
            if let Some((_, _, until)) = &visitor.request {
                next = next.min(*until);
            }
        }
        assert!(dispatcher.running() <= places);
        now = next.max(now.saturating_add(Duration::from_millis(20)));
    }
    let (mut first, mut count) = (0, 0);
    for visitor in visitors.iter().filter(|visitor| visitor.manner.is_good) {
        let page = visitor.done.get(1).copied().unwrap_or(end);
        first = first.max(page.saturating_since(start).as_secs());
        let is_counted = |done: &&Timestamp| **done >= after(settled);
        count += visitor.done.iter().filter(is_counted).count();
    }
    let requests = visitors.into_iter().filter_map(|visitor| visitor.request);
    requests.for_each(|(turn, ..)| turn.revoke());
    (first, count)
}

/// 40 good hosts in the middle of `hostile` others.
fn beside(hostile: usize) -> Vec<Manner> {
    let kinds = [
        Manner::hostile(30_000, &[590_000]),
        Manner::hostile(100, &[590_000]),
        // Large files.
        Manner::hostile(12_000, &[12_000]),
    ];
    let mut manners: Vec<Manner> = kinds.iter().cycle().take(hostile).cloned().collect();
    let good = std::iter::repeat_n(Manner::good(100), 40);
    manners.splice(hostile / 2..hostile / 2, good);
    manners
}

#[test]
fn hosts_that_are_slow_hold_nobody_up() {
    let (_, alone) = crowd(32, &beside(0), 300, 480);
    for hostile in [40, 400] {
        let (first, count) = crowd(32, &beside(hostile), 300, 480);
        assert!(first <= 60, "{hostile}: {first} s");
        assert!(count * 10 >= alone * 9, "{hostile}: {count} of {alone}");
    }
}

fn hostile() -> impl Strategy<Value = Manner> {
    let robots = prop_oneof![50_u64..500, 500..10_000_u64, 10_000..30_000_u64];
    let page = prop_oneof![3 => 11_000..60_000_u64, 2 => 60_000..600_000_u64, 1 => 50..1_000_u64];
    let pages = prop::collection::vec(page, 1..4).prop_filter("a good one", |pages| {
        pages.iter().any(|page| *page > 10_000)
    });
    (robots, pages).prop_map(|(robots, pages)| Manner::hostile(robots, &pages))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn whatever_slow_hosts_do_the_good_ones_are_served(
        places in 8_usize..64,
        slow in prop::collection::vec(hostile(), 1..240),
        good in prop::collection::vec((50_u64..500, any::<prop::sample::Index>()), 1..20),
    ) {
        let mut manners = slow.clone();
        let mut alone = Vec::new();
        for (time, place) in &good {
            alone.push(Manner::good(*time));
            manners.insert(place.index(manners.len() + 1), Manner::good(*time));
        }
        let (_, most) = crowd(places, &alone, 180, 300);
        let (first, count) = crowd(places, &manners, 180, 300);
        // As `PoliteClientBuilder::max_in_flight` has it, and the gap between the two requests.
        let bound = 30.max(2 * slow.len() / places) + 30.max(slow.len() / places) + 2;
        prop_assert!(first <= bound as u64, "first pages within {} s of {}", first, bound);
        prop_assert!(count * 10 >= most * 9, "{} of {} requests", count, most);
    }
}
