//! Tests of the page, parsed as a browser parses it.

use std::path::PathBuf;
use std::sync::Arc;

use polite_robots_lint::DiagnosticCode;
use scraper::{Html, Selector};

use crate::content::{BodyEnd, Content, Place, RobotsResponse, SkipReason};
use crate::depth::Depth;
use crate::input::Input;
use crate::part::Part;
use crate::report::document::{Chart, Document};
use crate::report::number::grouped;
use crate::report::{self, contents, page};
use crate::summary::access::of_known_crawlers;
use crate::summary::agents::ai_counts;
use crate::summary::merge::Merge as _;
use crate::summary::{Summary, file};

/// A summary in which no section is empty, with names that would break a page that does not escape
/// them.
fn surveyed() -> Summary {
    let mut summary = Summary::default();
    let files: [&[u8]; 5] = [
        b"User-agent: GPTBot\nUser-agent: </td><script>alert(1)</script>\nDisallow: /\n\nUser-agent: *\nDisallow: /a\n\
          Crawl-delay: 7.5\nSitemap: https://example.org/s.xml\n<img src=x>: x\nDisalow: /%zz",
        b"User-agent: *\nDisallow: /\nDisallow: /two words\nContent-Signal: ai-train=no, \"><b>=x\nLicense: https://example.com/l",
        b"User-agent: *\nAllow: /*.css$\nDisallow: /b$\nDisallow: /b$\nContent-Usage: train-ai=n",
        b"User-agent: Googlebot\nDisallow: x\n# caf\xC3\xA9\n",
        b"<html>\xFF\0",
    ];
    for (number, (file, times)) in (0..).zip(files.into_iter().zip(TIMES)) {
        for _ in 0..times {
            let content = Content::Response(response(200, number, file));
            summary.add(&content, Depth::Thorough);
        }
    }
    for (status, number) in [(404, 5), (503, 6), (301, 7)] {
        summary.add(
            &Content::Response(response(status, number, b"")),
            Depth::Thorough,
        );
    }
    summary.add(
        &Content::Skipped(SkipReason::OtherPath, place(8)),
        Depth::Thorough,
    );
    summary
}

/// The number of copies of each file. All subsets have different sums, so that a count shows which
/// files it contains.
const TIMES: [usize; 5] = [11, 23, 47, 97, 199];

fn place(number: u64) -> Place {
    Place {
        input: Arc::new(PathBuf::from("<i>.warc")),
        member: String::new(),
        offset: number,
    }
}

fn response(status: u16, number: u64, body: &[u8]) -> RobotsResponse {
    RobotsResponse {
        place: place(number),
        url: Some(format!("https://example.com/{number}?<script>")),
        status,
        content_type: Some(String::from("text/<b>")),
        cache_control: Some(format!("max-age={}", 1111 * number)),
        retry_after: Some(String::from("4321")),
        location: Some(String::from("https://example.org/")),
        body: body.to_vec(),
        end: BodyEnd::Complete,
    }
}

fn html_of(document: &Document) -> String {
    page::html(document)
}

fn select(page: &Html, selector: &str) -> Vec<String> {
    let selector = Selector::parse(selector).unwrap();
    let texts = page
        .select(&selector)
        .map(|element| element.text().collect());
    texts.collect()
}

