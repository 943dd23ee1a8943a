//! The law from its other side: a mistake of each code, planted in a fine file at a random place,
//! is named at its line.

use std::collections::BTreeMap;

use polite_robots::{Options, RobotsTxt};
use polite_robots_lint::{DiagnosticCode, Linter};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde::Deserialize;

use super::sentence::Table;
use crate::suite::notation::{self, Encoding, Repeat};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plant {
    below: Option<String>,
    instead: Option<String>,
    text: String,
    /// The line of the finding within the text; -1 for any line of the file.
    #[serde(default)]
    line: i32,
    encoding: Option<Encoding>,
    repeat: Option<Repeat>,
    max_bytes: Option<usize>,
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(16) })]

    #[test]
    fn a_planted_mistake_is_named_at_its_line(
        number in 100..1_000_u32,
        rules in vec(1..6_u32, 2),
        place: Index,
    ) {
        let fine = fine_file(&rules);
        let found = Linter::new().lint(&RobotsTxt::parse(fine.as_bytes()));
        prop_assert!(found.is_empty(), "{:?} in\n{}", found, fine);
        let plants = Table::read().plants;
        let of_file = || DiagnosticCode::ALL.iter().filter(|code| !code.needs_host());
        for code in of_file() {
            let plant = plants.get(code.as_str()).unwrap_or_else(|| panic!("{code} has no plant"));
            let (file, line) = plant.in_file(&fine, number, place);
            let mut options = Options::rfc9309();
            options.max_bytes = plant.max_bytes;
            let found = Linter::new().with_opinions().lint(&RobotsTxt::parse_with(&file, &options));
            let mut lines = found.iter().filter(|finding| finding.code() == *code).map(|finding| finding.line());
            let is_named = lines.any(|named| plant.line < 0 || named == line);
            prop_assert!(is_named, "{} is not at line {} of\n{}{:#?}", code, line, file.escape_ascii(), found);
        }
        prop_assert_eq!(plants.len(), of_file().count());
    }
}

/// A file without a finding, with some rules in each of its groups.
fn fine_file(rules: &[u32]) -> String {
    const COMMON: &str = "Disallow: /cart/\nDisallow: /account/\nAllow: /account/help/\n";
    let own = |group: usize| -> String {
        (0..rules[group])
            .map(|rule| format!("Disallow: /own{group}{rule}/\n"))
            .collect()
    };
    [
        "# The shop of Plum and Pear.\nUser-agent: Googlebot\n",
        &own(0),
        COMMON,
        "\nUser-agent: bingbot\nUser-agent: Applebot\n",
        COMMON,
        &own(1),
        "\nUser-agent: GPTBot\nDisallow: /\n\nUser-agent: *\n",
        COMMON,
        "\nSitemap: https://www.plum-and-pear.eu/sitemap.xml\n",
    ]
    .concat()
}

impl Plant {
    /// The file with the mistake, and the line of its finding.
    fn in_file(&self, fine: &str, number: u32, place: Index) -> (Vec<u8>, u32) {
        let text = self.text.replace("{n}", &number.to_string());
        let ends = |is_wanted: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let lines = fine.split_inclusive('\n');
            let ends = lines.scan(0, |end, line| {
                *end += line.len();
                Some((line, *end))
            });
            ends.filter(|(line, _)| is_wanted(line))
                .map(|(_, end)| end)
                .collect()
        };
        let (start, end) = match (self.below.as_deref(), self.instead.as_deref()) {
            (Some("top"), _) => (0, 0),
            (Some("end"), _) => (fine.len(), fine.len()),
            (_, Some("file")) => (0, fine.len()),
            (_, Some(old)) => {
                let starts: Vec<usize> = fine.match_indices(old).map(|(at, _)| at).collect();
                let start = starts[place.index(starts.len())];
                (start, start + old.len())
            }
            (Some(below), None) => {
                let ends = ends(&|line| match below {
                    "rule" => line.starts_with("Disallow: /o") || line.starts_with("Disallow: /c"),
                    "start" => line.starts_with("User-agent: "),
                    _ => {
                        line.trim_end().strip_prefix("User-agent: ")
                            == below.strip_prefix("group of ")
                    }
                });
                let end = ends[place.index(ends.len())];
                (end, end)
            }
            (None, None) => panic!("a plant has a place"),
        };
        let text = match &self.below {
            Some(below) if below != "top" => format!("{text}\n"),
            _ => text,
        };
        let text = notation::bytes(&text, self.repeat.as_ref(), self.encoding);
        let line = fine[..start].matches('\n').count() as i32 + 1 + self.line;
        let file = [&fine.as_bytes()[..start], &text, &fine.as_bytes()[end..]].concat();
        (file, u32::try_from(line.max(1)).unwrap())
    }
}

/// The mistakes by their codes.
pub(super) type Plants = BTreeMap<String, Plant>;
