use core::fmt;
use core::time::Duration;

use crate::parse::value::request_rate;
use crate::record::day_window::DayWindow;

/// A `Request-rate` record (robots.txt 2.0, S. Conner 1996; Seznam): so many documents in so much time, and no more.
///
/// ```text
/// rate = documents *WS "/" *WS time [ "s" / "m" / "h" / "d" ] [ 1*WS window ]
/// ```
///
/// ```
/// use core::time::Duration;
/// use polite_robots::Robot;
///
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nRequest-rate: 4/10m 1800-1900")?;
/// let rate = robot.request_rates().next().unwrap();
/// assert_eq!((rate.documents(), rate.per()), (4, Duration::from_secs(600)));
/// assert_eq!(rate.interval(), Duration::from_secs(150));
/// assert!(rate.window().is_some_and(|window| window.contains(18 * 60 + 30)));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestRate {
    documents: u64,
    seconds: u64,
    window: Option<DayWindow>,
}

impl RequestRate {
    pub(crate) fn new(value: &[u8]) -> Option<RequestRate> {
        let rate = request_rate(value)?;
        Some(RequestRate {
            documents: rate.documents,
            seconds: rate.seconds,
            window: rate.window.map(DayWindow::from),
        })
    }

    /// How many documents may be fetched in the time; at least 1.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// The time: whole seconds, at least one. Not bounded: a hostile file may ask for 584 billion years. Cap it.
    #[must_use]
    pub fn per(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    /// When the rate holds; `None` for the whole day.
    #[must_use]
    pub fn window(&self) -> Option<DayWindow> {
        self.window
    }

    /// The time for one document, rounded up to a nanosecond: a delay that keeps to the rate.
    #[must_use]
    pub fn interval(&self) -> Duration {
        let nanoseconds = u128::from(self.seconds)
            .saturating_mul(NANOSECONDS)
            .div_ceil(u128::from(self.documents.max(1)));
        let seconds = u64::try_from(nanoseconds / NANOSECONDS).unwrap_or(u64::MAX);
        let rest = u32::try_from(nanoseconds % NANOSECONDS).unwrap_or_default();
        Duration::new(seconds, rest)
    }
}

impl fmt::Display for RequestRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}s", self.documents, self.seconds)?;
        match self.window {
            Some(window) => write!(f, " {window}"),
            None => Ok(()),
        }
    }
}

const NANOSECONDS: u128 = 1_000_000_000;
