//! `AGENT|PURPOSE`: a product token, or all known crawlers for a purpose or for AI.

use std::str::FromStr;

use polite_robots::{ProductToken, RobotsTxt};
use polite_robots_audit::known::{self, Compliance, KnownCrawler, Purpose};
use polite_robots_lint::{DiagnosticCode, Linter};

use crate::terminal::printable;

/// Agents as the command line names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Agents {
    One(String),
    For(Purpose),
    /// All of [`Purpose::AI`].
    Ai,
}

impl FromStr for Agents {
    type Err = String;

    fn from_str(argument: &str) -> Result<Agents, String> {
        let lower = argument.to_ascii_lowercase();
        if lower == AI {
            return Ok(Agents::Ai);
        }
        if let Some(purpose) = Purpose::from_name(&lower) {
            return Ok(Agents::For(purpose));
        }
        if argument == EVERYONE {
            return Ok(Agents::One(argument.to_owned()));
        }
        match ProductToken::new(argument) {
            Ok(token) => Ok(Agents::One(token.as_str().to_owned())),
            Err(error) => Err(match (other_word(argument), error.probably_meant()) {
                (Some(problem), _) => problem,
                (None, Some(token)) => format!("{error}; write `{token}`"),
                (None, None) => format!(
                    "{error}; give an agent such as GPTBot, or a purpose such as {}",
                    Purpose::Training.as_str()
                ),
            }),
        }
    }
}

impl Agents {
    /// The product tokens of the agents, without names that are no longer used and without crawlers
    /// that no rule keeps out.
    pub(super) fn tokens(&self) -> Vec<String> {
        match self {
            Agents::One(token) => vec![token.clone()],
            Agents::For(_) | Agents::Ai => self.crawlers(None).map(str::to_owned).collect(),
        }
    }

    fn purposes(&self) -> &[Purpose] {
        match self {
            Agents::One(_) => &[],
            Agents::For(purpose) => std::slice::from_ref(purpose),
            Agents::Ai => &Purpose::AI,
        }
    }

    /// The known crawlers for the purposes that are left out for this reason; for `None`, those
    /// that are not left out.
    fn crawlers(&self, omission: Option<Omission>) -> impl Iterator<Item = &'static str> {
        let crawlers = known::all().iter().filter(move |crawler| {
            self.purposes().contains(&crawler.purpose()) && Omission::of(crawler) == omission
        });
        crawlers.map(KnownCrawler::token)
    }

    /// The purposes that `ai` stands for, and the crawlers that a purpose leaves out, in sentences;
    /// none where a crawler is named.
    pub(super) fn explanations(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        let word = match self {
            Agents::One(_) => return sentences,
            Agents::For(purpose) => purpose.as_str(),
            Agents::Ai => AI,
        };
        if *self == Agents::Ai {
            for purpose in Purpose::AI {
                let count = Agents::For(purpose).tokens().len();
                sentences.push(format!(
                    "{AI} includes {}, {count} crawlers: {}",
                    purpose.as_str(),
                    purpose.description()
                ));
            }
        }
        for (omission, why) in [
            (Omission::DoesNotObey, "need not obey robots.txt"),
            (Omission::IsRetired, "no longer used"),
        ] {
            let tokens: Vec<&str> = self.crawlers(Some(omission)).collect();
            if !tokens.is_empty() {
                sentences.push(format!(
                    "{word} leaves out {} ({why}); to name them, add {}",
                    tokens.join(", "),
                    tokens.join(",")
                ));
            }
        }
        if *self == Agents::For(Purpose::Training) {
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

/// The problem of the first name that is probably a mistake: it is a word for other crawlers,
/// `robots lint` would warn of it, or no known crawler has it. A name that the file has already is
/// no mistake.
pub(super) fn unlikely_name(agents: &[&Agents], robots_txt: &RobotsTxt) -> Option<String> {
    let named = |token: &str| {
        let mut groups = robots_txt.merged_groups();
        groups.any(|group| group.product_token().eq_ignore_ascii_case(token))
    };
    let tokens = agents.iter().filter_map(|agents| match agents {
        Agents::One(token) if token != EVERYONE && !named(token) => Some(token.as_str()),
        Agents::One(_) | Agents::For(_) | Agents::Ai => None,
    });
    let tokens: Vec<&str> = tokens.collect();
    let of_word = tokens.iter().find_map(|token| other_word(token));
    of_word.or_else(|| finding_of_lint(agents, &tokens)).or_else(|| {
        let is_known = |token: &str| known::find(token).is_some() || known::is_second_token(token);
        let unknown = tokens.iter().find(|token| !is_known(token))?;
        Some(format!(
            "`{}` is no known crawler, so that a rule for it changes nothing for any of them; give a crawler such as `GPTBot`, or a purpose as `robots agents --purpose` lists them, or `{AI}`",
            printable(unknown)
        ))
    })
}

/// The problem of a word that people use for crawlers, although no crawler has this name, with the
/// words to write instead.
fn other_word(word: &str) -> Option<String> {
    if known::find(word).is_none() {
        let letters = word.chars().filter(|letter| letter.is_alphanumeric());
        let letters: String = letters.flat_map(char::to_lowercase).collect();
        let written = printable(word);
        if AI_WORDS.contains(&letters.as_str()) {
            return Some(format!(
                "`{written}` is no known crawler; write `{AI}` if you mean all known crawlers of AI"
            ));
        }
        if WORDS_FOR_EVERYONE.contains(&letters.as_str()) {
            return Some(format!(
                "`{written}` is no known crawler; write `{EVERYONE}` if you mean every agent that the file does not name"
            ));
        }
        if let Some(purpose) = Purpose::meant(word) {
            return Some(format!(
                "`{written}` is no purpose and no known crawler; write `{}` if you mean it ({})",
                purpose.as_str(),
                purpose.description()
            ));
        }
    }
    let meant = known::meant(word)?;
    let mut problem = meant.sentence(word);
    if meant.tokens().is_empty() {
        problem.push_str(&format!("; `{AI}` stands for all known crawlers of AI"));
    }
    Some(problem)
}

/// The warning of `robots lint` about a group of these agents: a name is no longer used, or many
/// crawlers read only a part of a name.
fn finding_of_lint(agents: &[&Agents], tokens: &[&str]) -> Option<String> {
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
    findings.find_map(|finding| {
        let name = group.as_bytes().get(finding.span())?;
        let is_asked = tokens.iter().any(|token| token.as_bytes() == name);
        is_asked.then(|| finding.message().to_owned())
    })
}

/// The word for all of [`Purpose::AI`].
const AI: &str = "ai";

const EVERYONE: &str = "*";

/// Words for AI crawlers, with their letters only.
const AI_WORDS: [&str; 18] = [
    "aibot",
    "aibots",
    "aicompanies",
    "aicrawler",
    "aicrawlers",
    "airobots",
    "airobotstxt",
    "aiscraper",
    "aiscrapers",
    "aispiders",
    "allai",
    "artificialintelligence",
    "genai",
    "generativeai",
    "llm",
    "llmbots",
    "llmcrawlers",
    "llms",
];

/// Words for every crawler, with their letters only.
const WORDS_FOR_EVERYONE: [&str; 16] = [
    "all",
    "allbots",
    "allcrawlers",
    "allrobots",
    "any",
    "anyone",
    "bot",
    "bots",
    "crawler",
    "crawlers",
    "everybody",
    "everyone",
    "others",
    "robot",
    "robots",
    "spiders",
];
