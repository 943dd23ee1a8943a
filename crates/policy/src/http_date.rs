//! HTTP-date, RFC 9110 §5.6.7, in its three forms.
//!
//! The crate `httpdate` reads it into a `SystemTime`, which needs `std`; the tests hold both equal.

use nom::branch::alt;
use nom::bytes::complete::{tag, take, take_while_m_n};
use nom::combinator::{all_consuming, map_opt};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser as _};
use polite_robots_records::calendar::day_of_date;

use crate::time::Timestamp;

/// Reads a date. A moment before 1970 gives [`Timestamp::EPOCH`].
///
/// The name of the day is not checked against the date, and second 60 is taken, as the grammar has
/// it.
///
/// ```text
/// HTTP-date    = IMF-fixdate / obs-date
/// obs-date     = rfc850-date / asctime-date
/// ```
pub(crate) fn http_date(value: &str) -> Option<Timestamp> {
    let date = alt((imf_fixdate, rfc850_date, asctime_date));
    let (_, date) = all_consuming(date).parse(value.as_bytes()).ok()?;
    date.timestamp()
}

struct Date {
    year: i64,
    month: i64,
    day: i64,
    second_of_day: i64,
}

impl Date {
    fn timestamp(&self) -> Option<Timestamp> {
        let day = day_of_date(self.year, self.month, self.day)?;
        let seconds = u64::try_from(day * 86_400 + self.second_of_day);
        Some(seconds.map_or(Timestamp::EPOCH, |seconds| {
            Timestamp::from_millis(seconds * 1000)
        }))
    }
}

/// ```text
/// IMF-fixdate  = day-name "," SP date1 SP time-of-day SP GMT
/// date1        = day SP month SP year
/// ```
fn imf_fixdate(text: &[u8]) -> IResult<&[u8], Date, ()> {
    let (text, _) = terminated(day_name, tag(", ")).parse(text)?;
    let (text, day) = number(2).parse(text)?;
    let (text, month) = preceded(tag(" "), month).parse(text)?;
    let (text, year) = preceded(tag(" "), number(4)).parse(text)?;
    let (text, second_of_day) = preceded(tag(" "), time_of_day).parse(text)?;
    let (text, _) = tag(" GMT").parse(text)?;
    let date = Date {
        year,
        month,
        day,
        second_of_day,
    };
    Ok((text, date))
}

/// ```text
/// rfc850-date  = day-name-l "," SP date2 SP time-of-day SP GMT
/// date2        = day "-" month "-" 2DIGIT
/// ```
///
/// The century is not written: 70 to 99 are 1970 to 1999, the rest 2000 to 2069, as in most
/// implementations.
fn rfc850_date(text: &[u8]) -> IResult<&[u8], Date, ()> {
    let (text, _) = terminated(day_name_l, tag(", ")).parse(text)?;
    let (text, day) = number(2).parse(text)?;
    let (text, month) = preceded(tag("-"), month).parse(text)?;
    let (text, year) = preceded(tag("-"), number(2)).parse(text)?;
    let (text, second_of_day) = preceded(tag(" "), time_of_day).parse(text)?;
    let (text, _) = tag(" GMT").parse(text)?;
    let date = Date {
        year: if year < 70 { 2000 + year } else { 1900 + year },
        month,
        day,
        second_of_day,
    };
    Ok((text, date))
}

/// ```text
/// asctime-date = day-name SP date3 SP time-of-day SP year
/// date3        = month SP ( 2DIGIT / ( SP 1DIGIT ))
/// ```
fn asctime_date(text: &[u8]) -> IResult<&[u8], Date, ()> {
    let (text, _) = terminated(day_name, tag(" ")).parse(text)?;
    let (text, month) = terminated(month, tag(" ")).parse(text)?;
    let (text, day) = alt((number(2), preceded(tag(" "), number(1)))).parse(text)?;
    let (text, second_of_day) = preceded(tag(" "), time_of_day).parse(text)?;
    let (text, year) = preceded(tag(" "), number(4)).parse(text)?;
    let date = Date {
        year,
        month,
        day,
        second_of_day,
    };
    Ok((text, date))
}

/// ```text
/// time-of-day  = hour ":" minute ":" second      ; 00:00:00 - 23:59:60 (leap second)
/// ```
fn time_of_day(text: &[u8]) -> IResult<&[u8], i64, ()> {
    let (text, hour) = number(2).parse(text)?;
    let (text, minute) = preceded(tag(":"), number(2)).parse(text)?;
    let (text, second) = map_opt(preceded(tag(":"), number(2)), |second| {
        (hour < 24 && minute < 60 && second <= 60).then_some(second)
    })
    .parse(text)?;
    Ok((text, hour * 3600 + minute * 60 + second))
}

fn number<'a>(digits: usize) -> impl nom::Parser<&'a [u8], Output = i64, Error = ()> {
    let digits = take_while_m_n(digits, digits, |byte: u8| byte.is_ascii_digit());
    digits.map(|digits: &[u8]| {
        digits
            .iter()
            .fold(0, |number, digit| number * 10 + i64::from(digit - b'0'))
    })
}

/// From 1.
fn month(text: &[u8]) -> IResult<&[u8], i64, ()> {
    map_opt(take(3_usize), |name: &[u8]| {
        (1..)
            .zip(MONTHS)
            .find_map(|(number, month)| (month.as_bytes() == name).then_some(number))
    })
    .parse(text)
}

fn day_name(text: &[u8]) -> IResult<&[u8], &[u8], ()> {
    alt((
        tag("Mon"),
        tag("Tue"),
        tag("Wed"),
        tag("Thu"),
        tag("Fri"),
        tag("Sat"),
        tag("Sun"),
    ))
    .parse(text)
}

fn day_name_l(text: &[u8]) -> IResult<&[u8], &[u8], ()> {
    alt((
        tag("Monday"),
        tag("Tuesday"),
        tag("Wednesday"),
        tag("Thursday"),
        tag("Friday"),
        tag("Saturday"),
        tag("Sunday"),
    ))
    .parse(text)
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_date_is_none() {
        for odd in [
            "",
            "0",
            "-1",
            "Sun, 06 Nov 1994 08:49:37 +0100",
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT",
            "Wed, 29 Feb 2023 08:49:37 GMT",
            "Mon, 29 Feb 2100 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT ",
            "1994-11-06T08:49:37Z",
        ] {
            assert_eq!(http_date(odd), None, "{odd}");
        }
        assert_eq!(
            http_date("Thu, 29 Feb 1600 00:00:00 GMT"),
            Some(Timestamp::EPOCH)
        );
    }
}
