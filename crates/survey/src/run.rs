//! The run of a survey: reads the inputs and counts them on every core.
//!
//! Each lane reads one input at a time. All threads count a batch while the lane reads the next
//! one, so that a single large input keeps all threads busy. Each thread counts into its own
//! summary; summaries add up in any order. From time to time all lanes stop between two batches:
//! the positions then agree with the summaries, and the part can be saved.

use std::collections::BTreeMap;
use std::io;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelIterator as _, IntoParallelRefMutIterator as _,
    ParallelIterator as _,
};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::batch::{Batch, Item, Record};
use crate::content::{BodyEnd, Content, Place, SkipReason};
use crate::dates::Dates;
use crate::depth::Depth;
use crate::error::SurveyError;
use crate::http;
use crate::input::Input;
use crate::input::reader::{Chunk, Limits, Position, Reader};
use crate::interrupt::Interrupt;
use crate::labels::Labels;
use crate::panics::{self, PanicSilencer, Panics};
use crate::part::{Part, State};
use crate::representatives::{MOST, Representatives};
use crate::rows::{self, RowFormat, Rows};
use crate::summary::Summary;
use crate::summary::host::host_of_response;
use crate::summary::merge::Merge;
use crate::summary::site::Site;
use crate::summary::stratum::Stratum;
use crate::unit::Unit;
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
    save: impl FnMut(&Part) -> Result<(), E>,
) -> Result<(), E> {
    run_with(part, plan, Extras::default(), interrupt, monitor, save)
}

/// The optional work of a run: rows and strata.
#[derive(Default)]
#[expect(
    missing_debug_implementations,
    reason = "the writer of the rows has none"
)]
pub struct Extras<'r, 'w> {
    /// The rows: one for each response.
    pub rows: Option<&'r mut Rows<'w>>,
    /// The labels of the hosts, which the part must have been given by [`Part::set_labels`].
    pub labels: Option<&'r Labels>,
}

