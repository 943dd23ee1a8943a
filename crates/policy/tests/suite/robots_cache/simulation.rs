//! Pages of many hosts that wait for their turns, in virtual time. A third of the calls are
//! dropped, and the judge of whole crawls sees what came to the sites.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use polite_robots_policy::{Cache, RobotsCache, RobotsResponse};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::laws::START;
use super::super::together::crawl_laws::{outages, presets, sketches, world};
use super::super::together::judge::{Exchange, Memory, Reply, Terms, Violations};
use super::super::together::law_cases::law_cases;
use super::super::together::world::{Answer, DAY, Path, Preset, SECOND, World, path_of_page};
use super::Clock;

/// The sites, and what they have seen.
struct Network {
    world: World,
    clock: Clock,
    log: RefCell<Vec<Vec<Exchange>>>,
    attempts: RefCell<HashMap<(usize, u8, u32), u32>>,
    /// The callers that sleep, and until when.
    asleep: RefCell<Vec<(u64, Waker)>>,
    /// The number of calls that wait for the machine.
    waiting: Cell<usize>,
    /// The number of requests for robots.txt under way.
    asking: Cell<usize>,
}

impl Network {
    /// Milliseconds since the start.
    fn now(&self) -> u64 {
        self.clock.now() - START
    }

    async fn sleep_until(&self, until: u64) {
        std::future::poll_fn(|context| {
            if self.now() >= until {
                return Poll::Ready(());
            }
            let sleeper = (until, context.waker().clone());
            self.asleep.borrow_mut().push(sleeper);
            Poll::Pending
        })
        .await;
    }

    /// Wakes those whose time has come, and gives the time of the next one.
    fn wake(&self) -> Option<u64> {
        let now = self.now();
        let mut asleep = self.asleep.borrow_mut();
        asleep.retain(|(until, waker)| {
            if *until <= now {
                waker.wake_by_ref();
            }
            *until > now
        });
        asleep.iter().map(|(until, _)| *until).min()
    }

    async fn request(&self, site: usize, authority: u8, path: Path) -> Answer {
        let start = self.now();
        let mut attempt = 0;
        if let Path::Page(page) = path {
            let mut attempts = self.attempts.borrow_mut();
            let attempts = attempts.entry((site, authority, page)).or_default();
            attempt = *attempts;
            *attempts += 1;
        }
        let answer = self.world.answer(site, authority, path, attempt, start);
        let mut open = Open {
            network: self,
            site,
            exchange: Exchange {
                authority,
                path,
                start,
                end: start,
                reply: Reply::Dropped,
                retry_after: answer.retry_after,
            },
        };
        self.sleep_until(start + self.world.sites[site].latency)
            .await;
        open.exchange.reply = answer.result.map_or(Reply::NoResponse, Reply::Status);
        answer
    }

    async fn robots(&self, url: &str) -> super::Answer {
        let _asking = Counted::new(&self.asking);
        let (site, authority, path) = self.world.resolve(url);
        let answer = self.request(site, authority, path).await;
        let status = answer.result?;
        let headers = headers(&answer);
        Ok(RobotsResponse::new(status, headers, answer.body))
    }
}

/// A request that the site sees until its end, or until its caller is dropped.
struct Open<'n> {
    network: &'n Network,
    site: usize,
    exchange: Exchange,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.exchange.end = self.network.now();
        let mut log = self.network.log.borrow_mut();
        log[self.site].push(self.exchange);
    }
}

fn headers(answer: &Answer) -> Vec<(&'static str, String)> {
    let max_age = answer.max_age.map(|age| format!("max-age={}", age / 1_000));
    let retry_after = (answer.retry_after > 0).then(|| answer.retry_after.to_string());
    let fields = [
        ("Cache-Control", max_age),
        ("Location", answer.location.clone()),
        ("Retry-After", retry_after),
    ];
    let fields = fields.into_iter();
    fields
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

/// One page of one origin.
#[derive(Debug, Clone, Copy)]
struct Page {
    site: usize,
    authority: u8,
    number: u32,
}

/// Asks for a page until it is fetched or a rule disallows it.
async fn page<A>(network: &Network, robots: &RobotsCache<impl Fn(String) -> A>, page: Page)
where
    A: Future<Output = super::Answer>,
{
    let site = &network.world.sites[page.site];
    let scheme = site.authorities[usize::from(page.authority)].scheme;
    let url = format!("{scheme}://{}{}", site.host, path_of_page(page.number));
    loop {
        let waiting = Counted::new(&network.waiting);
        let permit = robots.wait(&url).await.unwrap();
        drop(waiting);
        if permit.closed {
            let again = permit.retry_at.map(|again| again.as_millis() - START);
            // A site that was given up is closed for ever.
            let Some(again) = again else { return };
            network.sleep_until(again.max(network.now() + SECOND)).await;
        } else if !permit.allowed {
            return;
        } else {
            let path = Path::Page(page.number);
            let answer = network.request(page.site, page.authority, path).await;
            match answer.result {
                Ok(status) => permit.finish(status, headers(&answer)),
                Err(error) => permit.fail(error),
            }
            if answer
                .result
                .is_ok_and(|status| status < 500 && status != 429)
            {
                return;
            }
        }
    }
}

/// One of those that are counted, until its drop.
struct Counted<'n>(&'n Cell<usize>);

