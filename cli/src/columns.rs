//! A table for people: columns as wide as their content, two blanks apart.
//!
//! Table crates wrap or cut wide cells. A URL must be neither wrapped nor cut, so that it can be
//! copied. A very long URL therefore sticks out of its row, and the other rows stay narrow.

use std::io::{self, Write};

use anstyle::Style;
use unicode_width::UnicodeWidthStr as _;

use crate::terminal::{self, ASIDE, printable};
use crate::wrap::wrapped;

/// The content of one place of a table.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    style: Style,
    text: String,
}

impl Cell {
    /// Control characters in `text` are escaped.
    pub(crate) fn new(text: &str) -> Cell {
        Cell::styled(Style::new(), text)
    }

    pub(crate) fn styled(style: Style, text: &str) -> Cell {
        Cell {
            style,
            text: printable(text),
        }
    }

    fn width(&self) -> usize {
        self.text.width()
    }
}

/// Prints the rows below a head. Where they are wider than the lines, each row is a list of its
/// cells.
pub(crate) fn write_table(out: &mut dyn Write, rows: Vec<Vec<Cell>>) -> io::Result<()> {
    write_table_within(out, rows, Some(terminal::usual_width()))
}

/// Prints the rows as [`write_table`] does, except that in a pipe each row stays one line.
pub(crate) fn write_whole_in_pipes(out: &mut dyn Write, rows: Vec<Vec<Cell>>) -> io::Result<()> {
    write_table_within(out, rows, terminal::width())
}

fn write_table_within(
    out: &mut dyn Write,
    rows: Vec<Vec<Cell>>,
    width: Option<usize>,
) -> io::Result<()> {
    let rows = without_empty(rows);
    let needed = width_of_all(&rows);
    match (width, rows.split_first()) {
        (Some(width), Some((head, rows))) if needed > width => write_lists(out, head, rows, width),
        _ => write(out, &rows),
    }
}

/// Prints rows whose cells can be read without their heads. The cells for which a line has no room
/// have lines of their own below it.
pub(crate) fn write_folded(out: &mut dyn Write, rows: &[Vec<Cell>]) -> io::Result<()> {
    write_folded_to(out, rows, terminal::usual_width())
}

fn write_folded_to(out: &mut dyn Write, rows: &[Vec<Cell>], width: usize) -> io::Result<()> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(|column| width_of(rows, column)).collect();
    for row in rows {
        let (mut aligned, mut start) = (row.clone(), 0);
        let mut fits = |(place, (cell, column)): (usize, (&Cell, &usize))| {
            let end = cell.width().saturating_add(start);
            start = start.saturating_add(*column).saturating_add(2);
            place == 0 || end <= width
        };
        let cells = row.iter().zip(&widths).enumerate();
        let fitting = cells.take_while(|cell| fits(*cell)).count();
        let folded = aligned.split_off(fitting);
        write_row(out, &aligned, &widths)?;
        for Cell { style, text } in folded.iter().filter(|cell| !cell.text.is_empty()) {
            for line in wrapped(&format!("    {text}"), width, 4) {
                writeln!(out, "{style}{line}{style:#}")?;
            }
        }
    }
    Ok(())
}

/// Prints the rows as [`write_table`] does, except that on narrower lines each row stays one line
/// and columns are left out: those at the given places, in this order, until the rest fits. A last
/// line has the names that are given with these places.
pub(crate) fn write_fitting(
    out: &mut dyn Write,
    rows: Vec<Vec<Cell>>,
    dispensable: &[(usize, &str)],
) -> io::Result<()> {
    let width = terminal::usual_width();
    match fitting(&rows, width, dispensable) {
        Some((rows, left_out)) if !left_out.is_empty() => {
            write(out, &rows)?;
            let left_out = left_out.join(", ");
            let note = format!("left out of lines of {width} columns: {left_out}; --json has them");
            let mut lines = wrapped(&note, width, 2).into_iter();
            lines.try_for_each(|line| writeln!(out, "{ASIDE}{line}{ASIDE:#}"))
        }
        _ => write_whole_in_pipes(out, rows),
    }
}

