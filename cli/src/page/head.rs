//! The head of a response, as `curl -i` prints it: the fields of its last block, and where the body
//! begins.

use crate::fetched_page::PageAnswer;
use crate::input::Input;
use crate::terminal::printable;

/// The fields of a response, line by line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) status: Option<u16>,
    pub(super) fields: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Head {
    /// Splits the output of `curl -i` into the last head and the body. Text without a status line
    /// at its start is all body.
    ///
    /// With redirects or a proxy there are several heads; the last one belongs to the page.
    pub(super) fn before_body<'t>(
        text: &'t [u8],
        input: &Input,
    ) -> Result<(Head, &'t [u8]), HeadError> {
        let mut head = Head::default();
        let mut rest = text;
        let mut line = 1;
        while rest.starts_with(STATUS_LINE) {
            (head, rest) = Head::block(rest, input, &mut line)?;
        }
        Ok((head, rest))
    }

    /// Reads a file of nothing but heads, with or without status lines. The last one counts.
    pub(super) fn last(text: &[u8], input: &Input) -> Result<Head, HeadError> {
        let mut head = Head::default();
        let mut rest = text;
        let mut line = 1;
        while !rest.trim_ascii().is_empty() {
            let (block, after) = Head::block(rest, input, &mut line)?;
            if block != Head::default() {
                head = block;
            }
            rest = after;
        }
        match head.fields.is_empty() {
            true => Err(HeadError::Empty {
                input: input.clone(),
            }),
            false => Ok(head),
        }
    }

    /// The status, if no search engine indexes a page with it: Google indexes the pages of 2xx
    /// [alone](https://developers.google.com/search/docs/crawling-indexing/http-network-errors).
    pub(super) fn status_without_index(&self) -> Option<u16> {
        self.status.filter(|status| !(200..300).contains(status))
    }

    /// The head of a page that was fetched.
    pub(super) fn of_answer(answer: &PageAnswer) -> Head {
        Head {
            status: Some(answer.status),
            fields: answer.fields.clone(),
        }
    }

    /// Adds a field of the command line, `Name: value`.
    pub(super) fn add(&mut self, text: &str) -> Result<(), String> {
        match field(text.as_bytes()) {
            Some(field) => {
                self.fields.push(field);
                Ok(())
            }
            None => Err(format!(
                "`{}` is no header field; write name, colon and value, as in `X-Robots-Tag: noindex`",
                printable(text)
            )),
        }
    }

    /// One block up to its blank line, and the text after that.
    fn block<'t>(
        text: &'t [u8],
        input: &Input,
        number: &mut usize,
    ) -> Result<(Head, &'t [u8]), HeadError> {
        let mut head = Head::default();
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.iter().position(|byte| *byte == b'\n');
            let end = end.unwrap_or(rest.len());
            let (line, after) = rest.split_at_checked(end).unwrap_or((rest, b""));
            rest = after.get(1..).unwrap_or_default();
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let this = *number;
            *number = number.saturating_add(1);
            if line.is_empty() {
                break;
            }
            if line.starts_with(STATUS_LINE) && head == Head::default() {
                head.status = status(line);
                continue;
            }
            match (line.first(), head.fields.last_mut()) {
                // A folded line goes on with the value before it (RFC 9112 §5.2).
                (Some(b' ' | b'\t'), Some((_, value))) => {
                    value.push(b' ');
                    value.extend_from_slice(line.trim_ascii());
                }
                _ => match field(line) {
                    Some(field) => head.fields.push(field),
                    None => {
                        return Err(HeadError::NoField {
                            input: input.clone(),
                            line: this,
                            text: excerpt(line),
                        });
                    }
                },
            }
        }
        Ok((head, rest))
    }
}

/// The status in a line such as `HTTP/1.1 200 OK` or `HTTP/2 200`.
fn status(line: &[u8]) -> Option<u16> {
    let word = line.split(u8::is_ascii_whitespace).nth(1)?;
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// The name and the value of a field line, if the name has only the characters of a name.
fn field(line: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (name, value) = line.split_at_checked(colon)?;
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    let is_name = !name.is_empty() && name.iter().all(is_token);
    let value = value.get(1..).unwrap_or_default().trim_ascii();
    is_name.then(|| (name.to_vec(), value.to_vec()))
}

fn excerpt(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    printable(&text.chars().take(MOST_SHOWN).collect::<String>())
}

/// A file that should hold a head and does not.
#[derive(Debug, thiserror::Error)]
pub(super) enum HeadError {
    #[error(
        "{input}, line {line}: `{text}` is no header field; a head has lines such as `X-Robots-Tag: noindex`, as `curl -sI` prints them"
    )]
    NoField {
        input: Input,
        line: usize,
        text: String,
    },
    #[error(
        "{input} holds no header field; a head has lines such as `X-Robots-Tag: noindex`, as `curl -sI` prints them"
    )]
    Empty { input: Input },
}

const STATUS_LINE: &[u8] = b"HTTP/";

/// The most of a line that a message shows, which is enough to recognize it.
const MOST_SHOWN: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(head: &Head) -> Vec<(String, String)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let fields = head.fields.iter();
        fields
            .map(|(name, value)| (text(name), text(value)))
            .collect()
    }

    #[test]
    fn the_last_head_counts_and_the_body_follows() {
        let text = b"HTTP/1.1 301 Moved\r\nX-Robots-Tag: noindex\r\n\r\nHTTP/2 200\r\nx-robots-tag: a,\r\n  b\r\n\r\nHTTP: <p>";
        let (head, body) = Head::before_body(text, &Input::StandardInput).unwrap();
        assert_eq!(head.status, Some(200));
        assert_eq!(fields(&head), [("x-robots-tag".into(), "a, b".into())]);
        assert_eq!(body, b"HTTP: <p>");
        let (head, body) = Head::before_body(b"<p>", &Input::StandardInput).unwrap();
        assert_eq!((head, body), (Head::default(), &b"<p>"[..]));
    }

    #[test]
    fn a_head_may_lack_its_status() {
        let head = Head::last(b"A: b\nC:d\n\n", &Input::StandardInput).unwrap();
        assert_eq!(
            fields(&head),
            [("A".into(), "b".into()), ("C".into(), "d".into())]
        );
        for text in [&b""[..], b"\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"] {
            let error = Head::last(text, &Input::StandardInput).unwrap_err();
            assert!(matches!(error, HeadError::Empty { .. }), "{error}");
        }
        let error = Head::last(b"A: b\n<html>\n", &Input::StandardInput).unwrap_err();
        let message = error.to_string();
        assert!(
            message.starts_with("standard input, line 2: `<html>` is no header field"),
            "{message}"
        );
    }

    #[test]
    fn a_status_line_as_a_loop_comes_to_its_end() {
        let (head, body) = Head::before_body(b"HTTP/", &Input::StandardInput).unwrap();
        assert_eq!((head, body.len()), (Head::default(), 0));
    }
}