#[test]
fn the_page_is_well_formed() {
    for summary in [surveyed(), Summary::default()] {
        let html = html_of(&contents::of_survey("A <title> & more", &summary));
        let page = Html::parse_document(&html);
        assert_eq!(page.errors, Vec::<std::borrow::Cow<'static, str>>::new());
        assert_eq!(select(&page, "title"), ["A <title> & more"]);
        assert_eq!(select(&page, "html[lang=en] h1").len(), 1);
        assert_eq!(select(&page, "main > section > h2").len(), 14);
    }
}

#[test]
fn a_large_domain_or_template_has_the_value_of_each_domain_once_beside_it() {
    let of = |domain: fn(u64) -> String| {
        let mut part = Part::new(Vec::new(), 512_000, Depth::Sampled).unwrap();
        for number in 0..1_000 {
            let is_shop = number < 600;
            let host = match is_shop {
                true => domain(number),
                false => format!("site{number}.example"),
            };
            let body = match is_shop {
                // Each shop has another sitemap, and all have one template.
                true => format!("User-agent: GPTBot\nDisallow: /\nSitemap: https://{host}/map.xml"),
                false => format!("# {number}"),
            };
            let url = format!("https://{host}/robots.txt");
            let content = Content::response(&url, 200, body.into_bytes());
            part.summary.add(&content, Depth::Sampled);
        }
        let document = report::survey("x", &part);
        let figure = document
            .figures
            .iter()
            .find(|figure| figure.label == "name an AI crawler");
        let figure = figure.unwrap();
        let html = html_of(&document);
        (figure.value.clone(), figure.by_domain.clone(), html)
    };
    let (value, by_domain, html) = of(|number| format!("shop{number}.farm.example"));
    assert_eq!((&*value, &*by_domain), ("60.0 %", "0.25 % of 401 domains"));
    assert!(html.contains(
        "60.0\u{a0}% of 1,000 files (0.25\u{a0}% of 401 domains) name an AI crawler, and 60.0\u{a0}% (0.25\u{a0}% of 401 \
         domains) block one"
    ));
    assert!(html.contains(
        "AI crawlers named most often, in % of 1,000 files, of which 60.0 % are of farm.example"
    ));
    let (_, by_domain, html) = of(|number| format!("shop{number}.example"));
    assert!(html.contains("in % of 1,000 files, of which 60.0 % have one template"));
    assert!(
        html.contains(
            "600 of 1,000 files, 60 %, are equal but for the hosts of URLs (600 domains)."
        )
    );
    assert_eq!(by_domain, "60.0 % of 1,000 domains");
}

#[test]
fn the_page_loads_and_runs_nothing() {
    let html = html_of(&contents::of_survey("x", &surveyed()));
    let page = Html::parse_document(&html);
    for selector in [
        "script", "link", "img", "iframe", "object", "[src]", "image", "use", "[onload]",
    ] {
        assert_eq!(select(&page, selector), Vec::<String>::new(), "{selector}");
    }
    assert!(!html.contains("<script") && !html.contains("url(") && !html.contains("@import"));
    let selector = Selector::parse("a").unwrap();
    for link in page.select(&selector) {
        let address = link.attr("href").unwrap();
        let is_page_of_code = DiagnosticCode::ALL
            .iter()
            .any(|code| code.page_url() == address);
        let is_chart = address.starts_with("data:image/svg+xml,");
        assert!(
            address.starts_with('#') || is_page_of_code || is_chart,
            "{address}"
        );
    }
}

#[test]
fn names_from_files_are_text() {
    let html = html_of(&contents::of_survey("x", &surveyed()));
    let page = Html::parse_document(&html);
    let codes = select(&page, "td code");
    for hostile in ["<img src=x>", "\"><b>=x", "text/<b>"] {
        assert!(codes.iter().any(|code| code == hostile), "{hostile}");
    }
    assert!(codes.iter().any(|code| code.contains("?<script>")));
}

#[test]
fn every_number_of_the_summary_is_on_the_page() {
    let summary = surveyed();
    let html = html_of(&contents::of_survey("x", &summary));
    let page = Html::parse_document(&html);
    let cells: std::collections::BTreeSet<String> = select(&page, "td")
        .into_iter()
        .map(|cell| cell.trim().into())
        .collect();
    let mut missing = Vec::new();
    for (path, number) in numbers("", &serde_json::to_value(&summary).unwrap()) {
        if !cells.contains(&grouped(number)) && !cells.contains(&number.to_string()) {
            missing.push((path, number));
        }
    }
    assert_eq!(missing, []);
}

/// The numbers that a report must show: not those that only merging needs, nor times, which are
/// shown with units.
fn numbers(path: &str, value: &serde_json::Value) -> Vec<(String, u64)> {
    use serde_json::Value;

    match value {
        Value::Number(number) => {
            let number = number.as_u64().map(|number| (String::from(path), number));
            Vec::from_iter(number)
        }
        Value::Array(values) => values
            .iter()
            .flat_map(|value| numbers(path, value))
            .collect(),
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| {
                !["buckets", "hashes", "timings", "place", "distinct"].contains(&name.as_str())
            })
            .flat_map(|(name, value)| numbers(&format!("{path}.{name}"), value))
            .collect(),
        _ => Vec::new(),
    }
}

