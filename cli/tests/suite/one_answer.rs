//! All subcommands give one answer to the question what a crawler does with a URL: the same
//! verdict, dialect and note.

use std::collections::HashMap;

use polite_robots::{Dialect, Target};
use polite_robots_audit::known;
use proptest::collection::{hash_set, vec};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::Value;

use crate::suite::robots::{file, robots};

proptest! {
    // A case asks about 10 agents and 20 URLs or more through six doors. `.ci/long answers` asks
    // 100,000 questions.
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: std::env::var("ONE_ANSWER_CASES").map_or(6, |cases| cases.parse().unwrap()),
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_door_gives_the_same_answer(
        lines in vec(line(), 0..30),
        agents in agents(),
        paths in hash_set(path(), 20..40),
    ) {
        let robots_txt = lines.concat();
        let urls: Vec<String> = paths.iter().map(|path| format!("https://example.com{path}")).collect();
        let answers = check(&robots_txt, &agents, &urls);
        prop_assert_eq!(answers.len(), agents.len() * urls.len());
        prop_assert_eq!(&answers, &check_json(&robots_txt, &agents, &urls), "check --json");
        prop_assert_eq!(&answers, &sitemap(&robots_txt, &agents, &urls), "check --sitemap");
        prop_assert_eq!(&answers, &test(&robots_txt, &agents, &urls), "test");
        let disallowed: Answers =
            answers.iter().filter(|(_, answer)| !answer.allowed).map(|(key, answer)| (key.clone(), answer.clone())).collect();
        prop_assert_eq!(&disallowed, &diff(&robots_txt, &agents, &urls), "diff --url");
        for (agent, found) in obeyed(&robots_txt, &agents, &urls) {
            let asked = |url: &&String| is_in_a_log(url);
            let of_agent = urls.iter().filter(asked).map(|url| &answers[&(agent.clone(), url.clone())]);
            let (mut disallowed, mut noted, mut dialect) = (0, 0, None);
            for answer in of_agent {
                disallowed += u64::from(!answer.allowed);
                noted += u64::from(answer.note.is_some());
                dialect = Some(answer.dialect.clone());
            }
            if let Some(dialect) = dialect {
                prop_assert_eq!(found, (disallowed, noted, dialect), "obeyed {} in\n{}", agent, robots_txt);
            }
        }
    }
}

/// The answers about agents and URLs.
type Answers = HashMap<(String, String), Answer>;

#[derive(Debug, Clone, PartialEq)]
struct Answer {
    allowed: bool,
    line: Option<u64>,
    dialect: String,
    note: Option<String>,
}

impl Answer {
    fn new(fields: &Value) -> Answer {
        Answer {
            allowed: fields["allowed"].as_bool().unwrap(),
            line: fields["line"].as_u64(),
            dialect: fields["dialect"].as_str().unwrap().to_owned(),
            note: fields["note"].as_str().map(str::to_owned),
        }
    }
}

fn check(robots_txt: &str, agents: &[String], urls: &[String]) -> Answers {
    let output = checked(robots_txt, agents, &["--ndjson"], urls, "--urls");
    let lines = output.lines();
    lines.map(|line| keyed(&document(line), None)).collect()
}

fn check_json(robots_txt: &str, agents: &[String], urls: &[String]) -> Answers {
    let output = document(&checked(robots_txt, agents, &["--json"], urls, "--urls"));
    let agents = output["agents"].as_array().unwrap().iter();
    let of_agent = |agent: &Value| {
        let results = agent["results"].as_array().unwrap().clone();
        let name = agent["agent"].as_str().unwrap().to_owned();
        results
            .into_iter()
            .map(move |result| keyed(&result, Some(&name)))
            .collect::<Vec<_>>()
    };
    agents.flat_map(of_agent).collect()
}

fn sitemap(robots_txt: &str, agents: &[String], urls: &[String]) -> Answers {
    let output = checked(robots_txt, agents, &["--ndjson"], urls, "--sitemap");
    let lines = output.lines();
    lines.map(|line| keyed(&document(line), None)).collect()
}

