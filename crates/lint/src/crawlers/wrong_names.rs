//! Finds names that no known crawler has, if the table shows who was meant.

use polite_robots::text::quote;
use polite_robots_audit::known::{self, Meant, Product, Purpose, find};

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::crawlers::agent_line::AgentLine;
use crate::crawlers::names::{any_of, beginning_with, readers, renamed};
use crate::diagnostic::Diagnostic;
use crate::text::words::is_among;

/// A finding about the name of a product, unless a crawler of its operator gets the rules of the
/// group by its own name.
pub(super) fn name_of_product(line: AgentLine<'_, '_>, product: &Product) -> Option<Diagnostic> {
    let (operator, tokens) = (product.operator(), product.tokens());
    let mut crawlers = tokens.iter().filter_map(|token| find(token));
    if crawlers.any(|crawler| line.gives_rules_to(crawler)) {
        return None;
    }
    let value = line.agent.value();
    let name = String::from_utf8_lossy(value);
    let is_name = match product.is_called(value) {
        true => "is the name",
        false => "is nearly the name",
    };
    // Crawlers read only `ChatGPT` of `ChatGPT Agent`, which is in lists of crawlers.
    let but = match find(&name) {
        Some(crawler) => format!(", but lists of others have `{}`", crawler.name()),
        None => String::new(),
    };
    let whose = match letters_of(&name) == letters_of(operator) {
        true => "a company, and it".into(),
        false => format!("a product, and {operator}"),
    };
    let of_product = format!("`{name}` {is_name} of {whose} documents no crawler");
    let is_search =
        |token: &&str| find(token).is_some_and(|crawler| crawler.purpose() == Purpose::Search);
    let advice = match any_of(tokens) {
        None => Advice::new(format!("{of_product} that reads robots.txt; {REMOVAL}"))
            .propose_all(line.removal()),
        // Without its search engine a site is not found at all, so nobody is to write that name.
        Some(_) if tokens.iter().any(is_search) => Advice::new(format!(
            "{of_product} of that name{but}: it answers from what the search engine fetches"
        )),
        Some(names) => Advice::new(format!("{of_product} of that name{but}; write {names}"))
            .propose_all(renamed(line.agent, tokens)),
    };
    Some(line.finding(DiagnosticCode::MisspelledCrawler, advice))
}

/// The letters and digits, without case and signs.
fn letters_of(text: &str) -> String {
    let letters = text.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The advice about a name that nobody is known to have.
pub(super) const REMOVAL: &str =
    "remove the name, and its rules if they are for no other, unless you know who reads it";

/// A finding about a name that no known crawler has.
pub(super) fn wrong_name(line: AgentLine<'_, '_>) -> Option<Diagnostic> {
    if let Some(finding) = name_with_digits(line) {
        return Some(finding);
    }
    let value = String::from_utf8_lossy(line.agent.value());
    if let Some(finding) = word_for_many(line, &value) {
        return Some(finding);
    }
    let meant = known::clearly_meant(&value);
    match meant {
        Some(Meant::Product(product)) => name_of_product(line, product),
        Some(Meant::Crawler(crawler)) => {
            let token = crawler.token();
            let message = || {
                let readers = readers(crawler, |name| line.file.names(name));
                format!(
                    "{token} does not read this group, because `{value}` is not its name; write `{token}` if you mean it{readers}"
                )
            };
            (!line.gives_rules_to(crawler)).then(|| line.misspelled(message(), &[token]))
        }
        Some(Meant::Operator(_)) if !value.ends_with('*') => {
            let names = meant.map(|meant| meant.tokens()).unwrap_or_default();
            let operator = find(names.first()?)?.operator()?;
            let is_whole = letters_of(operator) == letters_of(&value);
            let company = match is_whole {
                true => "a company".into(),
                false => format!("{operator}, a company"),
            };
            let message = |names| {
                format!(
                    "no known crawler is called `{value}`, which is the name of {company}; write {names}"
                )
            };
            one_of(line, &names, message)
        }
        _ => start_of_names(line, &value),
    }
}

/// A name that Google reads as the shorter name of a known crawler.
fn name_with_digits(line: AgentLine<'_, '_>) -> Option<Diagnostic> {
    let (whole, read_by_google) = (line.token(), line.agent.product_token());
    let cut = (read_by_google != whole).then(|| find(read_by_google));
    let crawler = cut.flatten().filter(|crawler| !crawler.is_word())?;
    let token = crawler.token();
    let message = format!(
        "this group is for {token} too, because many crawlers read only `{read_by_google}` of `{whole}`: by RFC 9309 a name has neither digits nor dots; write `{token}` if you mean it"
    );
    let advice = Advice::new(message).propose_all(renamed(line.agent, &[token]));
    Some(line.finding(DiagnosticCode::DigitInProductToken, advice))
}

/// A word for all crawlers or for many, or the name of a browser.
fn word_for_many(line: AgentLine<'_, '_>, value: &str) -> Option<Diagnostic> {
    let finding = |rest: &str, names: &[&str]| {
        line.misspelled(format!("no known crawler is called `{value}`{rest}"), names)
    };
    if is_among(value.as_bytes(), EVERYONE) {
        let rest = match line.closes_site() {
            true => {
                "; write `*` if you mean every crawler, to whom this group closes the whole site"
            }
            false => "; write `*` if you mean every crawler",
        };
        return Some(finding(rest, &["*"]));
    }
    if is_among(value.as_bytes(), AI) {
        let rest = ": each crawler for AI has a name of its own, such as `GPTBot`";
        return Some(finding(rest, &[]));
    }
    let is_version = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let name = match value.rsplit_once(['/', ' ']) {
        Some((name, version)) if is_version(version) => name,
        _ => value,
    };
    let rest = ", which is the name of a browser, and browsers do not read robots.txt";
    is_among(name.as_bytes(), BROWSERS).then(|| finding(rest, &[]))
}

/// The start of the names of crawlers, with a `*` for their ends.
fn start_of_names(line: AgentLine<'_, '_>, value: &str) -> Option<Diagnostic> {
    let start = value
        .strip_suffix('*')
        .filter(|start| *start == line.token())?;
    let crawlers = beginning_with(start);
    let names: Vec<&str> = crawlers.iter().map(|crawler| crawler.token()).collect();
    one_of(line, &names, |names| {
        format!(
            "no known crawler is called {}, because names have no wildcards; write {names}",
            quote(value.as_bytes())
        )
    })
}

/// A finding that proposes some of these names, unless one of their crawlers gets the rules of the
/// group by its own name.
fn one_of(
    line: AgentLine<'_, '_>,
    names: &[&str],
    message: impl Fn(String) -> String,
) -> Option<Diagnostic> {
    let mut crawlers = names.iter().filter_map(|name| find(name));
    if crawlers.any(|crawler| line.gives_rules_to(crawler)) {
        return None;
    }
    Some(line.misspelled(message(any_of(names)?), names))
}

/// Words for every crawler in place of `*`.
const EVERYONE: &str = include_str!("../words/everyone.txt");

/// Words for the crawlers of AI companies. `AIBot` is a crawler.
const AI: &str = include_str!("../words/ai.txt");

const BROWSERS: &str = include_str!("../words/browsers.txt");
