//! The date of an `unavailable_after` rule, as seconds since 1970-01-01T00:00:00Z.

use polite_robots_records::calendar::day_of_date;

/// Reads a date in the formats that Google's page names, and in those of HTTP and JavaScript.
///
/// ```text
/// 25 Jun 2010 15:00:00 PST             RFC 822 §5.1 and RFC 5322 §3.3, weekday and zone optional
/// Saturday, 31-Dec-50 23:00:00 GMT     RFC 850 §2.1.4, the year also in four digits
/// Sun Nov  6 08:49:37 1994             asctime, RFC 9110 §5.6.7
/// Fri Jan 01 2027 00:00:00 GMT+0100 (CET)
/// 2027-01-01T00:00:00,5+01:00          ISO 8601, also `20270101T000000Z`, `2027-01-01`, and a
///                                      blank for the `T`
/// ```
///
/// Choices of this crate, where the sources leave one: a date without a time means its first
/// second, and a time without a zone is UTC. A zone name outside of RFC 822 counts as UTC (RFC 5322
/// §4.3). A year of two digits lies in 1970 to 2069. The weekday is not compared with the date.
/// Fractions of a second are dropped. `3:00 PM` is no time.
pub(crate) fn unix_seconds(text: &[u8]) -> Option<i64> {
    let text = core::str::from_utf8(text).ok()?;
    // A comment may follow (RFC 822 §3.4.3); JavaScript writes the long name of the zone there.
    let text = text.split('(').next().unwrap_or_default();
    let mut date = Date::default();
    for word in text.split_ascii_whitespace() {
        if word.contains(':') {
            // The comma in `T15:00:00,5Z` is a decimal point.
            date.take(word.trim_end_matches(','))?;
        } else {
            for word in word.split(',').filter(|word| !word.is_empty()) {
                date.take(word)?;
            }
        }
    }
    date.seconds()
}

/// The number of a month, from 1, by its name or at least the first three letters of it (`Sept`).
pub(crate) fn month(word: &str) -> Option<i64> {
    let mut numbered = (1..).zip(MONTHS.split(' '));
    numbered.find_map(|(number, name)| is_short_for(word, name).then_some(number))
}

/// The parts of a date that were read so far; a part that comes twice makes the date invalid.
#[derive(Default)]
struct Date {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    weekday: Option<()>,
    /// Since midnight.
    second_of_day: Option<i64>,
    /// Seconds east of UTC.
    offset: Option<i64>,
}

impl Date {
    fn take(&mut self, word: &str) -> Option<()> {
        if let Some((day, time)) = split_at_t(word) {
            self.calendar_day(day)?;
            return self.time_and_zone(time);
        }
        match word.bytes().next()? {
            b'0'..=b'9' if word.contains(':') => self.time_and_zone(word),
            b'0'..=b'9' => self.calendar_day(word),
            _ => self.name_or_zone(word),
        }
    }

    /// `2027-01-01`, `20270101`, `01-Jan-27`, or one number of a date in several words.
    fn calendar_day(&mut self, word: &str) -> Option<()> {
        let mut parts = word.split('-');
        match (parts.next()?, parts.next(), parts.next(), parts.next()) {
            (number, None, ..) => match (number.len(), self.day) {
                (1 | 2, None) => set(&mut self.day, digits(number, 1, 2)?),
                (2, Some(_)) => set(&mut self.year, short_year(number)?),
                (4, _) => set(&mut self.year, digits(number, 4, 4)?),
                (8, _) => {
                    let (year, month_and_day) = number.split_at_checked(4)?;
                    let (month, day) = month_and_day.split_at_checked(2)?;
                    self.numbers(year, month, day)
                }
                _ => None,
            },
            (day, Some(name), Some(year), None) if month(name).is_some() => {
                set(&mut self.day, digits(day, 1, 2)?)?;
                set(&mut self.month, month(name)?)?;
                let year = short_year(year).or_else(|| digits(year, 4, 4))?;
                set(&mut self.year, year)
            }
            (year, Some(month), Some(day), None) => self.numbers(year, month, day),
            _ => None,
        }
    }

    fn numbers(&mut self, year: &str, month: &str, day: &str) -> Option<()> {
        set(&mut self.year, digits(year, 4, 4)?)?;
        set(&mut self.month, digits(month, 2, 2)?)?;
        set(&mut self.day, digits(day, 2, 2)?)
    }

