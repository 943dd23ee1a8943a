//! Callers that come at once, wait for each other, and go away in the middle of a fetch.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use polite_robots_policy::{Cache, Profile, RobotsCache, RobotsResponse, block_on};
use proptest::prelude::*;

use super::super::naive::MINUTE;
use super::super::together::law_cases::law_cases;
use super::{Answer, Clock, file, status};

/// A network whose answers come when the test lets them.
#[derive(Debug, Clone, Default)]
pub(super) struct Network(Arc<Mutex<Requests>>);

#[derive(Debug, Default)]
struct Requests {
    /// The number of requests in all.
    sent: usize,
    /// The requests under way, by number.
    open: BTreeMap<usize, Open>,
}

#[derive(Debug)]
struct Open {
    url: String,
    answer: Option<Answer>,
    waker: Option<Waker>,
}

pub(super) struct Request {
    network: Network,
    number: usize,
}

impl Network {
    pub(super) fn fetch(&self) -> impl Fn(String) -> Request + use<> {
        let network = self.clone();
        move |url| {
            let mut requests = network.0.lock().unwrap();
            requests.sent += 1;
            let number = requests.sent;
            let (answer, waker) = (None, None);
            requests.open.insert(number, Open { url, answer, waker });
            Request {
                network: network.clone(),
                number,
            }
        }
    }

    pub(super) fn sent(&self) -> usize {
        self.0.lock().unwrap().sent
    }

    /// The URLs of the requests under way.
    pub(super) fn open(&self) -> Vec<String> {
        let requests = self.0.lock().unwrap();
        let urls = requests.open.values().map(|open| open.url.clone());
        let mut urls: Vec<String> = urls.collect();
        urls.sort();
        urls
    }

    /// Answers one of the requests under way, chosen by `choice` modulo their count, and returns
    /// its URL.
    pub(super) fn answer(&self, choice: usize, answer: Answer) -> Option<String> {
        let mut requests = self.0.lock().unwrap();
        let count = requests.open.len();
        let open = requests.open.values_mut().nth(choice % count.max(1))?;
        open.answer = Some(answer);
        let (url, waker) = (open.url.clone(), open.waker.take());
        drop(requests);
        waker.into_iter().for_each(Waker::wake);
        Some(url)
    }
}

impl Future for Request {
    type Output = Answer;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Answer> {
        let mut requests = self.network.0.lock().unwrap();
        let open = requests.open.get_mut(&self.number).unwrap();
        open.waker = Some(context.waker().clone());
        open.answer.take().map_or(Poll::Pending, Poll::Ready)
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        self.network.0.lock().unwrap().open.remove(&self.number);
    }
}

/// Callers that are polled only when they are woken, as by an executor.
#[derive(Default)]
struct Callers<'c> {
    tasks: Vec<(Arc<Sign>, Option<Task<'c>>)>,
}

type Task<'c> = (usize, Pin<Box<dyn Future<Output = bool> + 'c>>);

struct Sign(AtomicBool);

impl Wake for Sign {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<'c> Callers<'c> {
    fn add(&mut self, host: usize, call: impl Future<Output = bool> + 'c) {
        let sign = Arc::new(Sign(AtomicBool::new(true)));
        self.tasks.push((sign, Some((host, Box::pin(call)))));
    }

    /// Polls until no task is woken any more, and returns the answers that came, each with its
    /// host. A task that panics is removed.
    fn run(&mut self) -> Vec<(usize, bool)> {
        let mut answers = Vec::new();
        let mut is_idle = false;
        while !is_idle {
            is_idle = true;
            for (sign, task) in &mut self.tasks {
                if !sign.0.swap(false, Ordering::Relaxed) {
                    continue;
                }
                is_idle = false;
                let waker = Waker::from(Arc::clone(sign));
                let mut context = Context::from_waker(&waker);
                let Some((host, call)) = task else {
                    continue;
                };
                match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(&mut context))) {
                    Ok(Poll::Pending) => {}
                    Ok(Poll::Ready(answer)) => {
                        answers.push((*host, answer));
                        *task = None;
                    }
                    Err(_) => *task = None,
                }
            }
        }
        answers
    }

    fn cancel(&mut self, number: usize) {
        if let Some((_, task)) = self.tasks.get_mut(number) {
            *task = None;
        }
    }

    /// The hosts of the callers that have no answer.
    fn waiting(&self) -> Vec<usize> {
        let tasks = self.tasks.iter().filter_map(|(_, task)| task.as_ref());
        tasks.map(|(host, _)| *host).collect()
    }
}