/// The rows with as many columns as fit, and the names of the other columns. `None` if even the
/// indispensable columns do not fit.
fn fitting<'a>(
    rows: &[Vec<Cell>],
    width: usize,
    dispensable: &[(usize, &'a str)],
) -> Option<(Vec<Vec<Cell>>, Vec<&'a str>)> {
    let mut rows = rows.to_vec();
    let mut left_out = Vec::new();
    let mut next = dispensable.iter();
    loop {
        let fitting = without_empty(rows.clone());
        if width_of_all(&fitting) <= width {
            return Some((fitting, left_out));
        }
        let (column, name) = next.next()?;
        for row in &mut rows {
            if let Some(cell) = row.get_mut(*column) {
                cell.text.clear();
            }
        }
        left_out.push(*name);
    }
}

fn width_of_all(rows: &[Vec<Cell>]) -> usize {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths = (0..columns).map(|column| width_of(rows, column).saturating_add(2));
    widths.sum::<usize>().saturating_sub(2)
}

fn write_lists(
    out: &mut dyn Write,
    head: &[Cell],
    rows: &[Vec<Cell>],
    width: usize,
) -> io::Result<()> {
    if let Some(Cell { style, text }) = head.first().filter(|cell| !cell.text.is_empty()) {
        writeln!(out, "{style}{text}{style:#}")?;
    }
    for row in rows {
        for (place, (name, Cell { style, text })) in head.iter().zip(row).enumerate() {
            let text = match (place, name.text.is_empty()) {
                (0, _) => text.clone(),
                _ if text.is_empty() => continue,
                (_, true) => format!("  {text}"),
                (_, false) => format!("  {}: {text}", name.text),
            };
            for line in wrapped(&text, width, 4) {
                writeln!(out, "{style}{line}{style:#}")?;
            }
        }
    }
    Ok(())
}

/// The rows without the columns that are empty below their heading, which is in the first row.
fn without_empty(rows: Vec<Vec<Cell>>) -> Vec<Vec<Cell>> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let is_filled = |column: usize| {
        let mut cells = rows.iter().skip(1).filter_map(|row| row.get(column));
        cells.any(|cell| !cell.text.is_empty())
    };
    let filled: Vec<bool> = (0..columns).map(is_filled).collect();
    let without = |row: Vec<Cell>| {
        let cells = row.into_iter().zip(&filled);
        cells
            .filter(|(_, is_filled)| **is_filled)
            .map(|(cell, _)| cell)
            .collect()
    };
    rows.into_iter().map(without).collect()
}

/// Prints the rows. The last cell of a row is not padded.
pub(crate) fn write(out: &mut dyn Write, rows: &[Vec<Cell>]) -> io::Result<()> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(|column| width_of(rows, column)).collect();
    rows.iter().try_for_each(|row| write_row(out, row, &widths))
}

fn write_row(out: &mut dyn Write, row: &[Cell], widths: &[usize]) -> io::Result<()> {
    let last = row.iter().rposition(|cell| !cell.text.is_empty());
    for (place, (cell, width)) in row.iter().zip(widths).enumerate() {
        let Cell { style, text } = cell;
        if Some(place) > last {
            break;
        }
        write!(out, "{style}{text}{style:#}")?;
        if Some(place) < last {
            write!(out, "{:1$}  ", "", width.saturating_sub(cell.width()))?;
        }
    }
    writeln!(out)
}

fn width_of(rows: &[Vec<Cell>], column: usize) -> usize {
    let cells = rows.iter().filter_map(|row| row.get(column));
    let widths = cells.map(Cell::width);
    widths
        .filter(|width| *width <= WIDEST_COLUMN)
        .max()
        .unwrap_or(0)
}

