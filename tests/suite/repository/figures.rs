//! The figures of speed in the documents are those of `docs/results.md`.

use std::collections::BTreeSet;

use crate::suite::repository::documents::{DOCUMENTS, read, table_rows};

const PAGE: &str = "docs/results.md";

#[test]
fn quoted_figures_are_among_the_results() {
    let head = "| door | figure | peer | ours | peer's | times as fast | least to most |";
    let rows = table_rows(&read(PAGE), head);
    let measured: BTreeSet<&str> = rows
        .iter()
        .map(|row| row.split(" | ").nth(5).unwrap())
        .collect();
    let mut count = 0;
    for document in DOCUMENTS.iter().filter(|document| **document != PAGE) {
        let text = read(document);
        assert!(!text.contains("times faster"), "{document}: say `as fast`");
        for figure in quoted(&text) {
            assert!(measured.contains(figure), "{document}: {figure} times");
            count += 1;
        }
    }
    assert!(count >= 10, "only {count} figures were found");
}

/// The numbers before each "times as fast", and those with `×`.
fn quoted(text: &str) -> Vec<&str> {
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    let mut figures: Vec<&str> = text
        .split_whitespace()
        .filter_map(|word| word.strip_suffix('×').filter(is_number))
        .collect();
    let flat: Vec<&str> = text.split_whitespace().collect();
    for at in 0..flat.len() {
        if is_fast(&flat[at..]) {
            let before = flat[..at].iter().rev().copied();
            let numbers = before.take_while(|word| is_number(word) || ["and", "to"].contains(word));
            figures.extend(numbers.filter(is_number));
        }
    }
    figures
}

/// Whether the words are "times as fast" with a mark after them.
fn is_fast(words: &[&str]) -> bool {
    matches!(words, ["times", "as", fast, ..] if fast.trim_end_matches([',', '.', ':', ';']) == "fast")
}

#[test]
fn figures_are_found() {
    let text = "It is 4.4 and 8 times as fast as one,\n3 to\n5 times as fast; 7× more, and four times as fast.";
    assert_eq!(quoted(text), ["7", "8", "4.4", "5", "3"]);
}
