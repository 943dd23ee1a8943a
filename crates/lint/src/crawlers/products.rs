//! Names of products that people write into a robots.txt, though no crawler has them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::crawlers::names::core_of;

/// A product, and the names that its operator documents for the crawlers behind it.
#[derive(Debug)]
pub(super) struct Product {
    /// In lower case.
    names: &'static [&'static str],
    pub(super) operator: &'static str,
    pub(super) tokens: &'static [&'static str],
}

/// The product that a `User-agent` value names; `None` for longer values such as `ChatGPT Agent`.
pub(super) fn product(value: &[u8]) -> Option<&'static Product> {
    PRODUCTS.iter().find(|product| {
        let mut names = product.names.iter();
        names.any(|name| value.eq_ignore_ascii_case(name.as_bytes()))
    })
}

/// The product whose name a value with this core has with other signs or a `bot`: `Chat-GPT`,
/// `ChatGPT-Bot`.
pub(super) fn nearly_product(core: &str) -> Option<&'static Product> {
    BY_CORE.get(core).copied()
}

static BY_CORE: LazyLock<HashMap<String, &Product>> = LazyLock::new(|| {
    let of_product = |product: &'static Product| {
        let names = product.names.iter();
        names.map(move |name| (core_of(name), product))
    };
    PRODUCTS.iter().flat_map(of_product).collect()
});

/// As the operators' pages had it in November 2026, but for xAI, which has no such page:
/// <https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers> says that
/// Google-Extended is about the training of Gemini, which was called Bard, and
/// <https://developers.openai.com/docs/bots> has OpenAI's.
const PRODUCTS: &[Product] = &[
    Product {
        names: &["gemini", "google-gemini", "bard", "google-bard"],
        operator: "Google",
        tokens: &["Google-Extended"],
    },
    Product {
        names: &["chatgpt"],
        operator: "OpenAI",
        tokens: &["GPTBot", "OAI-SearchBot", "ChatGPT-User"],
    },
    Product {
        names: &["grok"],
        operator: "xAI",
        tokens: &[],
    },
];

#[cfg(test)]
mod tests {
    use polite_robots_audit::known;

    use super::*;

    #[test]
    fn near_names_of_products_are_recognised() {
        for (value, is_expected) in [
            ("Chat-GPT", true),
            ("ChatGPT-Bot", true),
            ("Chat GPT", true),
            ("Google Gemini", true),
            ("ChatGPTUser", false),
            ("GPT", false),
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
        for product in PRODUCTS {
            for token in product.tokens {
                let crawler = known::find(token).unwrap();
                assert_eq!(crawler.operator(), Some(product.operator), "{token}");
                assert!(crawler.documentation().is_some(), "{token}");
            }
        }
    }
}
