//! The answers of ours that `docs/switching.md` states.

use polite_robots::{Options, Robot};

use crate::suite::repository::documents::{first_names, read, table_rows};

const DIFFERENCES: &str = "| difference | robots.txt | agent, path | ours | by |";
const OF_A_PARSER: &str = "| difference | its answer | questions | files |";

#[test]
fn our_answers_are_current() {
    let rows = table_rows(&read("docs/switching.md"), DIFFERENCES);
    for row in &rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let robots_txt = codes(cells[2]).join("\n").replace('⏎', "");
        let [agent, path] = codes(cells[3])[..] else {
            panic!("{row}");
        };
        let allowed = |options| {
            let robot = Robot::with_options(agent, robots_txt.as_bytes(), &options).unwrap();
            robot.allowed(path)
        };
        let expected = match (allowed(Options::rfc9309()), allowed(Options::google())) {
            (true, true) => "yes",
            (true, false) => "yes, Google: no",
            (false, true) => "no, Google: yes",
            (false, false) => "no",
        };
        assert_eq!(cells[4], expected, "{row}");
    }
    assert!(rows.len() >= 12, "only {} rows were found", rows.len());
}

#[test]
fn each_difference_of_a_parser_has_its_row() {
    let page = read("docs/switching.md");
    let known = first_names(&table_rows(&page, DIFFERENCES));
    let mut parsers = 0;
    for section in page
        .split("\n## ")
        .filter(|part| part.contains(OF_A_PARSER))
    {
        let found = first_names(&table_rows(section, OF_A_PARSER));
        assert!(!found.is_empty() && found.is_subset(&known), "{found:?}");
        parsers += 1;
    }
    assert!(parsers >= 8, "only {parsers} parsers were found");
}

/// The texts in backquotes.
fn codes(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}
