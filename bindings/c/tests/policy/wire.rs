//! The answers of `testdata/wire.toml`, read as a client that makes no mistake reads them.

use toml::{Table, Value};

use super::both::{Answer, ask, c_cache, next};
use super::{START, list, testdata};
use polite_robots::{polite_cache_end, polite_cache_free, polite_robot_free};
use polite_robots_policy::NetError;

const SITE: &str = "http://example.com";
/// `polite_net_error`.
const INVALID_RESPONSE: (u8, NetError) = (6, NetError::InvalidResponse);
const RESET: (u8, NetError) = (4, NetError::Reset);

#[test]
fn answers_on_the_wire_mean_what_the_table_says() {
    let text = std::fs::read_to_string(testdata("wire.toml")).unwrap();
    let table: Table = toml::from_str(&text).unwrap();
    let (mut count, mut wrong) = (0, Vec::new());
    for shape in list(table.get("shape")) {
        for bytes in sent(shape) {
            count += 1;
            let heard = hear(shape, &bytes);
            let of = |key: &str| shape.get(key).and_then(Value::as_str).unwrap_or_default();
            let expected = (of("access").to_owned(), of("cause").to_owned());
            let is_cause = expected.1 == "any" || heard.0 != "closed" && heard.1.is_empty();
            if heard.0 != expected.0 && expected.0 != "any" || !is_cause && heard.1 != expected.1 {
                wrong.push(format!(
                    "{} of {}: {heard:?}, not {expected:?}",
                    bytes.len(),
                    of("name")
                ));
            }
        }
    }
    println!("C: {count} answers on the wire, {} wrong", wrong.len());
    assert!(wrong.is_empty() && count > 150, "{count} {wrong:#?}");
}

/// The bytes of an answer, or of each of its cuts.
fn sent(shape: &Value) -> Vec<Vec<u8>> {
    let text = |key: &str| shape.get(key).and_then(Value::as_str).unwrap_or_default();
    let number = |key: &str| {
        shape
            .get(key)
            .and_then(Value::as_integer)
            .map(|n| n as usize)
    };
    let mut bytes = text("send").replace("{host}", "example.com").into_bytes();
    let hex = text("body_hex");
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    bytes.extend((0..hex.len()).step_by(2).map(byte));
    bytes.extend(
        text("repeat")
            .repeat(number("repeats").unwrap_or(0))
            .bytes(),
    );
    if shape.get("cuts").is_none() {
        return vec![bytes];
    }
    let cuts = number("cuts_from").unwrap_or(0)..number("cuts_until").unwrap_or(bytes.len());
    cuts.map(|at| bytes[..at].to_vec()).collect()
}