fn checked(
    robots_txt: &str,
    agents: &[String],
    options: &[&str],
    urls: &[String],
    list: &str,
) -> String {
    let robots_txt = file("one-answer.robots.txt", robots_txt);
    let urls = file("one-answer.urls.txt", urls.join("\n") + "\n");
    let paths = [&robots_txt, &urls].map(|path| path.to_str().unwrap());
    run(
        agents,
        &[&["check", paths[0], list, paths[1]], options].concat(),
    )
}

/// The output of a subcommand that is asked about agents.
fn run(agents: &[String], arguments: &[&str]) -> String {
    let agents = agents.iter().map(|agent| format!("--agent={agent}"));
    let arguments = arguments.iter().map(|argument| (*argument).to_owned());
    let run = robots(arguments.chain(agents));
    assert!(run.code < 2, "{run:?}");
    run.stdout
}

fn test(robots_txt: &str, agents: &[String], urls: &[String]) -> Answers {
    let questions = || {
        agents
            .iter()
            .flat_map(|agent| urls.iter().map(move |url| (agent, url)))
    };
    let expectations: String = questions()
        .map(|(agent, url)| format!("{agent} {url} allow # {agent}\n"))
        .collect();
    let robots_txt = file("one-answer.tested.txt", robots_txt);
    let expectations = file("one-answer.expectations.txt", expectations);
    let arguments = [
        "test",
        expectations.to_str().unwrap(),
        // The table has names of companies and products, which are refused without `--exact`.
        "--exact",
        "--json",
        "--robots-txt",
        robots_txt.to_str().unwrap(),
    ];
    let run = robots(arguments);
    assert!(run.code < 2, "{run:?}");
    let output = document(&run.stdout);
    let results = output["expectations"][0]["results"].as_array().unwrap();
    let asked = results.iter().map(|result| {
        let text = |name: &str| result[name].as_str().unwrap().to_owned();
        (
            (text("agent"), text("url")),
            Answer::new(&result["verdict"]),
        )
    });
    asked.collect()
}

/// The answers that differ from those of an empty file.
fn diff(robots_txt: &str, agents: &[String], urls: &[String]) -> Answers {
    let new = file("one-answer.new.txt", robots_txt);
    let urls = file("one-answer.asked.txt", urls.join("\n") + "\n");
    let paths = [&new, &urls].map(|path| path.to_str().unwrap());
    let output = run(
        agents,
        &["diff", "-", paths[0], "--json", "--urls", paths[1]],
    );
    let output = document(&output);
    let mut answers = Answers::new();
    for agent in output["agents"].as_array().unwrap() {
        for verdict in agent["verdicts"].as_array().unwrap() {
            let mut new = verdict["new"].clone();
            new["dialect"] = agent["dialect"].clone();
            let text = |of: &Value, name: &str| of[name].as_str().unwrap().to_owned();
            let key = (text(agent, "agent"), text(verdict, "url"));
            answers.insert(key, Answer::new(&new));
        }
    }
    answers
}

/// The disallowed requests of each crawler, those with a note, and the dialect.
fn obeyed(
    robots_txt: &str,
    agents: &[String],
    urls: &[String],
) -> Vec<(String, (u64, u64, String))> {
    let mut log = String::new();
    for agent in agents {
        for url in urls.iter().filter(|url| is_in_a_log(url)) {
            // A log has the request, and not the text that it was made of.
            let path = Target::requested(url).path(Dialect::Google).into_owned();
            let path = String::from_utf8(path).unwrap();
            log += &format!(
                "192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] \"GET {path} HTTP/1.1\" 200 5 \"-\" \"{agent}/1.0\"\n"
            );
        }
    }
    let robots_txt = file("one-answer.obeyed.txt", robots_txt);
    let log_is_empty = log.is_empty();
    let log = file("one-answer.log", log);
    let arguments = [
        "obeyed",
        "--json",
        "--robots",
        robots_txt.to_str().unwrap(),
        log.to_str().unwrap(),
    ];
    let run = robots(arguments);
    // Without a request nothing was asked.
    if log_is_empty {
        return Vec::new();
    }
    assert!(run.code < 2, "{run:?}");
    let output = document(&run.stdout);
    let crawlers = output["crawlers"].as_array().unwrap().iter();
    let of_crawler = |crawler: &Value| {
        let count = |name: &str| crawler[name].as_u64().unwrap();
        let dialect = crawler["dialect"].as_str().unwrap().to_owned();
        let name = crawler["crawler"].as_str().unwrap().to_owned();
        (name, (count("disallowed"), count("noted"), dialect))
    };
    crawlers.map(of_crawler).collect()
}

