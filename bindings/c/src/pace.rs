//! The paces of many hosts: when each may be asked next, and what an answer does to that.

use std::ffi::c_char;
use std::sync::Mutex;

use polite_robots_policy::{HostId, Origin, Profile, Reply, Scheduler, Timestamp, Turn};

use crate::cache::{POLITE_NEVER, lock, origin};
use crate::error::{null, polite_result};
use crate::profile::polite_policy;
use crate::reply::{headers, net_error, polite_header, signal};
use crate::robot::polite_robot;
use crate::saved;
use crate::sized::write_sized;
use crate::text::polite_str;

/// The paces of the hosts of a crawl: one request of a host at a time, and a gap after it. All
/// requests count, those for robots.txt too. A host is forgotten once a new host in its place would
/// get no turn earlier.
///
/// Any number of threads may use one pace at the same time: there is a lock inside, which is held
/// only during each call. Free it once with `polite_pace_free`, when no thread uses it any more.
#[derive(Debug)]
pub struct polite_pace(Mutex<Hosts>);

#[derive(Debug)]
struct Hosts {
    scheduler: Scheduler,
    /// The number of hosts at which the hosts that can be forgotten are looked for.
    sweep_at: usize,
}

/// Whether a host may be asked.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_turn_kind {
    /// There was nothing to ask; no turn.
    POLITE_TURN_NONE = 0,
    /// Now.
    POLITE_TURN_READY = 1,
    /// Not before `until_ms`.
    POLITE_TURN_NOT_BEFORE = 2,
    /// After the end of a request that is under way.
    POLITE_TURN_BUSY = 3,
    /// Never: the policy leaves this host out for its long `Crawl-delay`.
    POLITE_TURN_SKIP = 4,
}

/// The turn of a host. Set `size` before each call, which lets the struct grow: `polite_turn turn =
/// {.size = sizeof turn};`.
///
/// A plain value of the caller, with nothing to be freed. Threads need one each while it is
/// written.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct polite_turn {
    /// `sizeof(polite_turn)` of the caller. Nothing beyond it is written.
    pub size: u32,
    /// A `polite_turn_kind`.
    pub turn: u8,
    /// Zeros.
    pub reserved: [u8; 3],
    /// The time of `POLITE_TURN_NOT_BEFORE`, in milliseconds since 1970; `POLITE_NEVER` for never.
    /// 0 otherwise.
    pub until_ms: u64,
}

/// The paces of a crawl that begins: each host is ready at once.
///
/// On `POLITE_OK`, `*out` is a new pace that the caller frees with `polite_pace_free`. `policy` may
/// be NULL. Fails with `POLITE_NULL` if `out` is NULL. Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_pace_new(
    policy: *const polite_policy,
    out: *mut *mut polite_pace,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        if out.is_null() {
            return null("the place for the pace");
        }
        // SAFETY: the caller gives a policy of the size that they state, or NULL.
        let profile = unsafe { polite_policy::read(policy) }.profile();
        let pace = Box::new(polite_pace(Mutex::new(Hosts::new(profile))));
        // SAFETY: the caller gives a writable place, which is not NULL.
        unsafe { out.write(Box::into_raw(pace)) };
        polite_result::POLITE_OK
    })
}

/// Whether the host of a URL may be asked. Another thread or a new `Crawl-delay` may change that
/// before the request begins, so `polite_pace_start` answers again.
///
/// Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the pace is NULL. `out` may be NULL.
/// Thread-safe, also with one pace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_pace_turn(
    pace: *mut polite_pace,
    url: *const c_char,
    length: usize,
    now_ms: u64,
    out: *mut polite_turn,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        let now = Timestamp::from_millis(now_ms);
        let ask = |hosts: &mut Hosts, host, _: &Origin| {
            let turn = polite_turn::new(hosts.scheduler.turn(host, now));
            // SAFETY: the caller gives a place of the size that they state, or NULL.
            unsafe { write_sized(turn, out) };
        };
        // SAFETY: the caller gives a pace that is not freed yet or NULL, and readable bytes.
        unsafe { with_host(pace, polite_str { data: url, length }, now, ask) }
    })
}

