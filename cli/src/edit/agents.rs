//! `AGENT|PURPOSE`: a product token, or all known crawlers for a purpose.

use std::str::FromStr;

use polite_robots::{ProductToken, RobotsTxt};
use polite_robots_audit::known::{self, Compliance, KnownCrawler, Purpose};
use polite_robots_lint::{DiagnosticCode, Linter};
use similar::get_close_matches;

use crate::terminal::printable;

/// Agents as the command line names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Agents {
    One(String),
    For(Purpose),
}

impl FromStr for Agents {
    type Err = String;

    fn from_str(argument: &str) -> Result<Agents, String> {
        if let Some(purpose) = Purpose::from_name(argument) {
            return Ok(Agents::For(purpose));
        }
        if argument == EVERYONE {
            return Ok(Agents::One(argument.to_owned()));
        }
        match ProductToken::new(argument) {
            Ok(token) => Ok(Agents::One(token.as_str().to_owned())),
            Err(error) => Err(match error.probably_meant() {
                Some(token) => format!("{error}; write `{token}`"),
                None => format!(
                    "{error}; give an agent such as GPTBot, or a purpose such as {}",
                    Purpose::Training.as_str()
                ),
            }),
        }
    }
}

impl Agents {
    /// Their product tokens. Names that are no longer used are left out, and crawlers that no rule
    /// keeps out.
    pub(super) fn tokens(&self) -> Vec<String> {
        match self {
            Agents::One(token) => vec![token.clone()],
            Agents::For(purpose) => {
                let crawlers = known::all().iter();
                let crawlers = crawlers.filter(|crawler| {
                    crawler.purpose() == *purpose && Omission::of(crawler).is_none()
                });
                crawlers.map(|crawler| crawler.token().to_owned()).collect()
            }
        }
    }

    /// The crawlers that a purpose leaves out, in sentences; none where a crawler is named.
    pub(super) fn omissions(&self) -> Vec<String> {
        let Agents::For(purpose) = self else {
            return Vec::new();
        };
        let mut sentences = Vec::new();
        for (omission, why) in [
            (Omission::DoesNotObey, "need not obey robots.txt"),
            (Omission::IsRetired, "no longer used"),
        ] {
            let crawlers = known::all().iter();
            let crawlers = crawlers.filter(|crawler| {
                crawler.purpose() == *purpose && Omission::of(crawler) == Some(omission)
            });
            let tokens: Vec<&str> = crawlers.map(KnownCrawler::token).collect();
            if !tokens.is_empty() {
                sentences.push(format!(
                    "{} leaves out {} ({why}); to name them, add {}",
                    purpose.as_str(),
                    tokens.join(", "),
                    tokens.join(",")
                ));
            }
        }
        if *purpose == Purpose::Training {
            sentences.push(format!(
                "crawlers that gather data for others, AI among the uses, such as CCBot, have the purpose {}",
                Purpose::Data.as_str()
            ));
        }
        sentences
    }
}

/// The reason for which a purpose does not stand for a crawler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Omission {
    DoesNotObey,
    IsRetired,
}

impl Omission {
    fn of(crawler: &KnownCrawler) -> Option<Omission> {
        match (crawler.retired(), crawler.obeys()) {
            (Some(_), _) => Some(Omission::IsRetired),
            (None, Compliance::No) => Some(Omission::DoesNotObey),
            (None, _) => None,
        }
    }
}

