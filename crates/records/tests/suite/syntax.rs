//! The syntax of values: what is read, and what is refused.

use jiff::civil::{Date, date};
use polite_robots::Robot;
use polite_robots_records::calendar::{date_of_day, day_of_date};
use polite_robots_records::{ContentUsage, DayWindow, RequestRate};

fn members(text: &str) -> Option<Vec<String>> {
    let members = ContentUsage::new(text.as_bytes())?.pairs().map(|member| {
        assert_eq!(text.get(member.span()), Some(&*member.to_string()));
        member.to_string()
    });
    Some(members.collect())
}

#[test]
fn rfc9651_examples() {
    for (text, expected) in [
        (
            r#"en="Applepie", da=:w4ZibGV0w6ZydGU=:"#,
            &[r#"en="Applepie""#, "da=:w4ZibGV0w6ZydGU=:"][..],
        ),
        ("a=?0, b, c; foo=bar", &["a=?0", "b", "c"]),
        (
            "rating=1.5, feelings=(joy sadness)",
            &["rating=1.5", "feelings=(joy sadness)"],
        ),
        (
            "a=(1 2), b=3, c=4;aa=bb, d=(5 6);valid",
            &["a=(1 2)", "b=3", "c=4", "d=(5 6)"],
        ),
        ("a=1,\tb=2 \t,c=3", &["a=1", "b=2", "c=3"]),
        ("", &[]),
    ] {
        let expected: Vec<String> = expected.iter().map(|member| member.to_string()).collect();
        assert_eq!(members(text), Some(expected), "{text}");
    }
}

#[test]
fn rfc9651_every_kind_of_item() {
    for item in [
        "0",
        "-999999999999999",
        "123456789012.123",
        r#""a\"\\%~""#,
        "*a/b:c",
        "::",
        ":aGk=:",
        "?1",
        "@1659578233",
        "@-1",
        r#"%"f%c3%bc""#,
        r#"%"\""#,
        "()",
        "( )",
        "( a  b;c )",
        r#"("a" "b")"#,
        r#"("a";x=1 b;y)"#,
    ] {
        let text = format!("k={item}, z");
        assert_eq!(
            members(&text),
            Some(vec![format!("k={item}"), "z".into()]),
            "{text}"
        );
    }
}

#[test]
fn rfc9651_no_dictionaries() {
    for text in [
        "a=1,",
        ",",
        "a=1,,b=2",
        "A=1",
        "a =1",
        "a= 1",
        "a=",
        "a=1 b=2",
        "1=a",
        "-a=1",
        "a=1;",
        "a=1;B",
        "a=1 ;b",
        "a=-",
        "a=1.",
        "a=1.2345",
        "a=1234567890123.1",
        "a=1234567890123456",
        "a=(1234567890123456)",
        "a=(1.)",
        "a;b=1234567890123456",
        "a=\"",
        "a=\"\\a\"",
        "a=\"é\"",
        "a=é",
        "a=?2",
        "a=?",
        "a=:",
        "a=:-:",
        "a=@",
        "a=@1.5",
        "a=%x",
        "a=%\"%C3\"",
        "a=%\"%ff\"",
        "a=%\"%4",
        "a=%\"%\"",
        "a=%\"b%4\"",
        "a=(",
        "a=(b",
        "a=(b\tc)",
        "a=((b))",
        "a=(\"b\"\"c\")",
        "a=b\u{b}c",
        "a=b\0",
        "\u{feff}a=1",
    ] {
        assert_eq!(members(text), None, "{text}");
    }
}

#[test]
fn issue_windows_of_the_day() {
    let window = |text: &str| {
        let file = format!("User-agent: *\nVisit-time: {text}");
        let robot = Robot::new("a", file.as_bytes()).unwrap();
        let window = DayWindow::visit_times(&robot).next();
        window.map(|window| (window.first_minute(), window.last_minute()))
    };
    assert_eq!(window("0600-0845"), Some((360, 525)));
    assert_eq!(window("0200 \t0630"), Some((120, 390)));
    assert_eq!(window("2300 - 0100"), Some((1380, 60)));
    assert_eq!(window("0000-2400"), Some((0, 1439)));
    for odd in [
        "",
        "0600",
        "0600-",
        "-0600",
        "6-8",
        "600-800",
        "06:00-08:00",
        "2400-0100",
        "0600-2401",
        "0660-0700",
        "2500-2600",
        "06000800",
        "0600--0800",
        "0600-0800 GMT",
        "٠٦٠٠-0800",
    ] {
        assert_eq!(window(odd), None, "{odd}");
    }
}

#[test]
fn issue_rates_of_whole_numbers() {
    let rate = |text: &str| {
        let file = format!("User-agent: *\nRequest-rate: {text}");
        let robot = Robot::new("a", file.as_bytes()).unwrap();
        let rate = RequestRate::of(&robot).next()?;
        let window = rate.window();
        Some((
            rate.documents(),
            rate.per().as_secs(),
            window.map(|window| (window.first_minute(), window.last_minute())),
        ))
    };
    assert_eq!(rate("1/5"), Some((1, 5, None)));
    assert_eq!(
        rate("1 / 10M 1800-1900"),
        Some((1, 600, Some((1080, 1140))))
    );
    assert_eq!(rate("5/1d\t2300 0100"), Some((5, 86_400, Some((1380, 60)))));
    assert_eq!(
        rate("99999999999999999999/300000000000000000d"),
        Some((u64::MAX, u64::MAX, None))
    );
    for odd in [
        "",
        "1",
        "/1",
        "1/",
        "0/1",
        "1/0",
        "1/1.5s",
        "1/s",
        "1/1w",
        "1/1 s",
        "-1/1",
        "1/1s0600-0700",
        "1/1 0600",
        "1/1/1",
        "1_0/1",
        "٣/1",
        "inf/1",
        "1/1 0600-0700 x",
    ] {
        assert_eq!(rate(odd), None, "{odd}");
    }
}

/// The calendar repeats after 400 years, so this range has each of its days.
#[test]
fn the_calendar_is_that_of_jiff() {
    let first: Date = date(1800, 3, 1);
    for (expected, day) in first.series(jiff::Span::new().days(1)).zip(-62_032..84_065) {
        let (year, month, day_of_month) = date_of_day(day);
        let found = (
            i64::from(expected.year()),
            i64::from(expected.month()),
            i64::from(expected.day()),
        );
        assert_eq!((year, month, day_of_month), found);
        assert_eq!(day_of_date(year, month, day_of_month), Some(day));
    }
    for (year, month, day) in [
        (2023, 2, 29),
        (2100, 2, 29),
        (2024, 4, 31),
        (2024, 0, 1),
        (2024, 13, 1),
        (2024, 1, 0),
    ] {
        assert_eq!(day_of_date(year, month, day), None);
    }
    // Nothing overflows.
    for far in [i64::MIN, -1_000_001, 1_000_001, i64::MAX] {
        assert_eq!(day_of_date(far, 1, 1), None);
        let (year, month, day) = date_of_day(far);
        assert!(
            (1..=12).contains(&month) && (1..=31).contains(&day),
            "{year}"
        );
    }
    assert!(day_of_date(1_000_000, 12, 31).is_some());
}
