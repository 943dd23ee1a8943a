//! The run of a survey: reads the inputs and counts them on every core.
//!
//! Each lane reads one input at a time. All threads count a batch while the lane reads the next
//! one, so that a single large input keeps all threads busy. Each thread counts into its own
//! summary; summaries add up in any order. From time to time all lanes stop between two batches:
//! the positions then agree with the summaries, and the part can be saved.

use std::collections::BTreeMap;
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
use crate::dates::Dates;
use crate::depth::Depth;
use crate::error::SurveyError;
use crate::input::Input;
use crate::input::reader::{Chunk, Limits, Position, Reader};
use crate::interrupt::Interrupt;
use crate::panics::{self, PanicSilencer, Panics};
use crate::part::{Part, State};
use crate::summary::Summary;
use polite_robots_audit::printable::printable;

/// The resources of a run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The number of threads that read and count.
    pub threads: usize,
    /// The approximate size of a batch in bytes. Two batches for each thread must fit in memory.
    pub batch_bytes: usize,
    /// The shortest time between two saves; `None` never saves. Large parts are saved less often.
    pub save_interval: Option<Duration>,
}

/// The receiver of progress and warnings during a run.
pub trait Monitor: Sync {
    /// Reports that this many more bytes of the inputs were read.
    fn advance(&self, bytes: u64);

    /// Reports a file that cannot be read, or a panic. It is counted, and the run goes on.
    fn warn(&self, message: &str);
}

/// Ignores all reports.
impl Monitor for () {
    fn advance(&self, _: u64) {}

    fn warn(&self, _: &str) {}
}

/// Reads the inputs that the part has not read yet, until all are done or the interrupt is raised.
/// The counts go into the part, and `save` receives the part from time to time and at the end.
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
    let _silencer = PanicSilencer::new();
    let run = RunState::new(part, plan, interrupt, monitor, &pool);
    let mut lanes: Vec<Lane<'_>> = (0..pool.current_num_threads().min(run.inputs.len()))
        .map(|_| Lane {
            run: &run,
            open: None,
        })
        .collect();
    let mut round_start = Instant::now();
    let mut interval = plan.save_interval;
    loop {
        let until = interval.map(|interval| round_start + interval);
        pool.install(|| {
            lanes
                .par_iter_mut()
                .with_max_len(1)
                .for_each(|lane| lane.run_until(until));
        });
        run.collect(part);
        part.timings.seconds += round_start.elapsed().as_secs_f64();
        round_start = Instant::now();
        if let Some(least) = plan.save_interval {
            save(part)?;
            // A save of a large part takes long: the work until the next one takes at least twenty
            // times as long.
            let least_for_work = round_start.elapsed().saturating_mul(WORK_PER_SAVE);
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
struct RunState<'r> {
    limits: Limits,
    depth: Depth,
    inputs: Vec<Input>,
    states: Mutex<Vec<State>>,
    /// The index of the first input that no lane has taken.
    next: AtomicUsize,
    /// The counts, one for each thread.
    thread_counts: Vec<Mutex<ThreadCounts>>,
    /// The bytes of standard input, by its index.
    streamed: Mutex<BTreeMap<usize, u64>>,
    monitor: &'r dyn Monitor,
}

/// The counts of one thread.
#[derive(Debug, Default)]
struct ThreadCounts {
    summary: Summary,
    unreadable: u64,
    panics: Panics,
    dates: Dates,
    /// The responses by the index of their input.
    responses: BTreeMap<usize, u64>,
}

impl<'r> RunState<'r> {
    fn new(
        part: &Part,
        plan: &Plan,
        interrupt: &Interrupt,
        monitor: &'r dyn Monitor,
        pool: &ThreadPool,
    ) -> RunState<'r> {
        RunState {
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
            thread_counts: (0..pool.current_num_threads())
                .map(|_| Mutex::default())
                .collect(),
            streamed: Mutex::default(),
            monitor,
        }
    }

    /// Moves the counts and the positions into the part. Must not be called while a lane runs.
    fn collect(&self, part: &mut Part) {
        for counts in &self.thread_counts {
            let counts = mem::take(&mut *lock(counts));
            part.summary.merge(counts.summary);
            part.unreadable += counts.unreadable;
            part.panics.merge(counts.panics);
            part.provenance.records.merge(&counts.dates);
            for (index, responses) in counts.responses {
                if let Some(tracked) = part.inputs.get_mut(index) {
                    tracked.responses += responses;
                }
            }
        }
        for (index, bytes) in lock(&self.streamed).iter() {
            if let Some(tracked) = part.inputs.get_mut(*index) {
                tracked.input.size = *bytes;
            }
        }
        let states = lock(&self.states);
        for (tracked, state) in part.inputs.iter_mut().zip(states.iter()) {
            tracked.state = *state;
        }
        part.is_complete = states
            .iter()
            .all(|state| !matches!(state, State::Waiting | State::Open(_)));
    }

    fn set_state(&self, index: usize, state: State) {
        if let Some(slot) = lock(&self.states).get_mut(index) {
            *slot = state;
        }
    }

    /// The counts of the current thread.
    fn counts(&self) -> Option<MutexGuard<'_, ThreadCounts>> {
        let thread = rayon::current_thread_index().unwrap_or_default();
        self.thread_counts.get(thread).map(lock)
    }

    /// Counts a batch of the input with this index.
    fn count_batch(&self, index: usize, mut batch: Batch) {
        for warning in batch.take_warnings() {
            self.monitor.warn(&warning);
        }
        if !batch.dates().is_empty()
            && let Some(mut counts) = self.counts()
        {
            counts.dates.merge(batch.dates());
        }
        let (bytes, items) = batch.into_parts();
        items
            .into_par_iter()
            .with_min_len(LEAST_ITEMS)
            .for_each(|item| self.count_item(index, item, &bytes));
    }

    fn count_item(&self, index: usize, item: Item, bytes: &[u8]) {
        let Some(mut counts) = self.counts() else {
            return;
        };
        let counts = &mut *counts;
        if let Item::Skipped(reason, place) = item {
            counts.unreadable += u64::from(reason == SkipReason::Unreadable);
            counts
                .summary
                .add(&Content::Skipped(reason, place), self.depth);
            return;
        }
        let place = item.place().clone();
        let panics_before = counts.summary.panics;
        let responses_before = counts.summary.responses;
        let result = panics::catch(|| {
            let content = item.content(bytes, self.limits.max_bytes);
            counts.summary.add(&content, self.depth);
        });
        let responses = counts.summary.responses - responses_before;
        *counts.responses.entry(index).or_default() += responses;
        let message = match result {
            // The summary catches the panics of its measures itself, so that it still counts the
            // response.
            Ok(()) if counts.summary.panics == panics_before => return,
            Ok(()) => String::from("see the summary"),
            Err(message) => printable(&message),
        };
        self.monitor.warn(&format!(
            "a panic, which should never happen, at {place}: {message}; please report it with this file"
        ));
        counts.panics.add(place);
    }
}