/// The problem of the first name that is hardly meant: it is nearly a purpose, `robots lint` would
/// warn of it, or no known crawler has it. A name that the file has already is meant.
pub(super) fn unlikely_name(agents: &[&Agents], robots_txt: &RobotsTxt) -> Option<String> {
    let named = |token: &str| {
        let mut groups = robots_txt.merged_groups();
        groups.any(|group| group.product_token().eq_ignore_ascii_case(token))
    };
    let tokens = agents.iter().filter_map(|agents| match agents {
        Agents::One(token) if token != EVERYONE && !named(token) => Some(token.as_str()),
        Agents::One(_) | Agents::For(_) => None,
    });
    let tokens: Vec<&str> = tokens.collect();
    let purposes = Purpose::ALL.map(Purpose::as_str);
    for token in &tokens {
        if known::find(token).is_some() {
            continue;
        }
        let lower = token.to_ascii_lowercase();
        let near = get_close_matches(lower.as_str(), &purposes, 1, LEAST_LIKENESS);
        if let Some(purpose) = near.first() {
            return Some(format!(
                "`{}` is no purpose and no known crawler; write `{purpose}` if you mean it",
                printable(token)
            ));
        }
    }
    let all = agents.iter().flat_map(|agents| agents.tokens());
    let group: String = all.map(|token| format!("User-agent: {token}\n")).collect();
    let group = RobotsTxt::parse(format!("{group}Disallow: /\n").as_bytes());
    let is_about_name = |code| {
        matches!(
            code,
            DiagnosticCode::MisspelledCrawler
                | DiagnosticCode::RetiredCrawler
                | DiagnosticCode::DigitInProductToken
        )
    };
    let findings = Linter::new().lint(&group);
    let mut findings = findings
        .iter()
        .filter(|finding| is_about_name(finding.code()));
    let of_lint = findings.find_map(|finding| {
        let name = group.as_bytes().get(finding.span())?;
        let is_asked = tokens.iter().any(|token| token.as_bytes() == name);
        is_asked.then(|| finding.message().to_owned())
    });
    of_lint.or_else(|| {
        let mut unknown = tokens.iter().filter(|token| !is_obeyed(token));
        unknown.next().map(|token| unknown_name(token))
    })
}

/// Whether a known crawler obeys the rules for a name: its own, or one that it falls back to, such
/// as `Yandex`.
fn is_obeyed(token: &str) -> bool {
    let falls_back = |crawler: &KnownCrawler| {
        let mut names = crawler.falls_back_to().iter();
        names.any(|name| name.eq_ignore_ascii_case(token))
    };
    known::find(token).is_some_and(|crawler| !is_operator(crawler))
        || known::all().iter().any(falls_back)
}

/// Whether a list of crawlers has the name of a company, which none of its crawlers is known to
/// obey: `OpenAI`.
fn is_operator(crawler: &KnownCrawler) -> bool {
    crawler.purpose() == Purpose::Unknown && crawler.operator() == Some(crawler.name())
}

/// The problem of a name that no known crawler has: a rule for it would close or open nothing.
fn unknown_name(token: &str) -> String {
    let written = printable(token);
    let of_operator = tokens_of_operator(token);
    let crawlers: Vec<&str> = known::all().iter().map(KnownCrawler::token).collect();
    let near = get_close_matches(token, &crawlers, 1, LEAST_LIKENESS);
    match (of_operator.as_slice(), near.first()) {
        ([], Some(near)) => {
            format!("`{written}` is no known crawler; write `{near}` if you mean it")
        }
        ([], None) => {
            let ai = AI_PURPOSES.map(Purpose::as_str).join(",");
            format!(
                "`{written}` is no known crawler, so that a rule for it changes nothing for any of them; give a crawler such as GPTBot, or purposes as `robots agents --purpose` lists them: {ai} are those of AI"
            )
        }
        (of_operator, _) => format!(
            "`{written}` is a company or a product and no crawler; its crawlers are {}",
            of_operator.join(", ")
        ),
    }
}

/// The purposes that owners mean by `ai`.
const AI_PURPOSES: [Purpose; 5] = [
    Purpose::Training,
    Purpose::AiSearch,
    Purpose::Assistant,
    Purpose::Agent,
    Purpose::Data,
];

/// The crawlers in use of the operator that has this name, however it is written: `CommonCrawl` is
/// Common Crawl.
fn tokens_of_operator(name: &str) -> Vec<&'static str> {
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|character| character.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let name = letters(name);
    let crawlers = known::all().iter().filter(|crawler| {
        let is_its = crawler
            .operator()
            .is_some_and(|operator| letters(operator) == name);
        is_its && crawler.retired().is_none() && !is_operator(crawler)
    });
    crawlers.map(KnownCrawler::token).collect()
}

/// `trainng` and `training` have 93 of 100 letters in common.
const LEAST_LIKENESS: f32 = 0.85;

const EVERYONE: &str = "*";
