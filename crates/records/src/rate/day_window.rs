//! A daily time window in UTC: the value of a `Visit-time` record, and a part of `Request-rate`.

use core::fmt;

use polite_robots::Robot;
use polite_robots::record::ExtensionField;

use crate::number::trim_start_blanks;

/// A time window that recurs every day, in UTC, with a resolution of one minute.
///
/// A `Visit-time` record says when a site wants visits, and a `Request-rate` record may say when
/// its rate holds (both from robots.txt 2.0, a draft by S. Conner, 1996).
///
/// ```text
/// window = clock ( *WS "-" *WS / 1*WS ) clock
/// clock  = 4DIGIT    ; hours from 00 to 23 and minutes from 00 to 59, or 2400 as the second clock
/// ```
///
/// The first and the last minute both belong to the window: the draft's own example pairs
/// `1300-1659` with `1700-0459`. A window whose last minute is before its first includes midnight.
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots_records::DayWindow;
///
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nVisit-time: 2300-0459")?;
/// let window = DayWindow::visit_times(&robot).next().unwrap();
/// assert_eq!((window.first_minute(), window.last_minute()), (23 * 60, 4 * 60 + 59));
/// assert_eq!(window.minutes(), 360);
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
    /// The `Visit-time` records for the agent of a robot, in the order of the file: the parts of
    /// the day, in UTC, in which the site asks to be visited.
    ///
    /// ```
    /// use polite_robots::Robot;
    /// use polite_robots_records::DayWindow;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nVisit-time: 0100-0500")?;
    /// let minute_of_day = 3 * 60 + 30;
    /// assert!(DayWindow::visit_times(&robot).all(|window| window.contains(minute_of_day)));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn visit_times(robot: &Robot) -> impl Iterator<Item = DayWindow> {
        let records = robot.records();
        let records = records.filter(|record| record.field() == ExtensionField::VisitTime);
        records.filter_map(|record| DayWindow::new(record.value()))
    }

    pub(crate) fn new(value: &[u8]) -> Option<DayWindow> {
        let (first, rest) = clock(value)?;
        let after_blanks = trim_start_blanks(rest);
        let rest = match after_blanks {
            [b'-', rest @ ..] => trim_start_blanks(rest),
            _ if after_blanks.len() < rest.len() => after_blanks,
            _ => return None,
        };
        let (last, rest) = clock(rest)?;
        // `2400` ends the day, and the last minute of the day is the one before it.
        let last = last.min(MINUTES_PER_DAY - 1);
        (first < MINUTES_PER_DAY && rest.is_empty()).then_some(DayWindow { first, last })
    }

    /// The first minute of the window, counted from midnight UTC: 0 to 1439.
    pub fn first_minute(&self) -> u16 {
        self.first
    }

    /// The last minute of the window, counted from midnight UTC: 0 to 1439. It is smaller than the
    /// first if the window includes midnight.
    pub fn last_minute(&self) -> u16 {
        self.last
    }

    /// The length of the window in minutes: 1 to 1440.
    pub fn minutes(&self) -> u16 {
        let end = if self.first <= self.last {
            self.last
        } else {
            self.last + MINUTES_PER_DAY
        };
        end - self.first + 1
    }

    /// Whether a minute, counted from midnight UTC, lies in the window. Always `false` from 1440
    /// on.
    pub fn contains(&self, minute_of_day: u16) -> bool {
        if self.first <= self.last {
            (self.first..=self.last).contains(&minute_of_day)
        } else {
            minute_of_day <= self.last || (self.first..MINUTES_PER_DAY).contains(&minute_of_day)
        }
    }
}

/// `HHMM-HHMM`, as a `Visit-time` record has it.
impl fmt::Display for DayWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clock = |minute: u16| minute / 60 * 100 + minute % 60;
        write!(f, "{:04}-{:04}", clock(self.first), clock(self.last))
    }
}

/// A clock at the start of `text`, in minutes since midnight from 0 to 1440, and the text after it.
fn clock(text: &[u8]) -> Option<(u16, &[u8])> {
    let (digits, rest) = text.split_first_chunk::<4>()?;
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let [hours, hour, minutes, minute] = digits.map(|digit| u16::from(digit - b'0'));
    let (hour, minute) = (hours * 10 + hour, minutes * 10 + minute);
    let is_clock = (hour < 24 && minute < 60) || (hour, minute) == (24, 0);
    is_clock.then_some((hour * 60 + minute, rest))
}

const MINUTES_PER_DAY: u16 = 24 * 60;