#[test]
fn charts_are_named_and_have_text_in_the_colours_of_the_page() {
    let html = html_of(&contents::of_survey("x", &surveyed()));
    let page = Html::parse_document(&html);
    let figures = select(&page, "figure").len();
    assert!(figures > 8, "{figures}");
    assert_eq!(
        select(&page, "figure > svg.wide[role=img][aria-labelledby]").len(),
        figures
    );
    assert_eq!(
        select(&page, "figure > svg.narrow[role=img][aria-labelledby]").len(),
        figures
    );
    assert!(
        select(&page, "figure svg text")
            .iter()
            .any(|text| text.contains("GPTBot"))
    );
    let selector = Selector::parse("figure svg [fill], figure svg [stroke]").unwrap();
    for shape in page.select(&selector) {
        for name in ["fill", "stroke"] {
            let colour = shape.attr(name).unwrap_or("none");
            assert!(colour == "none" || colour.starts_with("var(--"), "{colour}");
        }
    }
}

#[test]
fn every_chart_has_a_headline_with_a_figure_and_can_be_saved() {
    let html = html_of(&contents::of_survey("A <title>", &surveyed()));
    let page = Html::parse_document(&html);
    let figures = select(&page, "figure").len();
    let headlines = select(&page, "figure figcaption strong");
    assert_eq!(headlines.len(), figures);
    for headline in headlines {
        assert!(
            headline.contains(|c: char| c.is_ascii_digit()),
            "{headline}"
        );
        assert!(headline.ends_with('.'), "{headline}");
    }
    let selector = Selector::parse("figure .save a[download]").unwrap();
    let links: Vec<_> = page.select(&selector).collect();
    assert_eq!(links.len(), figures);
    for link in links {
        let address = link.attr("href").unwrap();
        assert!(address.is_ascii() && !address.contains([' ', '<', '"', '#']));
        let svg = decoded(address.strip_prefix("data:image/svg+xml,").unwrap());
        assert!(
            svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "),
            "{svg}"
        );
        for absent in ["var(", "<script", "href", "url(", "class="] {
            assert!(!svg.contains(absent), "{absent} in {svg}");
        }
        // A file has its headline and its source, and is well-formed on its own.
        let page = Html::parse_document(&format!("<!DOCTYPE html><title>x</title>{svg}"));
        assert_eq!(page.errors, Vec::<std::borrow::Cow<'static, str>>::new());
        let texts = select(&page, "text");
        assert!(texts.last().unwrap().contains("A <title>"), "{texts:?}");
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            let digits = std::str::from_utf8(&digits).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// The charts with this title.
fn charts<'d>(document: &'d Document, title: &str) -> Vec<&'d Chart> {
    let sections = document.sections.iter();
    let charts = sections.flat_map(|section| &section.charts);
    charts.filter(|chart| chart.title.contains(title)).collect()
}

/// The shares of a row, rounded to tenths of a percent.
fn row(chart: &Chart, label: &str) -> Vec<f64> {
    let at = chart
        .labels
        .iter()
        .position(|known| known == label)
        .unwrap();
    let shares = chart.series.iter().map(|series| series.percent[at]);
    shares.map(|share| (share * 10.0).round() / 10.0).collect()
}

#[test]
fn crawlers_are_shown_by_how_much_they_may_fetch() {
    let document = contents::of_survey("x", &surveyed());
    let [chart] = charts(
        &document,
        "How much the AI crawlers and the largest others may fetch",
    )[..] else {
        panic!("one chart");
    };
    // 11, 23, 47, 97 and 199 of 377 files: the second closes everyone out, the first GPTBot only.
    assert_eq!(row(chart, "GPTBot"), [9.0, 12.5, 78.5]);
    assert_eq!(row(chart, "any other crawler"), [6.1, 15.4, 78.5]);
    // The rule of its group begins with no slash, and so never matches.
    assert_eq!(row(chart, "Googlebot"), [6.1, 15.4, 78.5]);
    assert_eq!(
        chart.headline,
        "9.0 % of 377 files let GPTBot fetch none of the site; 6.1 % do so with a crawler that they do not name, and 6.1 % with Googlebot."
    );
    let none = contents::of_survey("x", &Summary::default());
    assert!(charts(&none, "largest others may fetch").is_empty());
}

/// In files of 2019 `Exabot` is the crawler of a search engine, and would lead the AI crawlers.
#[test]
fn a_token_of_two_operators_is_noted_and_training_is_a_key_figure() {
    let mut summary = Summary::default();
    for (file, times) in [("Exabot", 5), ("GPTBot", 2), ("PerplexityBot", 1), ("x", 2)] {
        let file = format!("User-agent: {file}\nDisallow: /");
        for _ in 0..times {
            let content = Content::Response(response(200, 0, file.as_bytes()));
            summary.add(&content, Depth::Thorough);
        }
    }
    let document = contents::of_survey("x", &summary);
    let figure = |label: &str| {
        let mut figures = document.figures.iter();
        figures
            .find(|figure| figure.label == label)
            .unwrap()
            .value
            .clone()
    };
    assert_eq!(figure("name an AI crawler"), "30.0 %");
    assert_eq!(figure("name a crawler for AI training"), "20.0 %");
    let [chart] = charts(&document, "AI crawlers named most often")[..] else {
        panic!("one chart");
    };
    assert_eq!(chart.labels, ["GPTBot", "PerplexityBot"]);
    let [agents] = charts(&document, "Agents named most often")[..] else {
        panic!("one chart");
    };
    assert_eq!(row(agents, "ExaBot"), [50.0, 50.0]);
    let page = Html::parse_document(&html_of(&document));
    let [text] = &select(&page, "#ai-crawlers .text")[..] else {
        panic!("one text");
    };
    assert!(
        text.contains(
            "ExaBot of Exa is left out, as Exalead has or had a crawler of the same token"
        )
    );
}

#[test]
fn responses_are_shown_by_status_and_by_what_they_mean() {
    let document = contents::of_survey("x", &surveyed());
    let [statuses] = charts(&document, "Responses by status")[..] else {
        panic!("one chart");
    };
    assert_eq!(statuses.labels[0], "200 OK");
    // One of 380 responses.
    assert_eq!(row(statuses, "404 Not Found"), [0.3]);
    let [outcomes] = charts(&document, "What RFC 9309 makes of the responses")[..] else {
        panic!("one chart");
    };
    assert_eq!(row(outcomes, "all disallowed: 5xx"), [0.3]);
    let sum: f64 = outcomes.series[0].percent.iter().sum();
    assert!((sum - 100.0).abs() < 1e-9, "{sum}");
    let mut files = Summary::default();
    files.add(&Content::Response(response(200, 0, b"")), Depth::Thorough);
    let files = contents::of_survey("x", &files);
    assert!(charts(&files, "Responses by status").is_empty());
}

#[test]
fn strata_are_shown_side_by_side() {
    let closed = b"User-agent: GPTBot\nDisallow: /";
    let named = b"User-agent: GPTBot\nDisallow: /a";
    let mut part = Part::new(Vec::new(), 512_000, Depth::Thorough).unwrap();
    for (label, files) in [
        ("10 to 100", [&named[..], b"", b"", b""]),
        ("top <10>", [closed, closed, named, b""]),
        ("(unlisted)", [b"", b"", b"", b""]),
    ] {
        let stratum = part.strata.entry(String::from(label)).or_default();
        for file in files {
            let parsed = file::parse(file).unwrap();
            let facts = file::collect_facts(file, 0, &parsed, Depth::Sampled).unwrap();
            let accesses = of_known_crawlers(&facts.agents, facts.everyone.as_ref());
            stratum.files += 1;
            stratum.ai.merge(ai_counts(&facts));
            stratum.known_access.add(&accesses);
            let content = Content::Response(response(200, 0, file));
            part.summary.add(&content, Depth::Thorough);
        }
    }
    let document = report::survey("x", &part);
    let strata = document
        .sections
        .iter()
        .find(|section| section.id == "strata");
    let [named, openness] = &strata.unwrap().charts[..] else {
        panic!("two charts");
    };
    let labels: Vec<&str> = named
        .series
        .iter()
        .map(|series| series.name.as_str())
        .collect();
    assert_eq!(labels, ["top <10>", "10 to 100", "(unlisted)"]);
    assert_eq!(row(named, "GPTBot"), [75.0, 25.0, 0.0]);
    assert_eq!(
        named.headline,
        "75.0 % of 4 files of “top <10>” name an AI crawler, and 0 % of 4 files of “(unlisted)”."
    );
    assert_eq!(row(openness, "top <10>"), [50.0, 25.0, 25.0]);
    assert_eq!(row(openness, "(unlisted)"), [0.0, 0.0, 100.0]);

    let page = Html::parse_document(&html_of(&document));
    assert_eq!(page.errors, Vec::<std::borrow::Cow<'static, str>>::new());
    let texts = select(&page, "#strata svg.wide text");
    assert!(texts.contains(&String::from("top <10>")) && texts.contains(&String::from("75.0")));
    assert_eq!(select(&page, "#strata .legend").len(), 1);
    let cells = select(&page, "#strata td");
    assert!(cells.contains(&String::from("top <10>")) && cells.contains(&String::from("75.0 %")));
}

/// A label ends where the bars begin, whatever font there is.
#[test]
fn labels_are_anchored_and_nothing_is_measured() {
    let html = html_of(&contents::of_survey("x", &surveyed()));
    let page = Html::parse_document(&html);
    let selector = Selector::parse("figure > svg.wide").unwrap();
    for svg in page.select(&selector) {
        assert_eq!(
            (svg.attr("width"), svg.attr("viewBox")),
            (Some("100%"), None)
        );
        let line = Selector::parse("line").unwrap();
        let start = svg.select(&line).next().unwrap().attr("x1").unwrap();
        let text = Selector::parse("text[text-anchor=end][dx='-8']").unwrap();
        let labels: Vec<_> = svg.select(&text).collect();
        assert!(!labels.is_empty());
        assert!(labels.iter().all(|label| label.attr("x") == Some(start)));
    }
    assert!(!html.contains("font-family=\"Roboto"));
}

#[test]
fn tables_are_folded_but_those_of_text() {
    let html = html_of(&contents::of_survey("x", &surveyed()));
    let page = Html::parse_document(&html);
    let all = select(&page, "table").len();
    let folded = select(&page, "details:not([open]) table").len();
    let of_text = select(&page, "#method table").len();
    assert_eq!(folded + of_text, all);
    assert!(folded > 20 && of_text == 2, "{folded} {of_text}");
    assert_eq!(
        select(&page, "details > summary").len(),
        select(&page, "details").len()
    );
}

#[test]
fn a_report_says_where_its_numbers_come_from() {
    let inputs = vec![Input::standard_input("<crawl>.warc.gz".as_ref())];
    let mut part = Part::new(inputs, 512_000, Depth::Sampled).unwrap();
    for date in ["2026-02-03", "2026-01-31"] {
        part.add_run(date);
    }
    part.provenance.records.add("2024-05-01T10:00:00");
    let default = report::survey("Default", &part);
    assert_eq!(default.title, "Default");
    part.set_title("Crawls of <May>");
    let page = Html::parse_document(&html_of(&report::survey("Default", &part)));
    assert_eq!(select(&page, "h1"), ["Crawls of <May>"]);
    let facts = select(&page, "footer .provenance div").join("\n");
    for fact in [
        "Inputs1 input of 0 B: <crawl>.warc.gz",
        "Responses recordedon 2024-05-01",
        "Surveyedfrom 2026-01-31 to 2026-02-03",
        "Depthsampled: ",
        "Read of each fileat most 500 KiB",
        concat!("Programpolite-robots-survey ", env!("CARGO_PKG_VERSION")),
    ] {
        assert!(facts.contains(fact), "{fact}: {facts}");
    }
    let dates = "Recorded on 2024-05-01. Surveyed from 2026-01-31 to 2026-02-03.";
    assert_eq!(select(&page, "header .dates"), [dates]);
    assert!(select(&page, "td").contains(&String::from("<crawl>.warc.gz")));
}