/// Whether the host of a URL may be asked, and if so, notes that the request has begun: only one of
/// several threads that wait gets the turn. The request ends by `polite_pace_response`, `_failed`
/// or `_cancel`, or after the ten minutes of its lease.
///
/// Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the pace or `out` is NULL.
/// Thread-safe, also with one pace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_pace_start(
    pace: *mut polite_pace,
    url: *const c_char,
    length: usize,
    now_ms: u64,
    out: *mut polite_turn,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        if out.is_null() {
            return null("the place for the turn");
        }
        let now = Timestamp::from_millis(now_ms);
        let ask = |hosts: &mut Hosts, host, _: &Origin| {
            let turn = hosts.scheduler.turn(host, now);
            if turn == Turn::Ready {
                hosts.scheduler.handle_start(host, now);
            }
            // SAFETY: the caller gives a place of the size that they state.
            unsafe { write_sized(polite_turn::new(turn), out) };
        };
        // SAFETY: the caller gives a pace that is not freed yet or NULL, and readable bytes.
        unsafe { with_host(pace, polite_str { data: url, length }, now, ask) }
    })
}

/// Notes the end of a request: its status, and the waits that its header asks for. `signal` is a
/// `polite_signal`, and `started_ms` the time that was given to `polite_pace_start`.
///
/// `headers` may be NULL if there are none. Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL`
/// if the pace is NULL. Thread-safe, also with one pace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_pace_response(
    pace: *mut polite_pace,
    url: *const c_char,
    length: usize,
    status: u16,
    headers: *const polite_header,
    count: usize,
    signal: u8,
    started_ms: u64,
    now_ms: u64,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        let now = Timestamp::from_millis(now_ms);
        let started = Timestamp::from_millis(started_ms);
        // SAFETY: the caller gives `count` readable fields, or NULL.
        let headers = unsafe { self::headers(headers, count) };
        let reply = Reply::of_headers(status, &headers, started, now);
        let reply = reply.with_signal(self::signal(signal));
        let end =
            |hosts: &mut Hosts, host, _: &Origin| hosts.scheduler.handle_reply(host, reply, now);
        // SAFETY: the caller gives a pace that is not freed yet or NULL, and readable bytes.
        unsafe { with_host(pace, polite_str { data: url, length }, now, end) }
    })
}

/// Notes that a request ended without a response. `error` is a `polite_net_error`, and `started_ms`
/// the time that was given to `polite_pace_start`.
///
/// Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the pace is NULL. Thread-safe, also
/// with one pace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_pace_failed(
    pace: *mut polite_pace,
    url: *const c_char,
    length: usize,
    error: u8,
    started_ms: u64,
    now_ms: u64,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        let now = Timestamp::from_millis(now_ms);
        let reply = Reply::new(Err(net_error(error)), Timestamp::from_millis(started_ms));
        let end =
            |hosts: &mut Hosts, host, _: &Origin| hosts.scheduler.handle_reply(host, reply, now);
        // SAFETY: the caller gives a pace that is not freed yet or NULL, and readable bytes.
        unsafe { with_host(pace, polite_str { data: url, length }, now, end) }
    })
}

/// Ends a request that the crawler gave up or never sent: the gap is kept, and the host is not to
/// blame. Nothing changes if none is under way.
///
/// Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the pace is NULL. Thread-safe, also
/// with one pace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_pace_cancel(
    pace: *mut polite_pace,
    url: *const c_char,
    length: usize,
    now_ms: u64,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        let now = Timestamp::from_millis(now_ms);
        let end = |hosts: &mut Hosts, host, _: &Origin| hosts.scheduler.handle_cancelled(host, now);
        // SAFETY: the caller gives a pace that is not freed yet or NULL, and readable bytes.
        unsafe { with_host(pace, polite_str { data: url, length }, now, end) }
    })
}

/// Sets the `Crawl-delay` that the rules of a URL's site ask for: those of the robot that
/// `polite_cache_ask` gave. The longest of the sites of a host counts.
///
/// A robot that is NULL has none. Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the
/// pace is NULL. Thread-safe, also with one pace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_pace_crawl_delay(
    pace: *mut polite_pace,
    url: *const c_char,
    length: usize,
    robot: *const polite_robot,
    now_ms: u64,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller gives a robot that is not freed yet, or NULL.
        let robot = unsafe { robot.as_ref() };
        let delay = robot.and_then(|robot| robot.0.crawl_delay());
        let set = |hosts: &mut Hosts, host, origin: &Origin| {
            hosts.scheduler.set_crawl_delay(host, origin, delay);
        };
        let now = Timestamp::from_millis(now_ms);
        // SAFETY: the caller gives a pace that is not freed yet or NULL, and readable bytes.
        unsafe { with_host(pace, polite_str { data: url, length }, now, set) }
    })
}

