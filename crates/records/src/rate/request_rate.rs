//! The value of a `Request-rate` record: a number of documents in a time.

use core::fmt;
use core::time::Duration;

use polite_robots::Robot;
use polite_robots::record::ExtensionField;

use crate::number::{number, trim_start_blanks};
use crate::rate::day_window::DayWindow;

/// A `Request-rate` record: the most documents that a crawler may fetch in a time (robots.txt 2.0,
/// a draft by S. Conner, 1996; Seznam).
///
/// ```text
/// rate = 1*DIGIT *WS "/" *WS 1*DIGIT [ "s" / "m" / "h" / "d" ] [ 1*WS window ]
/// ```
///
/// Both numbers must be greater than 0. The unit is seconds unless a letter says otherwise.
///
/// ```
/// use core::time::Duration;
/// use polite_robots::Robot;
/// use polite_robots_records::RequestRate;
///
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nRequest-rate: 4/10m 1800-1900")?;
/// let rate = RequestRate::of(&robot).next().unwrap();
/// assert_eq!((rate.documents(), rate.per()), (4, Duration::from_secs(600)));
/// assert_eq!(rate.interval(), Duration::from_secs(150));
/// assert!(rate.window().is_some_and(|window| window.contains(18 * 60 + 30)));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestRate {
    /// At least 1.
    documents: u64,
    /// At least 1.
    seconds: u64,
    window: Option<DayWindow>,
}

impl RequestRate {
    /// The `Request-rate` records for the agent of a robot, in the order of the file: a site may
    /// state one for each part of the day. A crawler that does not look at the clock keeps to the
    /// slowest rate:
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use polite_robots::Robot;
    /// use polite_robots_records::RequestRate;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nRequest-rate: 1/10\nRequest-rate: 1/2 0100-0500")?;
    /// let interval = RequestRate::of(&robot).map(|rate| rate.interval()).max();
    /// assert_eq!(interval, Some(Duration::from_secs(10)));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn of(robot: &Robot) -> impl Iterator<Item = RequestRate> {
        let records = robot.records();
        let records = records.filter(|record| record.field() == ExtensionField::RequestRate);
        records.filter_map(|record| RequestRate::new(record.value()))
    }

    /// Numbers saturate at `u64::MAX`, and so does their product with the unit.
    pub(crate) fn new(value: &[u8]) -> Option<RequestRate> {
        let (documents, rest) = number(value)?;
        let rest = trim_start_blanks(rest).strip_prefix(b"/")?;
        let (time, rest) = number(trim_start_blanks(rest))?;
        let (seconds_per_unit, rest) = match rest {
            [b's' | b'S', rest @ ..] => (1, rest),
            [b'm' | b'M', rest @ ..] => (60, rest),
            [b'h' | b'H', rest @ ..] => (60 * 60, rest),
            [b'd' | b'D', rest @ ..] => (24 * 60 * 60, rest),
            _ => (1, rest),
        };
        let window = match rest {
            [] => None,
            [b' ' | b'\t', rest @ ..] => Some(DayWindow::new(trim_start_blanks(rest))?),
            _ => return None,
        };
        (documents > 0 && time > 0).then_some(RequestRate {
            documents,
            seconds: time.saturating_mul(seconds_per_unit),
            window,
        })
    }

    /// The number of documents that may be fetched in the time of [`RequestRate::per`]; at least 1.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// The time for the documents, in whole seconds; at least one. It is not bounded: a hostile
    /// file may ask for 584 billion years, so cap it.
    pub fn per(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    /// The part of the day in which the rate holds; `None` for the whole day.
    pub fn window(&self) -> Option<DayWindow> {
        self.window
    }

    /// The time for one document, rounded up to a nanosecond. A crawler that waits this long
    /// between two requests keeps to the rate.
    pub fn interval(&self) -> Duration {
        let documents = self.documents.max(1);
        let rest = u128::from(self.seconds % documents).saturating_mul(NANOSECONDS_PER_SECOND);
        let rest = u64::try_from(rest.div_ceil(documents.into())).unwrap_or_default();
        Duration::from_secs(self.seconds / documents).saturating_add(Duration::from_nanos(rest))
    }
}

/// The rate with its time in seconds: `4/600s 1800-1900`.
impl fmt::Display for RequestRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}s", self.documents, self.seconds)?;
        match self.window {
            Some(window) => write!(f, " {window}"),
            None => Ok(()),
        }
    }
}

const NANOSECONDS_PER_SECOND: u128 = 1_000_000_000;