#[test]
fn a_hundred_callers_share_a_fetch_and_a_third_may_go() {
    let network = Network::default();
    let robots = RobotsCache::new("ExampleBot", network.fetch()).unwrap();
    let mut callers = Callers::default();
    for number in 0..100 {
        let url = format!("https://a.test/{number}");
        let robots = &robots;
        callers.add(0, async move { robots.allowed(&url).await.unwrap() });
    }
    assert!(callers.run().is_empty());
    assert_eq!(network.open(), ["https://a.test/robots.txt"]);
    // The first of these callers fetches. Another caller takes over.
    for number in (0..100).step_by(3) {
        callers.cancel(number);
    }
    assert!(callers.run().is_empty());
    assert_eq!((network.open().len(), network.sent()), (1, 2));
    // Callers of another site do not wait for it.
    let other = async || robots.allowed("https://b.test/").await.unwrap();
    callers.add(1, other());
    assert!(callers.run().is_empty());
    network.answer(1, file("User-agent: *\nDisallow: /private"));
    assert_eq!(callers.run(), [(1, true)]);
    network.answer(0, file("User-agent: *\nDisallow: /1"));
    let answers = callers.run();
    assert_eq!(answers.len(), 66);
    // The callers 1 and 10 to 19 are refused, except for those that went away.
    assert_eq!(answers.iter().filter(|(_, allowed)| !*allowed).count(), 8);
    assert_eq!((network.sent(), callers.waiting().len()), (3, 0));
}

/// A move of a test with random ones.
#[derive(Debug, Clone)]
enum Move {
    Ask(usize),
    Cancel(usize),
    Answer(usize, u16),
    Pass(u64),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        6 => (0..4_usize).prop_map(Move::Ask),
        3 => (0..40_usize).prop_map(Move::Cancel),
        3 => (0..8_usize, prop::sample::select(vec![200, 200, 302, 404, 429, 503]))
            .prop_map(|(choice, status)| Move::Answer(choice, status)),
        1 => prop::sample::select(vec![1_u64, 3_000, 300_000, 86_400_000]).prop_map(Move::Pass),
    ];
    prop::collection::vec(one, 1..60)
}

proptest! {
    #![proptest_config(law_cases(100))]

    /// Whatever happens, an origin has one fetch at a time, nobody waits for nothing, and a page is
    /// open only after an answer that opens it.
    #[test]
    fn nobody_waits_for_nothing(moves in moves(), is_ibm: bool) {
        let (network, clock) = (Network::default(), Clock::new());
        let profile = if is_ibm { Profile::ibm() } else { Profile::rfc9309() };
        let cache = Cache::new(profile, &["ExampleBot"], 1 << 20).unwrap();
        let robots = RobotsCache::over(cache, network.fetch()).with_clock(clock.read());
        let mut callers = Callers::default();
        let mut opened = [false; 4];
        for one in moves.into_iter().chain((0..200).map(|_| Move::Answer(0, 503))) {
            match one {
                Move::Ask(host) => {
                    let robots = &robots;
                    callers.add(host, async move {
                        robots.allowed(&format!("https://h{host}.test/page")).await.unwrap()
                    });
                }
                Move::Cancel(number) => callers.cancel(number),
                Move::Answer(choice, number) => {
                    let url = network.answer(choice, match number {
                        200 => file("User-agent: *\nDisallow: /private"),
                        302 => Ok(RobotsResponse::new(302, [("Location", "/r2")], "")),
                        other => status(other),
                    });
                    if let Some(url) = url {
                        // A loop counts as no file (RFC 9309 §2.3.1.2: MAY).
                        let is_loop = number == 302 && url.ends_with("/r2");
                        opened[host_of(&url)] |= [200, 404].contains(&number) || is_loop;
                    }
                }
                // A fetch that takes longer than the lease of its ticket is given up.
                Move::Pass(time) if network.open().is_empty() => clock.advance(time),
                Move::Pass(_) => clock.advance(3_000),
            }
            for (host, allowed) in callers.run() {
                prop_assert!(!allowed || opened[host], "{host} is open");
            }
            let open = network.open();
            let mut hosts: Vec<usize> = open.iter().map(|url| host_of(url)).collect();
            hosts.dedup();
            prop_assert_eq!(hosts.len(), open.len(), "two fetches of one origin");
            for host in callers.waiting() {
                prop_assert!(hosts.contains(&host), "{} waits for nothing", host);
            }
        }
        prop_assert_eq!(callers.waiting(), Vec::<usize>::new());
    }
}

/// The number of the host in a URL such as `https://h3.test/robots.txt`. Redirects stay at the
/// host.
fn host_of(url: &str) -> usize {
    usize::from(url.as_bytes()[9] - b'0')
}

/// A round that goes on after a long pause is still one round.
#[test]
fn callers_share_a_round_that_goes_on() {
    let (network, clock) = (Network::default(), Clock::new());
    let cache = Cache::new(Profile::ibm(), &["ExampleBot"], 1 << 20).unwrap();
    let robots = RobotsCache::over(cache, network.fetch()).with_clock(clock.read());
    let mut callers = Callers::default();
    let call = async || robots.allowed("https://h0.test/").await.unwrap();
    callers.add(0, call());
    callers.run();
    network.answer(0, status(500));
    assert_eq!(callers.run(), [(0, false)]);
    clock.advance(15 * MINUTE);
    for _ in 0..3 {
        callers.add(0, call());
        assert!(callers.run().is_empty());
        assert_eq!(network.open().len(), 1);
    }
    network.answer(0, file(""));
    assert_eq!(callers.run(), [(0, true); 3]);
}

