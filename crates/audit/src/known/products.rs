//! Names of products that people write for crawlers, though no crawler has them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::known::spelling::core_of;

/// A product, and the crawlers that fetch for it.
#[derive(Debug)]
pub struct Product {
    /// In lower case.
    names: &'static [&'static str],
    operator: &'static str,
    tokens: &'static [&'static str],
}

impl Product {
    const fn of(
        operator: &'static str,
        names: &'static [&'static str],
        tokens: &'static [&'static str],
    ) -> Product {
        Product {
            names,
            operator,
            tokens,
        }
    }

    /// Its operator: OpenAI of ChatGPT.
    #[must_use]
    pub fn operator(&self) -> &'static str {
        self.operator
    }

    /// The product tokens of the crawlers that fetch for it; none if no crawler is known to read a
    /// robots.txt for it.
    #[must_use]
    pub fn tokens(&self) -> &'static [&'static str] {
        self.tokens
    }

    /// Whether this is one of its names. ASCII case is ignored.
    #[must_use]
    pub fn is_called(&self, name: &[u8]) -> bool {
        let mut names = self.names.iter();
        names.any(|own| name.eq_ignore_ascii_case(own.as_bytes()))
    }
}

/// The product whose name was written in a file; `None` for longer values such as `ChatGPT Agent`.
#[must_use]
pub fn product(value: &[u8]) -> Option<&'static Product> {
    PRODUCTS.iter().find(|product| product.is_called(value))
}

/// The product with a name that has this core, apart from signs or a `bot`: `Chat-GPT`,
/// `ChatGPT-Bot`.
pub(super) fn nearly_product(core: &str) -> Option<&'static Product> {
    BY_CORE.get(core).copied()
}

/// A product that [`nearly_product`] does not have, as a crawler or a company may have its name.
pub(super) fn other_product(core: &str) -> Option<&'static Product> {
    OTHERS_BY_CORE.get(core).copied()
}

static BY_CORE: LazyLock<HashMap<String, &Product>> = LazyLock::new(|| by_core(PRODUCTS));
static OTHERS_BY_CORE: LazyLock<HashMap<String, &Product>> =
    LazyLock::new(|| by_core(OTHER_PRODUCTS));

fn by_core(products: &'static [Product]) -> HashMap<String, &'static Product> {
    let of_product = |product: &'static Product| {
        let names = product.names.iter();
        names.map(move |name| (core_of(name), product))
    };
    products.iter().flat_map(of_product).collect()
}

/// As the operators' pages had it in November 2026, but for xAI, which has no such page:
/// <https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers> says that
/// Google-Extended is about the training of Gemini, which was called Bard, and
/// <https://developers.openai.com/docs/bots> has OpenAI's.
const PRODUCTS: &[Product] = &[
    Product::of(
        "Google",
        &["gemini", "google-gemini", "bard", "google-bard"],
        &["Google-Extended"],
    ),
    Product::of(
        "OpenAI",
        &["chatgpt"],
        &["GPTBot", "OAI-SearchBot", "ChatGPT-User"],
    ),
    Product::of("xAI", &["grok"], &[]),
];

/// Products whose crawlers are a guess from the table, good enough to suggest to the person who
/// typed the name. Google answers in its AI Overviews, and Microsoft in Copilot, from the index of
/// the search engine.
const OTHER_PRODUCTS: &[Product] = &[
    Product::of(
        "Google",
        &["vertex-ai", "google-ai"],
        &["Google-Extended", "Google-CloudVertexBot"],
    ),
    Product::of(
        "Google",
        &["ai-overview", "ai-overviews", "google-ai-overviews", "sge"],
        &["Googlebot"],
    ),
    Product::of("OpenAI", &["codex", "dall-e", "sora"], &["GPTBot"]),
    Product::of(
        "OpenAI",
        &["searchgpt", "chatgpt-search"],
        &["OAI-SearchBot"],
    ),
    Product::of(
        "Anthropic",
        &["claude", "claude-ai"],
        &["ClaudeBot", "Claude-SearchBot", "Claude-User"],
    ),
    Product::of(
        "Microsoft",
        &[
            "copilot",
            "bing-chat",
            "bing-copilot",
            "microsoft-copilot",
            "ms-copilot",
        ],
        &["bingbot"],
    ),
    Product::of(
        "Meta",
        &["llama", "meta-ai", "meta-llama"],
        &[
            "meta-externalagent",
            "meta-webindexer",
            "meta-externalfetcher",
        ],
    ),
    Product::of(
        "Meta",
        &["facebook", "instagram", "whatsapp"],
        &[
            "facebookexternalhit",
            "Facebot",
            "FacebookBot",
            "meta-externalagent",
        ],
    ),
    Product::of(
        "Perplexity",
        &["perplexity", "perplexity-ai"],
        &["PerplexityBot", "Perplexity-User"],
    ),
    Product::of("Mistral AI", &["le-chat"], &["MistralAI-User"]),
    Product::of(
        "ByteDance",
        &["tiktok", "doubao"],
        &["TikTokSpider", "Bytespider"],
    ),
    Product::of("Alibaba", &["qwen"], &["TongyiBot"]),
    Product::of("Moonshot AI", &["kimi"], &["Kimi-User"]),
    Product::of("Baidu", &["ernie"], &["YiyanBot"]),
    Product::of(
        "Apple",
        &["apple-intelligence", "siri"],
        &["Applebot-Extended", "Applebot"],
    ),
    Product::of("DuckDuckGo", &["duck-ai", "duckassist"], &["DuckAssistBot"]),
    Product::of("Amazon", &["alexa-plus", "amazon-nova"], &["Amazonbot"]),
    Product::of("xAI", &["x-ai"], &[]),
    Product::of("Midjourney", &["midjourney"], &[]),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::known::crawler::find;

    #[test]
    fn near_names_of_products_are_recognised() {
        for (value, is_expected) in [
            ("Chat-GPT", true),
            ("ChatGPT-Bot", true),
            ("Chat GPT", true),
            ("Google Gemini", true),
            ("ChatGPTUser", false),
            ("GPT", false),
            ("Claude", false),
        ] {
            assert_eq!(
                nearly_product(&core_of(value)).is_some(),
                is_expected,
                "{value}"
            );
        }
    }

    #[test]
    fn each_token_is_that_of_a_known_crawler_of_the_operator() {
        let mut cores = BTreeSet::new();
        for product in PRODUCTS.iter().chain(OTHER_PRODUCTS) {
            for name in product.names {
                assert!(cores.insert(core_of(name)), "{name}");
            }
            for token in product.tokens {
                let crawler = find(token).unwrap();
                assert_eq!(crawler.token(), *token);
                assert_eq!(crawler.operator(), Some(product.operator), "{token}");
                assert!(crawler.retired().is_none(), "{token}");
            }
        }
        let mut documented = PRODUCTS.iter().flat_map(|product| product.tokens);
        assert!(documented.all(|token| find(token).unwrap().documentation().is_some()));
    }
}
