//! The run: inputs are read and taken apart on every core.
//!
//! Lanes go through the inputs, each with one at a time: a batch is taken apart by all threads while the next is read,
//! so that one large input keeps all of them busy too. Each thread counts into a summary of its own, and a summary
//! adds up the same in any order. Every few seconds all lanes stop between two batches: then the positions and the
//! summaries say the same, and are a part that can be saved.

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelIterator as _, IntoParallelRefMutIterator as _,
    ParallelIterator as _,
};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::batch::{Batch, Item};
use crate::content::{Content, Place, SkipReason};
use crate::depth::Depth;
use crate::error::SurveyError;
use crate::input::Input;
use crate::input::reader::{Chunk, Limits, Position, Reader};
use crate::interrupt::Interrupt;
use crate::panics::{self, Panics, Quiet};
use crate::part::{Part, State};
use crate::summary::Summary;
use polite_robots_audit::printable::printable;

/// The resources of a run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Threads that read and count.
    pub threads: usize,
    /// Bytes that are read at once, about; two batches for each thread must fit in memory.
    pub batch_bytes: usize,
    /// The least time between two saves; `None` saves nothing. Large parts are saved less often.
    pub save_interval: Option<Duration>,
}

/// Whoever watches a run.
pub trait Monitor: Sync {
    /// More bytes of the inputs were read.
    fn advance(&self, bytes: u64);

    /// Something in an input cannot be read; it is counted, and the run goes on.
    fn warn(&self, message: &str);
}

/// Watches nothing.
impl Monitor for () {
    fn advance(&self, _: u64) {}

    fn warn(&self, _: &str) {}
}

/// Reads the inputs that the part has not read yet, until all are done or the interrupt is raised. The counts are in the
/// part, which `save` gets from time to time and at the end.
///
/// # Errors
///
/// If the threads cannot be started, or `save` fails.
pub fn run<E: From<SurveyError>>(
    part: &mut Part,
    plan: &Plan,
    interrupt: &Interrupt,
    monitor: &dyn Monitor,
    mut save: impl FnMut(&Part) -> Result<(), E>,
) -> Result<(), E> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(plan.threads)
        .build()
        .map_err(|source| SurveyError::Threads {
            threads: plan.threads,
            source,
        })?;
    let _quiet = Quiet::new();
    let run = Run::new(part, plan, interrupt, monitor, &pool);
    let mut lanes: Vec<Lane<'_>> = (0..pool.current_num_threads().min(run.inputs.len()))
        .map(|_| Lane {
            run: &run,
            open: None,
        })
        .collect();
    let mut started = Instant::now();
    let mut interval = plan.save_interval;
    loop {
        let until = interval.map(|interval| started + interval);
        pool.install(|| {
            lanes
                .par_iter_mut()
                .with_max_len(1)
                .for_each(|lane| lane.round(until));
        });
        run.collect(part);
        part.timings.seconds += started.elapsed().as_secs_f64();
        started = Instant::now();
        if let Some(least) = plan.save_interval {
            save(part)?;
            // Large parts are saved less often, so that a survey does not spend its time on saving.
            let least_for_work = started.elapsed().saturating_mul(WORK_PER_SAVING);
            interval = Some(match least {
                Duration::ZERO => Duration::ZERO,
                least => least_for_work.max(least),
            });
        }
        if part.is_complete || interrupt.is_raised() {
            return Ok(());
        }
    }
}

/// The state that the lanes share.
struct Run<'r> {
    limits: Limits,
    depth: Depth,
    inputs: Vec<Input>,
    states: Mutex<Vec<State>>,
    /// The first input that no lane has taken.
    next: AtomicUsize,
    /// One for each thread.
    tallies: Vec<Mutex<Tally>>,
    monitor: &'r dyn Monitor,
}

/// The counts of one thread.
#[derive(Debug, Default)]
struct Tally {
    summary: Summary,
    unreadable: u64,
    panics: Panics,
}

