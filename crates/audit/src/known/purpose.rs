//! The main purpose of a crawler's fetches.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::known::spelling::{letters_of, likeness};

/// The main purpose of a crawler's fetches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Material to train AI models
    Training,
    /// An index from which AI answers are made
    AiSearch,
    /// A page that an AI assistant or application needs for somebody's question
    Assistant,
    /// Steps that an AI agent takes for somebody, in a browser or as a programmer
    Agent,
    /// Data for others, often sold, with AI among the uses
    Data,
    /// A search engine
    Search,
    /// Link indexes and audits for search engine optimisation
    Seo,
    /// Advertisements and the pages they lead to
    Advertising,
    /// Previews of links in messages
    Preview,
    /// An archive of the web
    Archive,
    /// Another purpose, or none that is known
    Unknown,
}

impl Purpose {
    /// Every purpose, in the order of reports.
    pub const ALL: [Purpose; 11] = [
        Purpose::Training,
        Purpose::AiSearch,
        Purpose::Assistant,
        Purpose::Agent,
        Purpose::Data,
        Purpose::Search,
        Purpose::Seo,
        Purpose::Advertising,
        Purpose::Preview,
        Purpose::Archive,
        Purpose::Unknown,
    ];

    /// The purposes that people mean by AI, in the order of reports.
    pub const AI: [Purpose; 5] = [
        Purpose::Training,
        Purpose::AiSearch,
        Purpose::Assistant,
        Purpose::Agent,
        Purpose::Data,
    ];

    /// The purpose with this stable name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Purpose> {
        Purpose::ALL
            .into_iter()
            .find(|purpose| purpose.as_str() == name)
    }

    /// The purpose that was probably meant by a word that is not a stable name: `trainng`,
    /// `trainers`.
    ///
    /// ```
    /// use polite_robots_audit::known::Purpose;
    ///
    /// assert_eq!(Purpose::meant("trainng"), Some(Purpose::Training));
    /// assert_eq!(Purpose::meant("ExampleBot"), None);
    /// ```
    #[must_use]
    pub fn meant(word: &str) -> Option<Purpose> {
        let letters = letters_of(word);
        if let Some((_, purpose)) = WORDS.iter().find(|(word, _)| *word == letters) {
            return Some(*purpose);
        }
        let similar = Purpose::ALL.into_iter().filter_map(|purpose| {
            let name = letters_of(purpose.as_str());
            Some((likeness(letters.as_bytes(), name.as_bytes())?, purpose))
        });
        similar
            .max_by_key(|(likeness, _)| *likeness)
            .map(|(_, purpose)| purpose)
    }

    /// The purpose in one phrase.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Purpose::Training => "Material to train AI models",
            Purpose::AiSearch => "An index from which AI answers are made",
            Purpose::Assistant => {
                "A page that an AI assistant or application needs for somebody's question"
            }
            Purpose::Agent => {
                "Steps that an AI agent takes for somebody, in a browser or as a programmer"
            }
            Purpose::Data => "Data for others, often sold, with AI among the uses",
            Purpose::Search => "A search engine",
            Purpose::Seo => "Link indexes and audits for search engine optimisation",
            Purpose::Advertising => "Advertisements and the pages they lead to",
            Purpose::Preview => "Previews of links in messages",
            Purpose::Archive => "An archive of the web",
            Purpose::Unknown => "Another purpose, or none that is known",
        }
    }

    /// The stable name for machines: lower case with hyphens, as in the table.
    pub fn as_str(self) -> &'static str {
        match self {
            Purpose::Training => "training",
            Purpose::AiSearch => "ai-search",
            Purpose::Assistant => "assistant",
            Purpose::Agent => "agent",
            Purpose::Data => "data",
            Purpose::Search => "search",
            Purpose::Seo => "seo",
            Purpose::Advertising => "advertising",
            Purpose::Preview => "preview",
            Purpose::Archive => "archive",
            Purpose::Unknown => "unknown",
        }
    }
}

/// Words for crawlers with a purpose that have few letters in common with the name of the purpose.
const WORDS: [(&str, Purpose); 12] = [
    ("ads", Purpose::Advertising),
    ("aitraining", Purpose::Training),
    ("aitrainers", Purpose::Training),
    ("archivers", Purpose::Archive),
    ("chatbots", Purpose::Assistant),
    ("llmtraining", Purpose::Training),
    ("previews", Purpose::Preview),
    ("scrapers", Purpose::Data),
    ("searchengine", Purpose::Search),
    ("searchengines", Purpose::Search),
    ("trainer", Purpose::Training),
    ("trainers", Purpose::Training),
];

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Purpose::AiSearch => "AI search",
            Purpose::Seo => "SEO",
            purpose => purpose.as_str(),
        })
    }
}