/// A fetch that takes longer than the lease of its ticket is given up. Its end does not end the
/// round that took its place.
#[test]
fn a_fetch_that_was_given_up_ends_no_other_round() {
    let (network, clock) = (Network::default(), Clock::new());
    let robots = RobotsCache::new("ExampleBot", network.fetch()).unwrap();
    let robots = robots.with_clock(clock.read());
    let mut callers = Callers::default();
    let call = async || robots.allowed("https://h0.test/").await.unwrap();
    for pause in [0, 0, 11 * MINUTE, 0] {
        clock.advance(pause);
        callers.add(0, call());
        assert!(callers.run().is_empty());
    }
    assert_eq!(network.open().len(), 2);
    // The answer of the first fetch comes too late, so all callers wait for the second one.
    network.answer(0, status(404));
    assert!(callers.run().is_empty());
    network.answer(0, file("User-agent: *\nDisallow: /"));
    assert_eq!(callers.run(), [(0, false); 4]);
    assert_eq!(network.sent(), 2);
}

#[test]
fn a_fetch_that_panics_ends_its_round() {
    let calls = AtomicUsize::new(0);
    let robots = RobotsCache::new("ExampleBot", |_| {
        let call = calls.fetch_add(1, Ordering::Relaxed);
        async move {
            // The other callers begin to wait meanwhile.
            yield_once().await;
            assert!(call > 0, "a fault of the function");
            file("")
        }
    });
    let robots = robots.unwrap();
    let mut callers = Callers::default();
    let call = async || robots.allowed("https://a.test/").await.unwrap();
    (0..10).for_each(|_| callers.add(0, call()));
    assert_eq!(callers.run(), [(0, true); 9]);
    assert_eq!(calls.load(Ordering::Relaxed), 2);
}

/// Lets the other tasks run.
async fn yield_once() {
    let mut is_first = true;
    std::future::poll_fn(|context| {
        if std::mem::take(&mut is_first) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    })
    .await;
}

/// Threads without an executor sleep until the one that fetches has the answer.
#[test]
fn threads_share_a_fetch() {
    const THREADS: usize = 20;

    let calls = AtomicUsize::new(0);
    let robots = RobotsCache::new("ExampleBot", |_| {
        calls.fetch_add(1, Ordering::Relaxed);
        thread::sleep(Duration::from_millis(50));
        async { file("User-agent: *\nDisallow: /3") }
    });
    let (robots, barrier) = (robots.unwrap(), Barrier::new(THREADS));
    thread::scope(|scope| {
        for number in 0..THREADS {
            let (robots, barrier) = (&robots, &barrier);
            scope.spawn(move || {
                barrier.wait();
                let url = format!("https://a.test/{number}");
                assert_eq!(block_on(robots.allowed(&url)), Ok(number != 3));
            });
        }
    });
    assert_eq!(calls.into_inner(), 1);
}

/// A call within a future does not swallow a wake-up of the outer future.
#[test]
fn a_thread_may_run_one_future_within_another() {
    let robots = RobotsCache::new("ExampleBot", |_| async { status(404) }).unwrap();
    let inner = || block_on(robots.allowed("https://a.test/")).unwrap();
    let outer = block_on(async {
        thread::current().unpark();
        yield_once().await;
        let answer = inner();
        yield_once().await;
        answer
    });
    assert!(outer);
}

/// The futures are `Send` if those of the function are, but they need not be.
#[test]
fn futures_are_what_the_function_makes_them() {
    fn send<T: Send>(value: T) -> T {
        value
    }
    let robots = send(RobotsCache::new("ExampleBot", |_| async { status(404) }).unwrap());
    let robots = Arc::new(robots);
    let shared = Arc::clone(&robots);
    let task = send(async move { shared.check("https://a.test/").await.unwrap().allowed });
    assert!(thread::spawn(|| block_on(task)).join().unwrap());
    let robots = RobotsCache::new("ExampleBot", |_| async {
        let empty = RobotsResponse::new(200, [("Server", "suite")], "");
        let chunks = ["User-agent: *\nDis", "allow: /"].into_iter();
        empty
            .with_chunks(chunks, |mut chunks| async { Ok((chunks.next(), chunks)) })
            .await
    });
    let task = send(async move { robots.unwrap().allowed("https://a.test/").await });
    assert_eq!(block_on(task), Ok(false));

    let calls = Rc::new(AtomicUsize::new(0));
    let counted = Rc::clone(&calls);
    let robots = RobotsCache::new("ExampleBot", move |_| {
        let counted = Rc::clone(&counted);
        async move {
            counted.fetch_add(1, Ordering::Relaxed);
            status(404)
        }
    });
    let allowed = block_on(robots.unwrap().allowed("https://a.test/"));
    assert_eq!(allowed, Ok(true));
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}
