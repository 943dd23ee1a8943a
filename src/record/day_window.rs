use core::fmt;

use crate::parse::value::{Window, visit_time};

/// A part of every day, in UTC, by the minute: when a site wants visits, or when a rate holds (`Visit-time` and
/// `Request-rate` of robots.txt 2.0, S. Conner 1996).
///
/// ```text
/// window = HHMM ( *WS "-" *WS / 1*WS ) HHMM
/// ```
///
/// Both ends belong to it: the draft's own windows are `1300-1659` and `1700-0459`. If the first minute is the later
/// one, the window goes over midnight.
///
/// ```
/// use polite_robots::Robot;
///
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nVisit-time: 2300-0459")?;
/// let window = robot.visit_times().next().unwrap();
/// assert_eq!((window.first_minute(), window.last_minute(), window.minutes()), (23 * 60, 4 * 60 + 59, 360));
/// assert!(window.contains(2 * 60) && !window.contains(5 * 60));
/// assert_eq!(window.to_string(), "2300-0459");
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DayWindow {
    first: u16,
    last: u16,
}

impl DayWindow {
    /// Reads the value of a `Visit-time` record.
    pub(crate) fn new(value: &[u8]) -> Option<DayWindow> {
        visit_time(value).map(DayWindow::from)
    }

    /// Its first minute, counted from midnight UTC: from 0 to 1439.
    #[must_use]
    pub fn first_minute(&self) -> u16 {
        self.first
    }

    /// Its last minute, counted from midnight UTC: from 0 to 1439. It is less than the first if midnight lies between.
    #[must_use]
    pub fn last_minute(&self) -> u16 {
        self.last
    }

    /// How many minutes of a day it has: from 1 to 1440.
    #[must_use]
    pub fn minutes(&self) -> u16 {
        let end = if self.first <= self.last {
            self.last
        } else {
            self.last + MINUTES_OF_DAY
        };
        end - self.first + 1
    }

    /// Whether a minute, counted from midnight UTC, lies in it. No minute from 1440 on does.
    #[must_use]
    pub fn contains(&self, minute_of_day: u16) -> bool {
        if self.first <= self.last {
            (self.first..=self.last).contains(&minute_of_day)
        } else {
            minute_of_day <= self.last || (self.first..MINUTES_OF_DAY).contains(&minute_of_day)
        }
    }
}

impl From<Window> for DayWindow {
    fn from(window: Window) -> DayWindow {
        DayWindow {
            first: window.first,
            last: window.last,
        }
    }
}

impl fmt::Display for DayWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (self.first, self.last);
        write!(
            f,
            "{:02}{:02}-{:02}{:02}",
            first / 60,
            first % 60,
            last / 60,
            last % 60
        )
    }
}

const MINUTES_OF_DAY: u16 = 24 * 60;
