//! The main purpose of a crawler's fetches.

use std::fmt;

use serde::{Deserialize, Serialize};

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

    /// The purpose with this stable name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Purpose> {
        Purpose::ALL
            .into_iter()
            .find(|purpose| purpose.as_str() == name)
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

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Purpose::AiSearch => "AI search",
            Purpose::Seo => "SEO",
            purpose => purpose.as_str(),
        })
    }
}