/// The widest cell that widens its column. A wider cell sticks out of its row, and does not push
/// the rest of all rows off the screen.
pub(crate) const WIDEST_COLUMN: usize = 80;

#[cfg(test)]
mod tests {
    use super::{Cell, WIDEST_COLUMN, fitting, without_empty, write, write_folded_to, write_lists};

    fn written(rows: &[&[&str]]) -> String {
        let row = |row: &&[&str]| row.iter().map(|text| Cell::new(text)).collect();
        let rows: Vec<Vec<Cell>> = rows.iter().map(row).collect();
        let mut out = Vec::new();
        write(&mut out, &rows).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        assert_eq!(
            written(&[&["a", "bb", "c"], &["aaa", "", ""], &["", "b", "c"]]),
            "a    bb  c\naaa\n     b   c\n"
        );
    }

    #[test]
    fn a_wide_character_takes_two_places() {
        assert_eq!(
            written(&[&["日本", "c"], &["abcd", "c"]]),
            "日本  c\nabcd  c\n"
        );
    }

    #[test]
    fn a_very_long_cell_sticks_out_alone() {
        let long = "x".repeat(WIDEST_COLUMN + 1);
        assert_eq!(
            written(&[&[&long, "c"], &["a", "c"]]),
            format!("{long}  c\na  c\n")
        );
    }

    #[test]
    fn a_row_that_is_too_wide_is_folded_and_the_others_are_not() {
        let row = |cells: &[&str]| cells.iter().map(|text| Cell::new(text)).collect();
        let long = "x".repeat(WIDEST_COLUMN + 1);
        let rows: Vec<Vec<Cell>> = vec![
            row(&["a", "/url", "one two three"]),
            row(&["b", "/path", "one two three four five", "six"]),
            row(&["c", &long, ""]),
        ];
        let mut out = Vec::new();
        write_folded_to(&mut out, &rows, 24).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            format!(
                "a  /url   one two three\nb  /path\n    one two three four\n    five\n    six\nc\n    {long}\n"
            )
        );
    }

    #[test]
    fn on_a_narrow_terminal_a_row_is_a_list() {
        let row =
            |cells: &[&str]| -> Vec<Cell> { cells.iter().map(|text| Cell::new(text)).collect() };
        let rows = [
            row(&["GPTBot", "nothing", ""]),
            row(&["a", "", "retired now"]),
        ];
        let mut out = Vec::new();
        write_lists(&mut out, &row(&["agent", "may fetch", ""]), &rows, 14).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "agent\nGPTBot\n  may fetch:\n    nothing\na\n  retired now\n"
        );
    }

    #[test]
    fn columns_are_left_out_in_their_order_until_the_rest_fits() {
        let row =
            |cells: &[&str]| -> Vec<Cell> { cells.iter().map(|text| Cell::new(text)).collect() };
        let rows = [row(&["a", "bb", "ccc"]), row(&["1", "22", "333"])];
        let dispensable = [(2, "c"), (1, "b")];
        let fitted = |width| {
            let (rows, left_out) = fitting(&rows, width, &dispensable)?;
            Some((rows.first().map(Vec::len)?, left_out))
        };
        assert_eq!(fitted(10), Some((3, vec![])));
        assert_eq!(fitted(9), Some((2, vec!["c"])));
        assert_eq!(fitted(1), Some((1, vec!["c", "b"])));
        assert_eq!(fitted(0), None);
    }

    #[test]
    fn columns_without_content_are_left_out() {
        let row =
            |cells: &[&str]| -> Vec<Cell> { cells.iter().map(|text| Cell::new(text)).collect() };
        let rows = without_empty(vec![row(&["a", "delay", "c"]), row(&["x", "", "y"])]);
        let mut out = Vec::new();
        write(&mut out, &rows).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a  c\nx  y\n");
    }

    #[test]
    fn no_cell_breaks_out_of_its_row() {
        assert_eq!(written(&[&["a\nb\u{1b}[31m"]]), "a\\u{a}b\\u{1b}[31m\n");
    }
}