/// Does what [`run`] does, with rows and labels. Rows are in the order of the inputs and of their
/// records, whatever the number of threads. Therefore, with rows, one thread reads one input at a
/// time while all threads count.
///
/// ```
/// use polite_robots_survey::{Depth, Extras, Input, Interrupt, Part, Plan, SurveyError, run_with};
/// use polite_robots_survey::rows::{RowFormat, Rows};
///
/// let inputs = Input::find("../../testdata/shop.robots.txt".as_ref());
/// let mut part = Part::new(inputs, 512_000, Depth::Thorough)?;
/// let plan = Plan { threads: 2, batch_bytes: 4 << 20, save_interval: None };
/// let mut file = Vec::new();
/// let mut rows = Rows::new(RowFormat::JsonLines, &mut file)?;
/// let extras = Extras { rows: Some(&mut rows), labels: None };
/// run_with(&mut part, &plan, extras, &Interrupt::default(), &(), |_| Ok::<(), SurveyError>(()))?;
/// assert!(file.starts_with(b"{\"version\":1,\"host\":\"shop\",\"url\":null,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If [`run`] fails, or the rows cannot be written.
pub fn run_with<E: From<SurveyError>>(
    part: &mut Part,
    plan: &Plan,
    extras: Extras<'_, '_>,
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
    let representatives = match part.unit {
        Unit::Response => None,
        _ if part.is_complete => None,
        _ => Some(choose(part, plan, interrupt, monitor, &pool)?),
    };
    if interrupt.is_raised() && representatives.is_some() {
        // No response can count before all choices are made.
        return match plan.save_interval {
            Some(_) => save(part),
            None => Ok(()),
        };
    }
    let rows = extras.rows.map(RowSink::new);
    let most_lanes = match rows {
        // Rows of two inputs at a time would have no order.
        Some(_) => 1,
        None => pool.current_num_threads(),
    };
    let run = RunState {
        rows,
        labels: extras.labels,
        ..RunState::new(
            part,
            plan,
            interrupt,
            monitor,
            Task::Count(representatives.as_ref()),
            &pool,
        )
    };
    let mut lanes = run.lanes(most_lanes);
    let mut round_start = Instant::now();
    let mut interval = plan.save_interval;
    loop {
        read_until(
            interval.map(|interval| round_start + interval),
            &mut lanes,
            &pool,
        );
        run.collect(part);
        let error = run.rows.as_ref().and_then(|rows| lock(&rows.error).take());
        if let Some(source) = error {
            return Err(SurveyError::Rows { source }.into());
        }
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

/// Reads all inputs, and chooses the response that stands for each body or domain.
fn choose(
    part: &Part,
    plan: &Plan,
    interrupt: &Interrupt,
    monitor: &dyn Monitor,
    pool: &ThreadPool,
) -> Result<Representatives, SurveyError> {
    let representatives = Representatives::new(part.unit, MOST);
    let task = Task::Choose(&representatives);
    let run = RunState::new(part, plan, interrupt, monitor, task, pool);
    // An earlier run may have counted some of the inputs, but the choice compares all of them.
    lock(&run.states).fill(State::Waiting);
    let mut lanes = run.lanes(pool.current_num_threads());
    read_until(None, &mut lanes, pool);
    drop(lanes);
    drop(run);
    representatives.check()?;
    Ok(representatives)
}

/// Lets all lanes read and count.
fn read_until(until: Option<Instant>, lanes: &mut [Lane<'_, '_>], pool: &ThreadPool) {
    pool.install(|| {
        let lanes = lanes.par_iter_mut().with_max_len(1);
        lanes.for_each(|lane| lane.run_until(until));
    });
}

/// The work on each item.
#[derive(Debug, Clone, Copy)]
enum Task<'r> {
    /// Choose the responses that count.
    Choose(&'r Representatives),
    /// Count the responses, or those that were chosen.
    Count(Option<&'r Representatives>),
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
    task: Task<'r>,
    rows: Option<RowSink<'r>>,
    labels: Option<&'r Labels>,
}

/// The writer of the rows, with the error that ended it.
struct RowSink<'r> {
    format: RowFormat,
    write: Mutex<Box<WriteRow<'r>>>,
    error: Mutex<Option<io::Error>>,
}

type WriteRow<'r> = dyn FnMut(&[u8]) -> io::Result<()> + Send + 'r;

impl<'r> RowSink<'r> {
    fn new<'w: 'r>(rows: &'r mut Rows<'w>) -> RowSink<'r> {
        RowSink {
            format: rows.format,
            write: Mutex::new(Box::new(|lines| rows.write(lines))),
            error: Mutex::default(),
        }
    }

    /// Writes the rows of a batch. After an error nothing more is written.
    fn write(&self, rows: &[Vec<u8>]) {
        let mut write = lock(&self.write);
        if self.has_failed() {
            return;
        }
        if let Err(error) = rows.iter().try_for_each(|row| write(row)) {
            *lock(&self.error) = Some(error);
        }
    }

    fn has_failed(&self) -> bool {
        lock(&self.error).is_some()
    }
}

/// The counts of one thread.
#[derive(Debug, Default)]
struct ThreadCounts {
    summary: Summary,
    strata: BTreeMap<String, Stratum>,
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
        task: Task<'r>,
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
            task,
            rows: None,
            labels: None,
        }
    }

    /// The workers, none of which has an input yet.
    fn lanes(&self, most: usize) -> Vec<Lane<'_, 'r>> {
        let lane = |_| Lane {
            run: self,
            open: None,
        };
        (0..most.min(self.inputs.len())).map(lane).collect()
    }

    /// Moves the counts and the positions into the part. Must not be called while a lane runs.
    fn collect(&self, part: &mut Part) {
        for counts in &self.thread_counts {
            let counts = mem::take(&mut *lock(counts));
            part.summary.merge(counts.summary);
            Merge::merge(&mut part.strata, counts.strata);
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
    fn count_batch(&self, index: usize, batch: Batch) {
        // The second of two readings has the same warnings as the first.
        if let Task::Count(_) = self.task {
            batch.warnings.iter().for_each(|one| self.monitor.warn(one));
        }
        if !batch.dates.is_empty()
            && let Some(mut counts) = self.counts()
        {
            counts.dates.merge(&batch.dates);
        }
        let Batch { bytes, items, .. } = batch;
        let items = items.into_par_iter().with_min_len(LEAST_ITEMS);
        let Some(rows) = &self.rows else {
            items.for_each(|item| self.count_item(index, item, &bytes, &mut |_| ()));
            return;
        };
        let lines = items.map(|item| {
            let mut line = Vec::new();
            self.count_item(index, item, &bytes, &mut |site| {
                rows::render(rows.format, site, &mut line);
            });
            line
        });
        rows.write(&lines.collect::<Vec<Vec<u8>>>());
    }

    /// Whether the lanes should stop.
    fn is_over(&self) -> bool {
        self.limits.interrupt.is_raised() || self.rows.as_ref().is_some_and(RowSink::has_failed)
    }

    fn count_item(&self, index: usize, item: Item, bytes: &[u8], visit: &mut dyn FnMut(&Site<'_>)) {
        let representatives = match self.task {
            Task::Count(representatives) => representatives,
            Task::Choose(representatives) => return self.offer(representatives, item, bytes),
        };
        let Some(mut counts) = self.counts() else {
            return;
        };
        let counts = &mut *counts;
        match &item.record {
            Record::Skipped(reason) => {
                counts.unreadable += u64::from(*reason == SkipReason::Unreadable);
                let skipped = item.content(bytes, self.limits.max_bytes);
                counts.summary.add(&skipped, self.depth);
            }
            Record::Http {
                url,
                recorded,
                end,
                is_robots_txt: false,
            } => {
                let recorded = bytes.get(recorded.clone()).unwrap_or_default();
                self.count_other_path(counts, item.place, url, (recorded, *end));
            }
            Record::Http { .. } | Record::File { .. } => {
                let before = counts.summary.responses;
                self.count_content(counts, representatives, item, bytes, visit);
                let responses = counts.summary.responses - before;
                *counts.responses.entry(index).or_default() += responses;
            }
        }
    }

    /// Offers a response to the choice of representatives.
    fn offer(&self, representatives: &Representatives, item: Item, bytes: &[u8]) {
        // A panic is reported when the item is counted.
        let _ = panics::catch(|| {
            let content = item.content(bytes, self.limits.max_bytes);
            if let Content::Response(response) = content {
                representatives.offer(&response);
            }
        });
    }

    /// Counts a response of another path, to which a redirect may lead.
    fn count_other_path(
        &self,
        counts: &mut ThreadCounts,
        place: Place,
        url: &str,
        (recorded, end): (&[u8], BodyEnd),
    ) {
        let skipped = Content::Skipped(SkipReason::OtherPath, place.clone());
        counts.summary.add(&skipped, self.depth);
        // The body is decoded only if a redirect to it can be followed.
        if !counts.summary.follows(url) {
            return;
        }
        let result = panics::catch(|| {
            let read = http::read((&place, url), recorded, end, self.limits.max_bytes);
            if let Some(response) = read {
                counts.summary.add_target(&response);
            }
        });
        if let Err(message) = result {
            self.report_panic(counts, place, &printable(&message));
        }
    }

    /// Counts a response or a file.
    fn count_content(
        &self,
        counts: &mut ThreadCounts,
        representatives: Option<&Representatives>,
        item: Item,
        bytes: &[u8],
        visit: &mut dyn FnMut(&Site<'_>),
    ) {
        let place = item.place.clone();
        let panics_before = counts.summary.panics;
        let result = panics::catch(|| {
            let content = item.content(bytes, self.limits.max_bytes);
            let ThreadCounts {
                summary, strata, ..
            } = &mut *counts;
            let content = without_repeated(representatives, summary, content);
            summary.add_and_visit(&content, self.depth, &mut |site| {
                self.add_to_stratum(strata, site);
                visit(site);
            });
        });
        match result {
            // The summary catches the panics of its measures itself, so that it still counts the
            // response.
            Ok(()) if counts.summary.panics == panics_before => {}
            Ok(()) => self.report_panic(counts, place, "see the summary"),
            Err(message) => self.report_panic(counts, place, &printable(&message)),
        }
    }

    /// Adds a site to the stratum of its host.
    fn add_to_stratum(&self, strata: &mut BTreeMap<String, Stratum>, site: &Site<'_>) {
        let Some(labels) = self.labels else {
            return;
        };
        let host = host_of_response(site.response);
        let label = labels.of(host.as_deref());
        match strata.get_mut(label) {
            Some(stratum) => stratum.add(site),
            None => strata.entry(String::from(label)).or_default().add(site),
        }
    }

    fn report_panic(&self, counts: &mut ThreadCounts, place: Place, message: &str) {
        self.monitor.warn(&format!(
            "a panic, which should never happen, at {place}: {message}; please report it with this file"
        ));
        counts.panics.add(place);
    }
}

/// Replaces a response for which another one stands by a skipped record. Such a response can only
/// be the target of a redirect.
fn without_repeated(
    representatives: Option<&Representatives>,
    summary: &mut Summary,
    content: Content,
) -> Content {
    let is_chosen = |response| representatives.is_none_or(|chosen| chosen.has_chosen(response));
    match content {
        Content::Response(response) if !is_chosen(&response) => {
            let url = response.url.as_ref();
            if url.is_some_and(|url| summary.follows(url)) {
                summary.add_target(&response);
            }
            Content::Skipped(SkipReason::Repeated, response.place)
        }
        content => content,
    }
}

/// A worker that reads one input at a time.
struct Lane<'l, 'r> {
    run: &'l RunState<'r>,
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

impl Lane<'_, '_> {
    /// Counts batch after batch until the time is over, the interrupt is raised, or no input is
    /// left.
    fn run_until(&mut self, until: Option<Instant>) {
        while self.open.is_some() || self.open_next() {
            self.count_next_batch();
            let is_over = until.is_some_and(|until| Instant::now() >= until);
            if is_over || self.run.is_over() {
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
            let position = match lock(&self.run.states).get(index) {
                Some(State::Open(position)) => *position,
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
        let count = || run.count_batch(index, batch);
        match chunk.is_last {
            false => open.ahead = Some(rayon::join(|| open.reader.next(), count).0),
            true => count(),
        }
        let after = chunk.position;
        let state = match (&chunk.failure, chunk.cut_at) {
            _ if !chunk.is_last => State::Open(after),
            (Some(_), _) => State::Unreadable { after },
            (None, Some(cut_at)) => State::Cut { cut_at },
            (None, None) => State::Done,
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

/// The least work between two saves, as a multiple of the time of a save. At most one twentieth of
/// the time goes into saving.
const WORK_PER_SAVE: u32 = 20;

/// The fewest items that a thread takes at once. They are enough to make the cost of handing them
/// out negligible.
const LEAST_ITEMS: usize = 32;