/// A worker that reads one input at a time.
struct Lane<'r> {
    run: &'r RunState<'r>,
    open: Option<OpenInput>,
}

/// An input that a lane is reading.
struct OpenInput {
    index: usize,
    reader: Box<dyn Reader>,
    /// The chunk that is read but not counted yet.
    ahead: Option<Chunk>,
    bytes_read: u64,
}

impl Lane<'_> {
    /// Counts batch after batch until the time is over, the interrupt is raised, or no input is
    /// left.
    fn run_until(&mut self, until: Option<Instant>) {
        while self.open.is_some() || self.open_next() {
            self.count_next_batch();
            let is_over = until.is_some_and(|until| Instant::now() >= until);
            if is_over || self.run.limits.interrupt.is_raised() {
                return;
            }
        }
    }

    /// Opens the next input that is not done. Returns `false` if no input is left.
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
                Some(State::Done | State::Cut { .. } | State::Unreadable { .. }) | None => {
                    continue;
                }
            };
            match input.open(&self.run.limits, position) {
                Ok(reader) => {
                    self.open = Some(OpenInput {
                        index,
                        reader,
                        ahead: None,
                        bytes_read: 0,
                    });
                    return true;
                }
                Err(error) => {
                    let mut batch = Batch::default();
                    batch.push_unreadable(Place::of_input(&input.path), &error);
                    self.run.count_batch(index, batch);
                    self.run
                        .set_state(index, State::Unreadable { after: position });
                }
            }
        }
    }

    /// Counts one batch while the next one is read.
    fn count_next_batch(&mut self) {
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
        let index = open.index;
        let state = match (chunk.is_last, &chunk.failure) {
            (false, _) => {
                let (ahead, ()) =
                    rayon::join(|| open.reader.next(), || run.count_batch(index, batch));
                open.ahead = Some(ahead);
                State::Open(chunk.position)
            }
            (true, None) => {
                run.count_batch(index, batch);
                match chunk.cut_at {
                    Some(cut_at) => State::Cut { cut_at },
                    None => State::Done,
                }
            }
            (true, Some(_)) => {
                run.count_batch(index, batch);
                State::Unreadable {
                    after: chunk.position,
                }
            }
        };
        run.set_state(index, state);
        if chunk.is_last && run.inputs.get(index).is_some_and(Input::is_standard_input) {
            lock(&run.streamed).insert(index, chunk.bytes_read);
        }
        let bytes = chunk.bytes_read.saturating_sub(open.bytes_read);
        run.monitor.advance(bytes);
        open.bytes_read = chunk.bytes_read;
        if !chunk.is_last {
            self.open = Some(open);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The work between two saves, as a multiple of the time of a save: at most one twentieth of the
/// time goes into saving.
const WORK_PER_SAVE: u32 = 20;

/// The fewest items that a thread takes at once: enough to make the cost of handing them out
/// negligible.
const LEAST_ITEMS: usize = 32;