impl<'r> Run<'r> {
    fn new(
        part: &Part,
        plan: &Plan,
        interrupt: &Interrupt,
        monitor: &'r dyn Monitor,
        pool: &ThreadPool,
    ) -> Run<'r> {
        Run {
            limits: Limits {
                batch: plan.batch_bytes,
                max_bytes: part.max_bytes,
                interrupt: interrupt.clone(),
            },
            depth: part.depth,
            inputs: part
                .inputs
                .iter()
                .map(|tracked| tracked.input.clone())
                .collect(),
            states: Mutex::new(part.inputs.iter().map(|tracked| tracked.state).collect()),
            next: AtomicUsize::new(0),
            tallies: (0..pool.current_num_threads())
                .map(|_| Mutex::default())
                .collect(),
            monitor,
        }
    }

    /// Moves what was found into the part. Not while a lane runs.
    fn collect(&self, part: &mut Part) {
        for tally in &self.tallies {
            let tally = mem::take(&mut *lock(tally));
            part.summary.merge(tally.summary);
            part.unreadable += tally.unreadable;
            part.panics.merge(tally.panics);
        }
        let states = lock(&self.states);
        for (tracked, state) in part.inputs.iter_mut().zip(states.iter()) {
            tracked.state = *state;
        }
        part.is_complete = states
            .iter()
            .all(|state| matches!(state, State::Done | State::Unreadable { .. }));
    }

    fn set_state(&self, index: usize, state: State) {
        if let Some(of_input) = lock(&self.states).get_mut(index) {
            *of_input = state;
        }
    }

    /// The tally of the current thread.
    fn tally(&self) -> Option<MutexGuard<'_, Tally>> {
        let thread = rayon::current_thread_index().unwrap_or_default();
        self.tallies.get(thread).map(lock)
    }

    fn take_apart(&self, mut batch: Batch) {
        for warning in batch.take_warnings() {
            self.monitor.warn(&warning);
        }
        let (octets, items) = batch.into_parts();
        items
            .into_par_iter()
            .with_min_len(ITEMS)
            .for_each(|item| self.count(item, &octets));
    }

    fn count(&self, item: Item, octets: &[u8]) {
        let Some(mut tally) = self.tally() else {
            return;
        };
        let tally = &mut *tally;
        if let Item::Skipped(passed, place) = item {
            tally.unreadable += u64::from(passed == SkipReason::Unreadable);
            tally
                .summary
                .add(&Content::Skipped(passed, place), self.depth);
            return;
        }
        let place = item.place().clone();
        let panics_before = tally.summary.panics;
        let result = panics::catch(|| {
            let found = item.content(octets, self.limits.max_bytes);
            tally.summary.add(&found, self.depth);
        });
        let message = match result {
            // The summary catches what its measures may do, to count the response all the same.
            Ok(()) if tally.summary.panics == panics_before => return,
            Ok(()) => String::from("see the summary"),
            Err(message) => printable(&message),
        };
        self.monitor.warn(&format!(
            "a panic, which should never be, at {place}: {message}; please report it with this file"
        ));
        tally.panics.add(place);
    }
}

/// Goes through inputs, one at a time.
struct Lane<'r> {
    run: &'r Run<'r>,
    open: Option<Open>,
}

struct Open {
    index: usize,
    reader: Box<dyn Reader>,
    /// Read, but not taken apart.
    ahead: Option<Chunk>,
    octets_read: u64,
}

impl Lane<'_> {
    /// Until it is time to stop, or nothing is left.
    fn round(&mut self, until: Option<Instant>) {
        while self.open.is_some() || self.open_next() {
            self.step();
            let is_over = until.is_some_and(|until| Instant::now() >= until);
            if is_over || self.run.limits.interrupt.is_raised() {
                return;
            }
        }
    }

    /// False if no input is left.
    fn open_next(&mut self) -> bool {
        loop {
            let index = self.run.next.fetch_add(1, Ordering::Relaxed);
            let Some(input) = self.run.inputs.get(index) else {
                return false;
            };
            let state = lock(&self.run.states).get(index).copied();
            let position = match state {
                Some(State::Open(position)) => position,
                Some(State::Waiting) => Position::default(),
                Some(State::Done | State::Unreadable { .. }) | None => continue,
            };
            match input.open(&self.run.limits, position) {
                Ok(reader) => {
                    self.open = Some(Open {
                        index,
                        reader,
                        ahead: None,
                        octets_read: 0,
                    });
                    return true;
                }
                Err(error) => {
                    let mut batch = Batch::default();
                    batch.push_unreadable(Place::of_input(&input.path), &error);
                    self.run.take_apart(batch);
                    self.run
                        .set_state(index, State::Unreadable { after: position });
                }
            }
        }
    }

    /// One batch.
    fn step(&mut self) {
        let run = self.run;
        let Some(mut open) = self.open.take() else {
            return;
        };
        let mut chunk = open.ahead.take().unwrap_or_else(|| open.reader.next());
        if let (Some(error), Some(input)) = (&chunk.failure, run.inputs.get(open.index)) {
            chunk
                .batch
                .push_unreadable(Place::of_input(&input.path), error);
        }
        let batch = mem::take(&mut chunk.batch);
        let state = match (chunk.is_last, &chunk.failure) {
            (false, _) => {
                let (ahead, ()) = rayon::join(|| open.reader.next(), || run.take_apart(batch));
                open.ahead = Some(ahead);
                State::Open(chunk.position)
            }
            (true, None) => {
                run.take_apart(batch);
                State::Done
            }
            (true, Some(_)) => {
                run.take_apart(batch);
                State::Unreadable {
                    after: chunk.position,
                }
            }
        };
        run.set_state(open.index, state);
        let octets = chunk.octets_read.saturating_sub(open.octets_read);
        run.monitor.advance(octets);
        open.octets_read = chunk.octets_read;
        if !chunk.is_last {
            self.open = Some(open);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// At most one twentieth of the time goes into saving.
const WORK_PER_SAVING: u32 = 20;

/// Taken apart at once by a thread: enough that handing them out costs nothing in comparison.
const ITEMS: usize = 32;