/// The access and the cause that a cache of C makes of an answer.
fn hear(shape: &Value, bytes: &[u8]) -> (String, String) {
    let cache = c_cache(0);
    let private = format!("{SITE}/private/x");
    let (_, _, fetch) = ask(cache, &private, START);
    loop {
        let step = next(fetch, START);
        if step.step != 1 {
            break;
        }
        let url =
            unsafe { std::slice::from_raw_parts(step.url.data.cast::<u8>(), step.url.length) };
        let path = std::str::from_utf8(url).unwrap().strip_prefix(SITE);
        let page = |path: &str| shape.get("pages")?.get(path)?.as_str();
        let answer = match path {
            Some("/robots.txt") => read_to(shape, bytes),
            path => match path.and_then(page) {
                Some(page) => read(page.replace("{host}", "example.com").as_bytes()),
                None => read(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"),
            },
        };
        answer.to_c(fetch, step.max_bytes as usize, START);
    }
    unsafe { polite_cache_end(cache, fetch, START) };
    let (open, robot, _) = ask(cache, &format!("{SITE}/x"), START);
    unsafe { polite_robot_free(robot) };
    let (found, robot, _) = ask(cache, &private, START);
    unsafe { polite_robot_free(robot) };
    unsafe { polite_cache_free(cache) };
    let access = match (open.answer, found.answer) {
        (1, 1) => "open",
        (1, 2) => "rules",
        _ => "closed",
    };
    let cause = match found.cause {
        0 if access == "open" => "no_rules",
        0 => "",
        2 => &found.status.to_string(),
        4 => "unreachable",
        5 => "too_many_redirects",
        6 => "truncated",
        10 => "encoded",
        _ => "another",
    };
    (access.to_owned(), cause.to_owned())
}

/// Reads an answer and the end of its connection. One that drips for a minute is not waited for,
/// and a reset is an end only after a stated one.
fn read_to(shape: &Value, bytes: &[u8]) -> Answer {
    let mut answer = read(bytes);
    if shape.get("drip").is_some() {
        answer.error = Some((3, NetError::Read));
    }
    let is_end_stated = answer.headers.iter().any(|(name, _)| {
        name.eq_ignore_ascii_case("Content-Length")
            || name.eq_ignore_ascii_case("Transfer-Encoding")
    });
    answer.is_cut |= shape.get("then") == Some(&Value::from("reset")) && !is_end_stated;
    answer
}

/// Reads an answer after which the connection ends.
fn read(bytes: &[u8]) -> Answer {
    let mut answer = Answer {
        status: 0,
        headers: Vec::new(),
        body: Vec::new(),
        is_cut: false,
        error: None,
        is_refused: false,
    };
    let Some(end) = bytes.windows(4).position(|end| end == b"\r\n\r\n") else {
        answer.error = Some(if bytes.starts_with(b"HTTP/1.") || bytes.is_empty() {
            RESET
        } else {
            INVALID_RESPONSE
        });
        return answer;
    };
    let (head, body) = (&bytes[..end], &bytes[end + 4..]);
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let first = String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned();
    let status = first
        .strip_prefix("HTTP/1.")
        .and_then(|rest| rest.get(2..)?.split(' ').next())
        .filter(|status| status.len() == 3)
        .and_then(|status| status.parse().ok());
    match status {
        // The answer follows.
        Some(100..=199) => return read(body),
        Some(status) => answer.status = status,
        None => {
            answer.error = Some(INVALID_RESPONSE);
            return answer;
        }
    }
    for line in lines {
        let colon = line
            .iter()
            .position(|byte| *byte == b':')
            .unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default().trim_ascii();
        let name = String::from_utf8_lossy(&line[..colon]).into_owned();
        answer.headers.push((name, value.to_vec()));
    }
    let field = |name: &str| {
        let mut fields = answer
            .headers
            .iter()
            .filter(|(known, _)| known.eq_ignore_ascii_case(name));
        fields
            .next()
            .map(|(_, value)| String::from_utf8_lossy(value).into_owned())
    };
    if field("Transfer-Encoding").is_some_and(|coding| coding.ends_with("chunked")) {
        (answer.body, answer.is_cut) = unchunked(body);
    } else {
        let lengths = answer
            .headers
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case("Content-Length"));
        let lengths: Vec<&[u8]> = lengths.map(|(_, value)| &**value).collect();
        let number = |value: &[u8]| std::str::from_utf8(value).ok()?.parse().ok();
        let stated: Option<usize> = lengths.first().and_then(|length| number(length));
        if lengths
            .iter()
            .any(|length| stated.is_none() || number(length) != stated)
        {
            answer.error = Some(INVALID_RESPONSE);
        }
        answer.body = body[..body.len().min(stated.unwrap_or(usize::MAX))].to_vec();
        answer.is_cut = stated.is_some_and(|stated| body.len() < stated) && answer.status != 204;
    }
    answer
}

/// The bytes in chunks, and whether they broke off.
fn unchunked(mut rest: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    loop {
        let Some(end) = rest.windows(2).position(|end| end == b"\r\n") else {
            return (body, true);
        };
        let size = std::str::from_utf8(&rest[..end]).unwrap_or_default();
        let size = size.split(';').next().unwrap_or_default().trim();
        let Ok(size) = usize::from_str_radix(size, 16) else {
            return (body, true);
        };
        rest = &rest[end + 2..];
        if size == 0 {
            return (body, false);
        }
        body.extend(&rest[..rest.len().min(size)]);
        if rest.len() < size + 2 {
            return (body, true);
        }
        rest = &rest[size + 2..];
    }
}