/// A log has no text that clients read in two ways, and a request for `/robots.txt` is not judged.
fn is_in_a_log(url: &str) -> bool {
    let path = Target::requested(url).path(Dialect::Rfc9309).into_owned();
    !url.contains(['\\', '"']) && !path.starts_with(b"/robots.txt")
}

fn document(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn keyed(fields: &Value, agent: Option<&str>) -> ((String, String), Answer) {
    let agent = agent.unwrap_or_else(|| fields["agent"].as_str().unwrap());
    let url = fields["url"].as_str().unwrap();
    ((agent.to_owned(), url.to_owned()), Answer::new(fields))
}

/// Known crawlers, those that read files in a way of their own among them.
fn agents() -> impl Strategy<Value = Vec<String>> {
    let others: Vec<&str> = known::all()
        .iter()
        .map(known::KnownCrawler::token)
        .collect();
    (subsequence(OWN_WAYS, 6), subsequence(others, 4)).prop_map(|(own, others)| {
        let mut agents: Vec<String> = own
            .iter()
            .chain(&others)
            .map(|name| (*name).to_owned())
            .collect();
        agents.sort_unstable();
        agents.dedup();
        agents
    })
}

const OWN_WAYS: &[&str] = &[
    "Googlebot",
    "Googlebot-Image",
    "Google-InspectionTool",
    "AdsBot-Google",
    "Google-Extended",
    "Applebot",
    "bingbot",
    "ClaudeBot",
    "YandexBot",
    "GPTBot",
];

fn line() -> impl Strategy<Value = String> {
    let name = select(
        &[
            "*",
            "*",
            "Googlebot",
            "Googlebot-Image",
            "AdsBot-Google",
            "Applebot",
            "msnbot",
            "bingbot",
            "Yandex",
            "Claude-Web",
            "ClaudeBot",
            "GPTBot",
            "Googlebot/2.1",
            "MJ12bot",
            "ExampleBot",
        ][..],
    );
    let value = select(
        &[
            "/",
            "",
            "/a",
            "/a/",
            "/café/",
            "/caf%C3%A9",
            "/caf%c3%a9/x",
            "/*.php$",
            "/d/",
            "/d/index.html",
            "/%61b",
            "/a b",
            "*é",
            "/x/../b",
            "/\\b",
            "/*?q=",
            "/;p",
            "//",
            "/robots.txt",
            "/~u",
            "/a%2Fb",
        ][..],
    );
    let rule = select(
        &[
            "Allow",
            "Disallow",
            "Disallow",
            "DisallowAITraining",
            "Allow-x",
        ][..],
    );
    prop_oneof![
        2 => name.prop_map(|name| format!("User-agent: {name}\n")),
        4 => (rule, value).prop_map(|(field, value)| format!("{field}: {value}\n")),
        1 => Just("\n".to_owned()),
        1 => Just("Sitemap: https://example.com/map.xml\n".to_owned()),
    ]
}

fn path() -> impl Strategy<Value = String> {
    let parts = select(
        &[
            "/",
            "/",
            "a",
            "b",
            "caf",
            "é",
            "%C3%A9",
            "%c3%a9",
            "..",
            ".",
            "%2e%2e",
            "\\",
            "?",
            "q=",
            ";p",
            "%61b",
            "index.html",
            "d",
            "robots.txt",
            "x.php",
            "~u",
            "|",
            "%2F",
            "ツ",
        ][..],
    );
    vec(parts, 0..8).prop_map(|parts| format!("/{}", parts.concat()))
}