    /// `15:00`, `15:00:00` or `150000`, with or without a zone directly after it.
    fn time_and_zone(&mut self, word: &str) -> Option<()> {
        let end = word
            .find(|c: char| !c.is_ascii_digit() && !matches!(c, ':' | '.' | ','))
            .unwrap_or(word.len());
        let (time, zone) = word.split_at_checked(end)?;
        let mut parts = time.splitn(3, ':');
        let (hour, minute, second) = match (parts.next()?, parts.next(), parts.next()) {
            (hour, Some(minute), second) => (hour, minute, second.unwrap_or("00")),
            (digits, None, _) => {
                let (hour, rest) = digits.split_at_checked(2)?;
                let (minute, second) = rest.split_at_checked(2)?;
                (hour, minute, if second.is_empty() { "00" } else { second })
            }
        };
        let (second, fraction) = second.split_once(['.', ',']).unwrap_or((second, "0"));
        digits(fraction, 1, usize::MAX)?;
        let hour = digits(hour, 1, 2)?;
        let minute = digits(minute, 2, 2).filter(|minute| *minute < 60)?;
        // A leap second counts as the first second of the next minute, as on the Unix clock.
        let second = digits(second, 2, 2).filter(|second| *second <= 60)?;
        let second_of_day = hour * HOUR + minute * MINUTE + second;
        // `24:00:00` ends a day.
        if hour > 24 || hour == 24 && second_of_day > DAY {
            return None;
        }
        set(&mut self.second_of_day, second_of_day)?;
        match zone {
            "" => Some(()),
            zone => self.zone(zone),
        }
    }

    fn name_or_zone(&mut self, word: &str) -> Option<()> {
        if let Some(month) = month(word) {
            set(&mut self.month, month)
        } else if WEEKDAYS.split(' ').any(|name| is_short_for(word, name)) {
            set(&mut self.weekday, ())
        } else {
            self.zone(word)
        }
    }

    /// `GMT`, `PST`, `Z`, `+0100`, `+01:00`, `+01` or `GMT+0100`, after a time.
    fn zone(&mut self, word: &str) -> Option<()> {
        self.second_of_day?;
        let sign = word.find(['+', '-']).unwrap_or(word.len());
        let (name, distance) = word.split_at_checked(sign)?;
        let is_universal = |known: &str| known.eq_ignore_ascii_case(name);
        let offset = match distance.split_at_checked(1) {
            Some((sign, distance)) if ["", "GMT", "UTC", "UT"].into_iter().any(is_universal) => {
                let parts = distance.split_once(':');
                let parts = parts.or_else(|| distance.split_at_checked(2));
                let (hours, minutes) = parts.unwrap_or((distance, ""));
                let hours = digits(hours, 1, 2).filter(|hours| *hours < 24)?;
                let minutes = if minutes.is_empty() { "00" } else { minutes };
                let minutes = digits(minutes, 2, 2).filter(|minutes| *minutes < 60)?;
                let offset = hours * HOUR + minutes * MINUTE;
                if sign == "-" { -offset } else { offset }
            }
            Some(_) => return None,
            None => named_offset(name)?,
        };
        set(&mut self.offset, offset)
    }

    fn seconds(&self) -> Option<i64> {
        let (year, month, day) = (self.year?, self.month?, self.day?);
        let midnight = day_of_date(year, month, day)? * DAY;
        Some(midnight + self.second_of_day.unwrap_or(0) - self.offset.unwrap_or(0))
    }
}

fn set<T>(part: &mut Option<T>, value: T) -> Option<()> {
    part.replace(value).is_none().then_some(())
}

/// The two sides of the `T` in `2027-01-01T00:00Z`; a `T` elsewhere belongs to a name.
fn split_at_t(word: &str) -> Option<(&str, &str)> {
    let (day, time) = word.split_once(['T', 't'])?;
    let is_day = day
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-');
    (is_day && matches!(day.len(), 8 | 10)).then_some((day, time))
}

/// The number in `least` to `most` ASCII digits. It saturates: only fractions of a second, which
/// are dropped, may have more than 18 digits.
fn digits(text: &str, least: usize, most: usize) -> Option<i64> {
    let is_number =
        (least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(i64::MAX))
}

/// The year of two digits, in 1970 to 2069. RFC 9110 §5.6.7 would choose the century by the clock,
/// but this crate has none.
fn short_year(text: &str) -> Option<i64> {
    let year = digits(text, 2, 2)?;
    Some(if year < 70 { 2000 + year } else { 1900 + year })
}

fn is_short_for(word: &str, name: &str) -> bool {
    let head = name.get(..word.len());
    word.len() >= 3 && head.is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// The offset of a zone name of RFC 822 §5.1; other names count as UTC (RFC 5322 §4.3).
fn named_offset(name: &str) -> Option<i64> {
    let hours = match name.to_ascii_uppercase().as_str() {
        "EDT" => -4,
        "EST" | "CDT" => -5,
        "CST" | "MDT" => -6,
        "MST" | "PDT" => -7,
        "PST" => -8,
        // They belong to a clock of twelve hours, which is not read, and name no zone.
        "AM" | "PM" => return None,
        other => {
            let is_name = (1..=5).contains(&other.len())
                && other.bytes().all(|byte| byte.is_ascii_alphabetic());
            return is_name.then_some(0);
        }
    };
    Some(hours * HOUR)
}

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

const MONTHS: &str =
    "January February March April May June July August September October November December";

const WEEKDAYS: &str = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday";
