//! Writes the first inputs of the targets from the cases of testdata/: `seeds FOLDER` fills
//! `FOLDER/<target>/`.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use arbitrary::{Arbitrary as _, Unstructured};
use lzma_rust2::XzReader;
use polite_robots::RobotsTxt;
use polite_robots_fuzz::{AGENTS, Question, trailing_length};
use toml::{Table, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let corpus = PathBuf::from(std::env::args_os().nth(1).ok_or("seeds FOLDER")?);
    let mut seeds = Seeds::default();
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata");
    seeds.take_recorded(&testdata.join("recorded/verdicts.jsonl.xz"))?;
    for folder in [
        "rfc9309",
        "google",
        "issues",
        "hostile",
        "records",
        "diagnostics",
    ] {
        for entry in fs::read_dir(testdata.join(folder))? {
            seeds.take_cases(&fs::read_to_string(entry?.path())?.parse()?);
        }
    }
    for (target, seeds) in [
        ("parse", &seeds.questions),
        ("dialect", &seeds.questions),
        ("lint_fix", &seeds.questions),
        ("records", &seeds.questions),
        ("c_abi", &seeds.questions),
        ("matcher", &seeds.rules),
        ("sent_url", &texts(URLS)),
        ("sitemap", &texts(SITEMAPS)),
        ("access_log", &texts(LOGS)),
    ] {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder)?;
        for (number, seed) in seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
        println!("{target}: {} seeds", seeds.len());
    }
    Ok(())
}

/// The seeds of targets that read a file as it is.
fn texts(files: &[&str]) -> BTreeSet<Vec<u8>> {
    files.iter().map(|file| file.as_bytes().to_vec()).collect()
}

const URLS: &[&str] = &[
    " https:/\\\\u:p@Example.com:0443/a/./b/%2e%2E/c\\..\\d?e/../f#g",
    "ht\ttp://0x7f.1/C:/../x/.",
    "http:[::ffff:1.2.3.4]?/a",
    "https://ex%61mple.com./..//.%2e/%zz",
    "http://0x7f\u{FEFF}.1/a",
];

const SITEMAPS: &[&str] = &[
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
     <url><loc>https://example.com/a?b&amp;c</loc><lastmod>2026-01-01</lastmod></url></urlset>",
    "<sitemapindex><!-- --><sitemap><loc><![CDATA[ http://e.com/s.xml ]]></loc></sitemap></sitemapindex>",
    "<!DOCTYPE x [<!ENTITY a \"b\">]><urlset><url><loc>http://e.com/&a;&#x41;</loc></url></urlset>",
    "https://example.com/\n\nhttp://example.com/a?b\r\n/no-host\n",
    "\u{feff}https://example.com/\u{e9}\n",
];

const LOGS: &[&str] = &[
    "192.0.2.1 - - [20/Nov/2026:09:00:00 +0000] \"GET /robots.txt HTTP/1.1\" 200 1 \"-\" \"GPTBot/1.2\"\n\
     192.0.2.1 - - [20/Nov/2026:09:00:01 +0000] \"GET /a HTTP/1.1\" 200 1 \"-\" \"GPTBot/1.2\"\n",
    "example.com:443 192.0.2.1 - - [20/Nov/2026:09:00:01 -0930] \"GET /a\\x22 HTTP/2\" 200 1 \"-\" \"x\\\"bot/1\"\n",
    "{\"ClientRequestURI\":\"/a\",\"ClientRequestUserAgent\":\"RudeBot/1\",\"EdgeStartTimestamp\":1763629200000000000}\n",
    "{\"request\":{\"uri\":\"/a\",\"host\":\"example.com\",\"headers\":{\"User-Agent\":[\"ABot\"]}},\"ts\":1763629200.5}\n",
    "{\"request_uri\":\"/\",\"http_user_agent\":\"Mozilla/5.0\",\"time_iso8601\":\"2026-11-20T09:00:00+00:00\"}\n\n-\n",
];

#[derive(Default)]
struct Seeds {
    questions: BTreeSet<Vec<u8>>,
    rules: BTreeSet<Vec<u8>>,
}

impl Seeds {
    /// Takes every twentieth row, as the others are too similar to help the fuzzer.
    fn take_recorded(&mut self, file: &Path) -> Result<(), Box<dyn Error>> {
        let mut text = String::new();
        XzReader::new(fs::File::open(file)?, true).read_to_string(&mut text)?;
        for row in text.lines().step_by(20) {
            let (body, agent, url, _, _): (String, String, String, String, String) =
                serde_json::from_str(row)?;
            let body: Result<Vec<u8>, _> = body.chars().map(u8::try_from).collect();
            self.take(&agent, &url, &body?);
        }
        Ok(())
    }

    fn take_cases(&mut self, file: &Table) {
        for kind in ["case", "hit", "near_miss"] {
            let cases = file.get(kind).and_then(Value::as_array);
            for case in cases.into_iter().flatten() {
                let text = |field| case.get(field).and_then(Value::as_str);
                // One repetition of a text is enough for the fuzzer.
                let robots = text("robots").unwrap_or_default().replace("{@}", "*a");
                let asked = ["checks", "asks", "clean"].map(|field| case.get(field));
                let urls = asked.into_iter().flatten().flat_map(urls);
                for url in urls.chain(["/".into()]) {
                    self.take(
                        text("agent").unwrap_or("ExampleBot"),
                        &url,
                        robots.as_bytes(),
                    );
                }
            }
        }
    }

    fn take(&mut self, agent: &str, url: &str, file: &[u8]) {
        let agent = AGENTS
            .iter()
            .position(|known| known.eq_ignore_ascii_case(agent));
        let question = Question {
            google: false,
            max_bytes: None,
            agent: agent.unwrap_or_default() as u8,
            url,
            file,
        };
        if let Some(seed) = question.to_seed().filter(|seed| seed.len() < 2048) {
            let read = Question::arbitrary_take_rest(Unstructured::new(&seed));
            assert_eq!(read.as_ref(), Ok(&question));
            self.questions.insert(seed);
        }
        for group in RobotsTxt::parse(file).groups() {
            for rule in group.rules() {
                self.rules.extend(rule_seed(rule.value(), url));
            }
        }
    }
}

/// Encodes a rule like the target `matcher` reads it: the dialect, the tiers, and at the end the
/// length of the value.
fn rule_seed(value: &[u8], url: &str) -> Option<Vec<u8>> {
    let length = trailing_length(value.len(), value.len() + url.len())?;
    Some([&[0, 0][..], value, url.as_bytes(), &length].concat())
}

/// Collects all values of the field `url` in a value.
fn urls(value: &Value) -> Vec<String> {
    match value {
        Value::Array(values) => values.iter().flat_map(urls).collect(),
        Value::Table(table) => {
            let own = table.get("url").and_then(Value::as_str).map(String::from);
            own.into_iter()
                .chain(table.values().flat_map(urls))
                .collect()
        }
        _ => Vec::new(),
    }
}
