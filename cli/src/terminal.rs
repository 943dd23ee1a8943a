//! Prints with colours on a terminal, and prints nothing that a terminal would obey.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
pub(crate) use polite_robots_audit::printable::{is_safe, printable};

pub(crate) const ALLOWED: Style = AnsiColor::Green.on_default();
pub(crate) const DISALLOWED: Style = AnsiColor::Red.on_default();
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const ADDED: Style = AnsiColor::Green.on_default();
pub(crate) const REMOVED: Style = AnsiColor::Red.on_default();
pub(crate) const EMPHASIS: Style = Style::new().bold();
/// The style of words that repeat on every line.
pub(crate) const ASIDE: Style = Style::new().dimmed();

/// The columns of the terminal, if standard output is one. Otherwise the value of `COLUMNS` counts,
/// as in clap; `None` if it is not set.
pub(crate) fn width() -> Option<usize> {
    let of_terminal = terminal_size::terminal_size_of(io::stdout());
    let of_terminal = of_terminal.map(|(columns, _)| usize::from(columns.0));
    let columns = of_terminal.or_else(|| std::env::var("COLUMNS").ok()?.parse().ok())?;
    Some(columns).filter(|columns| *columns >= NARROWEST)
}

/// The columns of the terminal, or 80 if their number is not known.
pub(crate) fn usual_width() -> usize {
    width().unwrap_or(USUAL_WIDTH)
}

/// Prints to standard output: with colours on a terminal, without in a pipe, unless the environment
/// says otherwise.
///
/// A reader that has seen enough and closes the pipe is no failure.
pub(crate) fn print(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), PrintError> {
    print_to(AutoStream::auto(io::stdout().lock()), write)
}

/// Prints a file: byte for byte into a pipe or a file, and on a terminal without anything that it
/// would obey. It has no colours, even if they are forced.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), PrintError> {
    let out = io::stdout();
    if out.is_terminal() {
        print(|out| write_printable(out, bytes))
    } else {
        print_to(out.lock(), |out| out.write_all(bytes))
    }
}

/// Prints an answer to another program. Half an answer is none, so it is a failure if the reader
/// leaves before the end.
#[cfg(feature = "survey")]
pub(crate) fn print_whole(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), PrintError> {
    let mut out = io::stdout();
    if out.is_terminal() {
        let mut bytes = Vec::new();
        write(&mut bytes).map_err(PrintError)?;
        return print_bytes(&bytes);
    }
    write(&mut out)
        .and_then(|()| out.flush())
        .map_err(PrintError)
}

fn write_printable(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    String::from_utf8_lossy(bytes)
        .split_inclusive('\n')
        .try_for_each(|line| match line.strip_suffix('\n') {
            Some(line) => writeln!(out, "{}", printable(line)),
            None => write!(out, "{}", printable(line)),
        })
}

/// Prints output that a person sees in another form than a program that reads it through a pipe.
pub(crate) fn print_for_reader(
    write: impl FnOnce(&mut dyn Write, Reader) -> io::Result<()>,
) -> Result<(), PrintError> {
    let out = io::stdout();
    if out.is_terminal() || AutoStream::choice(&out) != ColorChoice::Never {
        return print(|out| write(out, Reader::Person));
    }
    // `AutoStream` would drop the escape sequences that a file holds.
    print_to(out.lock(), |out| write(out, Reader::Program))
}

/// The reader of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Colours, and nothing that a terminal would obey.
    Person,
    /// Byte for byte, without styles.
    Program,
}

impl Reader {
    pub(crate) fn style(self, style: Style) -> Style {
        match self {
            Reader::Person => style,
            Reader::Program => Style::new(),
        }
    }
}

fn print_to(
    out: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), PrintError> {
    let mut out = BufWriter::new(out);
    printed(write(&mut out).and_then(|()| out.flush()))
}

/// The result of printing to standard output. If the reader has left, that is no failure.
pub(crate) fn printed(result: io::Result<()>) -> Result<(), PrintError> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(PrintError),
    }
}

/// The failure of standard output, for example on a full disk.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output: {0}")]
pub(crate) struct PrintError(#[source] io::Error);

/// Prints an error to standard error. The run goes on with other files.
pub(crate) fn error(message: fmt::Arguments<'_>) {
    tell(format_args!("{ERROR}error:{ERROR:#} {message}"));
}

/// Prints a warning to standard error.
pub(crate) fn warn(message: fmt::Arguments<'_>) {
    tell(format_args!("{WARNING}warning:{WARNING:#} {message}"));
}

/// Prints a line to standard error. An answer does not fail because this line cannot be printed.
pub(crate) fn tell(message: fmt::Arguments<'_>) {
    let _ = writeln!(AutoStream::auto(io::stderr().lock()), "{message}");
}

/// The width that lines in a pipe or a file are read in.
const USUAL_WIDTH: usize = 80;

/// The narrowest width that is believed. A terminal that states a smaller one is wrong.
const NARROWEST: usize = 20;

#[cfg(test)]
mod tests {
    use super::write_printable;

    #[test]
    fn a_file_on_a_terminal_keeps_its_lines_and_nothing_else() {
        let mut out = Vec::new();
        write_printable(&mut out, b"User-agent: *\r\nDisallow: /\xE9\x1b[31m").unwrap();
        let written = String::from_utf8(out).unwrap();
        assert_eq!(
            written,
            "User-agent: *\\u{d}\nDisallow: /\u{fffd}\\u{1b}[31m"
        );
    }
}
