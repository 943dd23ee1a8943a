//! Makes constants of the table of known crawlers, so that a table which cannot be read fails the
//! build, and no program carries a reader of JSON for it.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use serde::Deserialize;

#[derive(Deserialize)]
struct Table {
    as_of: String,
    sources: Sources,
    crawlers: Vec<Crawler>,
}

#[derive(Deserialize)]
struct Sources {
    list: List,
}

#[derive(Deserialize)]
struct List {
    name: String,
    url: String,
    license: String,
    as_of: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Crawler {
    name: String,
    operator: Option<String>,
    purpose: String,
    list: Option<String>,
    documentation: Option<String>,
    named_by: Option<u32>,
    #[serde(default)]
    falls_back_to: Vec<String>,
    crawled_by: Option<String>,
    #[serde(default)]
    ignores_wildcard: bool,
    obeys: Option<String>,
    retired: Option<Retired>,
    shared_with: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Retired {
    successor: Option<String>,
    source: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={TABLE}");
    let table: Table = serde_json::from_str(&fs::read_to_string(TABLE)?)?;
    let file = Path::new(&env::var("OUT_DIR")?).join("known_crawlers.rs");
    fs::write(file, constants(&table)?)?;
    Ok(())
}

/// A string and an `Option` of one are shown by `Debug` as Rust writes them.
fn constants(table: &Table) -> Result<String, std::fmt::Error> {
    let mut rust = String::new();
    let list = &table.sources.list;
    writeln!(rust, "const AS_OF: &str = {:?};", table.as_of)?;
    writeln!(
        rust,
        "static LIST: AiList = AiList {{ name: {:?}, url: {:?}, license: {:?}, as_of: {:?} }};",
        list.name, list.url, list.license, list.as_of
    )?;
    writeln!(rust, "static CRAWLERS: &[KnownCrawler] = &[")?;
    for crawler in &table.crawlers {
        let retired = crawler
            .retired
            .as_ref()
            .map_or("None".to_owned(), |retired| {
                let (successor, source) = (&retired.successor, &retired.source);
                format!("Some(Retirement::new({successor:?}, {source:?}))")
            });
        writeln!(
            rust,
            "KnownCrawler {{ name: {:?}, operator: {:?}, purpose: Purpose::{}, list: {:?}, \
             documentation: {:?}, named_by: {:?}, falls_back_to: &{:?}, crawled_by: {:?}, \
             ignores_wildcard: {:?}, obeys: Compliance::{}, retired: {retired}, shared_with: {:?} }},",
            crawler.name,
            crawler.operator,
            variant(&crawler.purpose),
            crawler.list,
            crawler.documentation,
            crawler.named_by,
            crawler.falls_back_to,
            crawler.crawled_by,
            crawler.ignores_wildcard,
            variant(crawler.obeys.as_deref().unwrap_or("unknown")),
            crawler.shared_with,
        )?;
    }
    writeln!(rust, "];")?;
    Ok(rust)
}

/// The name of a variant: `AiSearch` for `ai-search`.
fn variant(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

const TABLE: &str = "src/known_crawlers.json";