impl Counted<'_> {
    fn new(count: &Cell<usize>) -> Counted<'_> {
        count.set(count.get() + 1);
        Counted(count)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

struct Sign(AtomicBool);

impl Wake for Sign {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct Task<'n> {
    page: Page,
    call: Option<Pin<Box<dyn Future<Output = ()> + 'n>>>,
    sign: Arc<Sign>,
    /// The time at which the call is dropped and made again.
    cut_at: Option<u64>,
}

/// Numbers that look random (a linear congruential generator, Knuth's MMIX).
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// Crawls all pages of a world, and judges the requests.
fn crawl(world: World, preset: Preset, max_wait: u64, dice: &mut Dice) -> Violations {
    let clock = Clock::new();
    let network = Rc::new(Network {
        log: RefCell::new(vec![Vec::new(); world.sites.len()]),
        world,
        clock: clock.clone(),
        attempts: RefCell::default(),
        asleep: RefCell::default(),
        waiting: Cell::default(),
        asking: Cell::default(),
    });
    let cache = Cache::new(preset.profile(), &["ExampleBot"], 64 << 20).unwrap();
    let fetching = Rc::clone(&network);
    let robots = RobotsCache::over(cache, move |url: String| {
        let network = Rc::clone(&fetching);
        async move { network.robots(&url).await }
    });
    let robots = robots
        .with_clock(clock.read())
        .with_max_wait(Duration::from_secs(max_wait));
    let call = |one| -> Option<Pin<Box<dyn Future<Output = ()>>>> {
        Some(Box::pin(page(&network, &robots, one)))
    };
    let mut tasks = Vec::new();
    for (site, found) in network.world.sites.iter().enumerate() {
        for (authority, origin) in (0..).zip(&found.authorities) {
            for number in 0..origin.pages {
                let page = Page {
                    site,
                    authority,
                    number,
                };
                // A third of the calls are dropped, at once, in a line, or in a request.
                let scale = [50, 5 * SECOND, 60 * SECOND][dice.below(3) as usize];
                let cut_at = (dice.below(3) == 0).then(|| dice.below(scale));
                let sign = Arc::new(Sign(AtomicBool::new(true)));
                tasks.push(Task {
                    page,
                    call: call(page),
                    sign,
                    cut_at,
                });
            }
        }
    }
    // A site that always fails keeps the crawl from finishing.
    let end = network.world.recovery() + 2 * DAY;
    while network.now() < end && tasks.iter().any(|task| task.call.is_some()) {
        while poll(&mut tasks) {}
        let now = network.now();
        for task in &mut tasks {
            // A round of IBM's that lost a request begins anew for the judge, and goes on here.
            let is_spared = preset == Preset::Ibm && network.asking.get() > 0;
            let is_cut = task.cut_at.is_some_and(|cut_at| cut_at <= now) && !is_spared;
            if is_cut && task.call.take().is_some() {
                task.cut_at = None;
                task.call = call(task.page);
                task.sign.0.store(true, Ordering::Relaxed);
            }
        }
        while poll(&mut tasks) {}
        let cut_at = tasks
            .iter()
            .filter_map(|task| task.call.as_ref().and(task.cut_at))
            .min();
        let next = network.wake().into_iter().chain(cut_at).min();
        // Nobody says when the machine has its next step.
        let step = if network.waiting.get() > 0 {
            now + STEP
        } else {
            end
        };
        let next = next.unwrap_or(end).min(step).max(now + 1);
        clock.advance(next - now);
        network.wake();
        // It takes the steps whose time has come.
        robots.with_cache(|_| ());
    }
    drop(tasks);
    let mut log = network.log.take();
    for exchanges in &mut log {
        exchanges.sort_by_key(|exchange| exchange.start);
    }
    let terms = Terms::new(preset.profile(), Memory::Unbounded);
    terms.judge(&network.world, &log)
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 6, ..law_cases(24) })]

    /// Outages, redirects, and callers that go away at any time: nothing is lost, and nobody is
    /// asked too early.
    #[test]
    fn waits_that_are_dropped_lose_nothing(
        sketches in vec(sketches(of(outages())), 1..12),
        preset in presets(),
        max_wait in select(vec![5, 30, 30, 300]),
        seed: u64,
    ) {
        let mut world = world(&sketches);
        // The cache does not know which hosts share an address.
        world.sites.iter_mut().for_each(|site| site.address = None);
        let found = crawl(world, preset, max_wait, &mut Dice(seed));
        prop_assert_eq!(found, Violations::none());
    }
}

/// Polls the calls that were woken, and says whether there were any.
fn poll(tasks: &mut [Task<'_>]) -> bool {
    let mut is_busy = false;
    for task in tasks {
        if !task.sign.0.swap(false, Ordering::Relaxed) {
            continue;
        }
        let Some(call) = &mut task.call else { continue };
        is_busy = true;
        let waker = Waker::from(Arc::clone(&task.sign));
        if call
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready()
        {
            task.call = None;
        }
    }
    is_busy
}

/// The time between two looks at the machine, in milliseconds.
const STEP: u64 = 250;