/// Saves the paces of all hosts, to go on after a restart. Requests under way end with it, and
/// their gaps are kept.
///
/// On `POLITE_OK`, `*data` are `*length` new bytes that the caller frees with `polite_saved_free`.
/// Fails with `POLITE_NULL` if the pace or a place is NULL. Thread-safe, also with one pace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_pace_save(
    pace: *mut polite_pace,
    now_ms: u64,
    data: *mut *mut c_char,
    length: *mut usize,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller gives a pace that is not freed yet, or NULL.
        let Some(pace) = (unsafe { pace.as_ref() }) else {
            return null("the pace");
        };
        let mut hosts = lock(&pace.0);
        // The requests under way end at the newest time that the scheduler has seen.
        hosts.scheduler.next_ready(Timestamp::from_millis(now_ms));
        // SAFETY: the caller gives writable places, or NULL.
        unsafe { saved::save(&hosts.scheduler, data, length) }
    })
}

/// Loads the bytes that `polite_pace_save` gave, with their policy, in place of everything that is
/// known here.
///
/// Fails with `POLITE_INVALID_SAVED` for other bytes, which change nothing, and with `POLITE_NULL`
/// if the pace is NULL. Thread-safe, also with one pace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_pace_load(
    pace: *mut polite_pace,
    data: *const c_char,
    length: usize,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller gives a pace that is not freed yet, or NULL.
        let Some(pace) = (unsafe { pace.as_ref() }) else {
            return null("the pace");
        };
        // SAFETY: the caller gives readable bytes.
        match unsafe { saved::load(polite_str { data, length }) } {
            Ok(scheduler) => {
                lock(&pace.0).scheduler = scheduler;
                polite_result::POLITE_OK
            }
            Err(result) => result,
        }
    })
}

/// Frees a pace. Nothing happens for NULL. Thread-safe, once for each pace and after its last use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_pace_free(pace: *mut polite_pace) {
    guard!((), {
        if !pace.is_null() {
            // SAFETY: the caller gives a pace of `polite_pace_new`, for the first and last time.
            drop(unsafe { Box::from_raw(pace) });
        }
    });
}

/// Calls a function with the host of a URL, under the lock.
///
/// # Safety
///
/// `pace` is NULL or a pace that is not freed yet, and the bytes of `url` are readable.
unsafe fn with_host(
    pace: *mut polite_pace,
    url: polite_str,
    now: Timestamp,
    call: impl FnOnce(&mut Hosts, HostId, &Origin),
) -> polite_result {
    // SAFETY: the caller promises it.
    let Some(pace) = (unsafe { pace.as_ref() }) else {
        return null("the pace");
    };
    // SAFETY: the caller promises it.
    match unsafe { origin(url) } {
        Ok(origin) => {
            let mut hosts = lock(&pace.0);
            let host = hosts.find(&origin, now);
            call(&mut hosts, host, &origin);
            polite_result::POLITE_OK
        }
        Err(result) => result,
    }
}

impl Hosts {
    fn new(profile: Profile) -> Hosts {
        Hosts {
            scheduler: Scheduler::new(profile),
            sweep_at: FEWEST_TO_SWEEP,
        }
    }

    fn find(&mut self, origin: &Origin, now: Timestamp) -> HostId {
        // Hosts are idle here, so none is ready; the call ends leases and removals that are over.
        self.scheduler.next_ready(now);
        if self.scheduler.len() >= self.sweep_at {
            let hosts: Vec<HostId> = self.scheduler.hosts().collect();
            for host in hosts {
                if self.scheduler.is_as_new(host, now) {
                    self.scheduler.remove(host);
                }
            }
            // So that a sweep costs no more than the insertions before it.
            self.sweep_at = FEWEST_TO_SWEEP.max(2 * self.scheduler.len());
        }
        let host = self.scheduler.insert(origin.host(), None);
        self.scheduler.set_idle(host);
        host
    }
}

const FEWEST_TO_SWEEP: usize = 1024;

impl polite_turn {
    fn new(turn: Turn) -> polite_turn {
        let (turn, until_ms) = match turn {
            Turn::Ready => (polite_turn_kind::POLITE_TURN_READY, 0),
            Turn::NotBefore(Timestamp::MAX) => {
                (polite_turn_kind::POLITE_TURN_NOT_BEFORE, POLITE_NEVER)
            }
            Turn::NotBefore(until) => (polite_turn_kind::POLITE_TURN_NOT_BEFORE, until.as_millis()),
            Turn::Skip => (polite_turn_kind::POLITE_TURN_SKIP, 0),
            // `Turn::Busy`; there are no others.
            _ => (polite_turn_kind::POLITE_TURN_BUSY, 0),
        };
        polite_turn {
            size: 0,
            turn: turn as u8,
            reserved: [0; 3],
            until_ms,
        }
    }
}
