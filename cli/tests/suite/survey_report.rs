//! The report of `robots survey`, and `robots survey compare`.

use std::fs;
use std::path::{Path, PathBuf};

use scraper::{Html, Selector};
use serde_json::Value;

use crate::suite::robots::{Run, robots, scratch};

#[test]
fn a_survey_writes_a_page_with_its_figures() {
    let folder = corpus(
        "page",
        &[
            "User-agent: GPTBot\nDisallow: /",
            "User-agent: *\nDisallow: /a",
        ],
    );
    let page = folder.with_extension("html");
    let run = robots([
        "survey".as_ref(),
        folder.as_os_str(),
        "--report".as_ref(),
        page.as_ref(),
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let page = Html::parse_document(&fs::read_to_string(page).unwrap());
    let figures = select(&page, ".figures dd");
    assert_eq!(figures[..4], ["2", "2", "50.0 %", "50.0 %"]);
    assert!(run.stdout.contains("AI crawlers"), "{}", run.stdout);
    assert!(run.stdout.contains("named: 50.0 %"), "{}", run.stdout);
}

#[test]
fn the_page_of_merged_parts_is_that_of_one_survey() {
    let folder = corpus(
        "merged",
        &[
            "User-agent: *\nDisallow: /",
            "User-agent: *\nDisallow: /a",
            "#",
        ],
    );
    let files: Vec<PathBuf> = (0..3)
        .map(|number| folder.join(number.to_string()))
        .collect();
    let one = survey("merged-one", &files);
    let parts = [
        survey("merged-a", &files[..1]),
        survey("merged-b", &files[1..]),
    ];
    let merged = folder.with_extension("merged.json");
    let page = folder.with_extension("merged.html");
    let run = robots([
        "survey".as_ref(),
        "merge".as_ref(),
        parts[0].as_os_str(),
        parts[1].as_os_str(),
        "--out".as_ref(),
        merged.as_os_str(),
        "--report".as_ref(),
        page.as_os_str(),
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(summary(&merged), summary(&one));
    assert!(
        fs::read_to_string(page)
            .unwrap()
            .contains("A survey of robots.txt")
    );
}

#[test]
fn a_page_that_cannot_be_written_is_told() {
    let folder = corpus("unwritable", &["#"]);
    let page = folder.join("0").join("page.html");
    let run = robots([
        "survey".as_ref(),
        folder.as_os_str(),
        "--report".as_ref(),
        page.as_os_str(),
    ]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    let message = format!("error: cannot write `{}`: ", page.display());
    assert!(run.stderr.starts_with(&message), "{}", run.stderr);
}

#[test]
fn every_file_is_looked_at_unless_there_is_a_lot_to_read() {
    let files: Vec<String> = (0..800)
        .map(|number| format!("User-agent: *\nDisallow: /{number}"))
        .collect();
    let folder = corpus("thorough", &files);
    let counts = |out: &str, more: &[&str]| {
        let out = folder.with_extension(out);
        let _ = fs::remove_file(&out);
        let arguments = [
            "survey".as_ref(),
            folder.as_os_str(),
            "--out".as_ref(),
            out.as_os_str(),
        ];
        let run = robots(arguments.into_iter().chain(more.iter().map(AsRef::as_ref)));
        assert_eq!(run.code, 0, "{}", run.stderr);
        let summary = summary(&out);
        (
            summary["findings"]["linted"].clone(),
            summary["dialects"]["compared"].clone(),
        )
    };
    assert_eq!(counts("small.json", &[]), (800.into(), 800.into()));
    let large = fs::File::create(folder.join("large")).unwrap();
    large.set_len(64 << 20).unwrap();
    let little = ["--max-bytes", "1000"];
    assert_eq!(
        counts("all.json", &[&["--thorough"], &little[..]].concat()),
        (801.into(), 801.into())
    );
    let (linted, compared) = counts("some.json", &little);
    let (linted, compared) = (linted.as_u64().unwrap(), compared.as_u64().unwrap());
    assert!((75..=125).contains(&linted), "one in 8: {linted}");
    assert!((13..=40).contains(&compared), "one in 32: {compared}");
}

#[test]
fn five_mebibytes_of_a_robots_txt_are_read_unless_told_otherwise() {
    let folder = corpus("limit", &["#"]);
    let out = survey("limit", &[folder]);
    let part: Value = serde_json::from_slice(&fs::read(out).unwrap()).unwrap();
    assert_eq!(part["max_bytes"], 5 << 20);
}

#[test]
fn two_surveys_are_compared_by_shares() {
    let old = corpus(
        "compare-old",
        &["User-agent: *\nDisallow: /a", "User-agent: *\nDisallow: /b"],
    );
    let new = corpus(
        "compare-new",
        &[
            "User-agent: GPTBot\nDisallow: /",
            "User-agent: *",
            "#",
            "# b",
        ],
    );
    let (old, new) = (survey("old", &[old]), survey("new", &[new]));

    let run = compare(&old, &new, &["--labels", "before", "after"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let gptbot = run
        .stdout
        .lines()
        .find(|line| line.starts_with("GPTBot"))
        .unwrap();
    let words: Vec<&str> = gptbot.split_whitespace().collect();
    assert_eq!(words, ["GPTBot", "0", "%", "25.0", "%", "+25.0", "points"]);
    assert!(run.stdout.contains("before") && run.stdout.contains("after"));

    let json: Value = serde_json::from_str(&compare(&old, &new, &["--json"]).stdout).unwrap();
    assert_eq!(
        (&json["old"]["label"], &json["new"]["files"]),
        (&"old".into(), &4.into())
    );
    let measures = json["measures"].as_array().unwrap();
    let named = measures
        .iter()
        .find(|measure| measure["topic"] == "ai-crawlers-disallowed" && measure["name"] == "GPTBot")
        .unwrap();
    assert_eq!(
        named["old"],
        serde_json::json!({"count": 0, "of": 2, "percent": 0.0})
    );
    assert_eq!(
        (&named["new"]["count"], &named["change"]),
        (&1.into(), &25.0.into())
    );

    let page = new.with_extension("html");
    let run = compare(&old, &new, &["--report", page.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let page = Html::parse_document(&fs::read_to_string(page).unwrap());
    assert_eq!(select(&page, "h1"), ["robots.txt: old and new"]);
    assert_eq!(select(&page, ".legend li")[..2], ["old", "new"]);
    assert!(select(&page, "figure svg text").contains(&String::from("GPTBot")));
}

#[test]
fn a_series_of_surveys_has_a_column_for_each() {
    let parts: Vec<PathBuf> = (1..=3)
        .map(|closed| {
            let robots_txts = [
                "User-agent: GPTBot\nDisallow: /",
                "User-agent: GPTBot\nDisallow: /a",
                "User-agent: GPTBot\nDisallow:",
            ];
            let robots_txts: Vec<&str> = (0..3)
                .map(|at| robots_txts[if at < closed { 0 } else { at }])
                .collect();
            let name = format!("series-{closed}");
            survey(&name, &[corpus(&name, &robots_txts)])
        })
        .collect();
    let series = |more: &[&str]| {
        let mut arguments = vec!["survey", "compare"];
        arguments.extend(parts.iter().map(|part| part.to_str().unwrap()));
        robots([&arguments[..], more].concat())
    };
    let run = series(&["--json", "--labels", "2019", "2022", "2024"]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        json["surveys"][1],
        serde_json::json!({"label": "2022", "files": 3})
    );
    assert_eq!(json["old"], Value::Null);
    let measures = json["measures"].as_array().unwrap();
    let mut measures = measures.iter();
    let none = measures
        .find(|measure| measure["topic"] == "ai-crawlers-none" && measure["name"] == "GPTBot");
    let none = none.unwrap();
    let counts: Vec<u64> = none["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| value["count"].as_u64().unwrap())
        .collect();
    assert_eq!(counts, [1, 2, 3]);
    assert!((none["change"].as_f64().unwrap() - 200.0 / 3.0).abs() < 1e-9);

    let page = scratch().join("series.html");
    let run = series(&[
        "--labels",
        "a",
        "b",
        "c",
        "--report",
        page.to_str().unwrap(),
    ]);
    assert!(
        run.stdout
            .starts_with("3 files of a, 3 files of b, 3 files of c."),
        "{run:?}"
    );
    assert!(run.stdout.contains("33.3 %  66.7 %  100 %"), "{run:?}");
    let page = Html::parse_document(&fs::read_to_string(page).unwrap());
    assert_eq!(select(&page, "title"), ["robots.txt: a, b and c"]);
    assert_eq!(select(&page, ".legend li")[..3], ["a", "b", "c"]);
    let headlines = select(&page, "#ai-crawlers-none figcaption strong");
    assert_eq!(
        headlines[1].replace('\u{a0}', " "),
        "100 % of 3 files of c let GPTBot fetch none of the site, and 33.3 % of 3 files of a."
    );

    // Each of more than three surveys has a column.
    let four = scratch().join("series-of-four.html");
    let run = series(&[
        parts[1].to_str().unwrap(),
        "--labels",
        "a",
        "b",
        "c",
        "d",
        "--report",
        four.to_str().unwrap(),
    ]);
    assert_eq!(run.code, 0, "{run:?}");
    let four = Html::parse_document(&fs::read_to_string(four).unwrap());
    let first = select(
        &four,
        "#ai-crawlers-none figure:first-of-type svg.wide text",
    );
    assert_eq!(first[..4], ["a", "b", "c", "d"]);
    let at = first.iter().position(|text| text == "GPTBot").unwrap();
    assert_eq!(first[at + 1..at + 5], ["33.3", "66.7", "100", "66.7"]);
    let labels = series(&["--labels", "a", "b"]);
    assert_eq!(labels.code, 2);
    assert!(
        labels.stderr.contains("there are 2 labels for 3 surveys"),
        "{labels:?}"
    );
}

#[test]
fn what_is_no_survey_is_not_compared() {
    let folder = corpus("no-survey", &["#"]);
    let survey = survey("is-survey", &[&folder]);
    let run = compare(&survey, &folder.join("0"), &[]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("is not a part of a survey"),
        "{}",
        run.stderr
    );
    let run = compare(&survey, &folder.join("missing"), &[]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("cannot read "), "{}", run.stderr);
}

#[test]
fn what_looks_like_a_change_and_is_none_is_told() {
    let folder = corpus("differences", &["#", "# 1"]);
    let old = survey("differences-old", &[folder.join("0")]);
    let new = survey("differences-new", &[folder]);
    let same = compare(&old, &new, &[]);
    assert_eq!((same.code, same.stderr.as_str()), (0, ""));
    let lead = "1 file of differences-old, 2 files of differences-new. ";
    assert!(same.stdout.starts_with(lead), "{}", same.stdout);

    let mut part: Value = serde_json::from_slice(&fs::read(&new).unwrap()).unwrap();
    let mut change = |field: &str, value: Value| {
        part[field] = value;
        fs::write(&new, part.to_string()).unwrap();
        compare(&old, &new, &["--json"])
    };
    let run = change("depth", "sampled".into());
    assert_eq!(run.code, 0);
    assert!(
        run.stderr.starts_with("warning: `")
            && run.stderr.contains("was surveyed as --thorough does, `")
            && run.stderr.contains("new.json` as --sampled: "),
        "{}",
        run.stderr
    );
    let run = change("max_bytes", 7.into());
    assert_eq!(run.code, 0);
    let message = "was read with --max-bytes 5242880, `";
    assert!(run.stderr.contains(message), "{}", run.stderr);
    assert!(run.stderr.contains("new.json` with 7: "), "{}", run.stderr);
    let run = change("is_complete", false.into());
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    let way_out = "is not finished; go on with it: robots survey --resume --out ";
    assert!(run.stderr.contains(way_out), "{}", run.stderr);
}

#[test]
fn surveys_of_one_name_are_told_apart_by_their_paths() {
    let folder = corpus("same-names", &["#"]);
    let file = folder.join("0");
    let [old, new] = ["2019", "2024"].map(|year| {
        fs::create_dir_all(folder.join(year)).unwrap();
        let path = folder.join(year).join("survey.json");
        fs::copy(survey("same-name", &[&file]), &path).unwrap();
        path
    });
    let run = compare(&old, &new, &["--json"]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(json["old"]["label"], old.to_str().unwrap());
    assert_eq!(json["new"]["label"], new.to_str().unwrap());
}

/// A folder of files, named by their numbers.
fn corpus<T: AsRef<str>>(name: &str, files: &[T]) -> PathBuf {
    let folder = scratch().join(format!("report-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (number, file) in files.iter().enumerate() {
        fs::write(folder.join(number.to_string()), file.as_ref()).unwrap();
    }
    folder
}

/// Surveys the paths, and returns the path of the survey.
fn survey<P: AsRef<Path>>(name: &str, paths: &[P]) -> PathBuf {
    let out = scratch()
        .join("report-surveys")
        .join(format!("{name}.json"));
    fs::create_dir_all(out.parent().unwrap()).unwrap();
    let _ = fs::remove_file(&out);
    let mut arguments = vec!["survey".as_ref(), "--out".as_ref(), out.as_os_str()];
    arguments.extend(paths.iter().map(|path| path.as_ref().as_os_str()));
    let run = robots(arguments);
    assert_eq!(run.code, 0, "{}", run.stderr);
    out
}

/// The part that is the same in every run.
fn summary(survey: &Path) -> Value {
    let mut part: Value = serde_json::from_slice(&fs::read(survey).unwrap()).unwrap();
    let mut summary = part["summary"].take();
    summary.as_object_mut().unwrap().remove("timings").unwrap();
    summary
}

fn compare(old: &Path, new: &Path, more: &[&str]) -> Run {
    let arguments = [
        "survey".as_ref(),
        "compare".as_ref(),
        old.as_os_str(),
        new.as_os_str(),
    ];
    robots(arguments.into_iter().chain(more.iter().map(AsRef::as_ref)))
}

fn select(page: &Html, selector: &str) -> Vec<String> {
    let selector = Selector::parse(selector).unwrap();
    let text =
        |element: scraper::ElementRef<'_>| String::from(element.text().collect::<String>().trim());
    page.select(&selector).map(text).collect()
}
