//! The known crawler, the product or the company that was probably meant by a name that no known
//! crawler has.

use std::collections::HashMap;
use std::sync::LazyLock;

use polite_robots::text::quote;

use crate::known::crawler::{KnownCrawler, all, by_importance, find, is_second_token};
use crate::known::products::{Product, nearly_product, other_product, product};
use crate::known::purpose::Purpose;
use crate::known::spelling::{Slip, core_of, differ_in_bot, letters_of, likeness, slip};

/// The crawler, product or company that was probably meant by a name which no known crawler has.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Meant {
    /// A crawler in use, whose name was misspelled: `Googelbot`.
    Crawler(&'static KnownCrawler),
    /// A product, which has crawlers of other names or none: `ChatGPT`.
    Product(&'static Product),
    /// A company, by its crawlers in use in the order of [`by_importance`]: `OpenAI`.
    Operator(&'static [&'static KnownCrawler]),
}

/// The crawler, product or company that was probably meant by a name that somebody typed to a
/// program. `None` for the name of a known crawler, for a name to which a crawler falls back, such
/// as `Yandex`, and for a name that resembles none of them.
///
/// ```
/// use polite_robots_audit::known;
///
/// let name = "Google-Extend";
/// let meant = known::meant(name).ok_or("nothing is like it")?;
/// assert_eq!(
///     meant.sentence(name),
///     "`Google-Extend` is no known crawler; write `Google-Extended` if you mean it"
/// );
/// assert!(known::meant("Googlebot").is_none() && known::meant("ExampleBot").is_none());
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn meant(name: &str) -> Option<Meant> {
    let is_crawler = find(name).is_some_and(|crawler| !crawler.is_company());
    if is_crawler && product(name.as_bytes()).is_none() || is_second_token(name) {
        return None;
    }
    let (lower, core) = (name.to_ascii_lowercase(), core_of(name));
    other_product(&core)
        .map(Meant::Product)
        .or_else(|| named(&lower, &core))
        .or_else(|| similar_crawler(&lower, &core).and_then(in_use))
        .or_else(|| crawler_of_operator(&lower).map(Meant::Operator))
}

/// The crawler, product or company that was meant by the value of a `User-agent` line, beyond
/// doubt. Files name thousands of crawlers that no table has, so fewer names count as misspelled
/// than in [`meant`]. The caller makes sure that no known crawler has the name.
#[must_use]
pub fn clearly_meant(value: &str) -> Option<Meant> {
    let lower = value.to_ascii_lowercase();
    named(&lower, &core_of(&lower))
        .or_else(|| crawler_of_operator(&lower).map(Meant::Operator))
        .or_else(|| other_ending(&lower).and_then(in_use))
}

/// The owner of a name that is written with other signs or with a slip.
fn named(lower: &str, core: &str) -> Option<Meant> {
    if let Some(product) = nearly_product(core) {
        return Some(Meant::Product(product));
    }
    if let Some(crawler) = misspelled(lower, core) {
        return in_use(crawler);
    }
    // `Yahoo!` is the name with its sign.
    let is_sign = |letter: char| letter.is_ascii_punctuation();
    if let Some(crawlers) = INDEX.by_operator.get(lower.trim_end_matches(is_sign)) {
        return Some(Meant::Operator(crawlers));
    }
    product_in_letters(lower)
        .map(Meant::Product)
        .or_else(|| operator_in_letters(lower).map(Meant::Operator))
}

impl Meant {
    /// The product tokens to write in place of the name; none for a product without a crawler.
    #[must_use]
    pub fn tokens(&self) -> Vec<&'static str> {
        match self {
            Meant::Crawler(crawler) => vec![crawler.token()],
            Meant::Product(product) => product.tokens().to_vec(),
            Meant::Operator(crawlers) => crawlers.iter().map(|crawler| crawler.token()).collect(),
        }
    }

    /// A sentence that no crawler has the name, with the name to write in its place.
    #[must_use]
    pub fn sentence(&self, name: &str) -> String {
        let name = quote(name.as_bytes());
        let crawlers = || {
            let tokens = self.tokens();
            let written = tokens.iter().filter_map(|token| find(token));
            let written: Vec<String> = written
                .map(|crawler| format!("`{}` ({})", crawler.token(), crawler.purpose()))
                .collect();
            written.join(", ")
        };
        match self {
            Meant::Crawler(crawler) => format!(
                "{name} is no known crawler; write `{}` if you mean it",
                crawler.token()
            ),
            Meant::Product(product) if product.tokens().is_empty() => format!(
                "{name} is the name of a product, and {} documents no crawler that reads robots.txt",
                product.operator()
            ),
            Meant::Product(product) => format!(
                "{name} is the name of a product and no crawler; write the crawlers of {} that you mean: {}",
                product.operator(),
                crawlers()
            ),
            Meant::Operator(_) => format!(
                "{name} is the name of a company and no crawler; write the crawlers of it that you mean: {}",
                crawlers()
            ),
        }
    }
}

/// The crawler, or its successor; `None` if the name has ended without one.
fn in_use(crawler: &'static KnownCrawler) -> Option<Meant> {
    let crawler = match crawler.retired() {
        Some(retired) => find(retired.successor()?)?,
        None => crawler,
    };
    Some(Meant::Crawler(crawler))
}

/// The crawler with a name so close to this one that hardly another crawler is meant.
fn misspelled(lower: &str, core: &str) -> Option<&'static KnownCrawler> {
    if !may_be_misspelled(lower) || core.len() < SHORTEST_CORE {
        return None;
    }
    if let Some(crawler) = INDEX.by_core.get(core) {
        return Some(crawler);
    }
    let is_near =
        |token: &str, crawler: &KnownCrawler| match slip(lower.as_bytes(), token.as_bytes()) {
            Some(Slip::Swapped) => true,
            Some(Slip::OtherLetter) => core_of(crawler.token()).len() >= LONG_CORE,
            None => false,
        };
    // One slip changes the length by one at most.
    let lens = lower.len().saturating_sub(1)..=lower.len().saturating_add(1);
    let near_lens = lens.filter_map(|len| INDEX.lower_by_len.get(len));
    near_lens
        .flatten()
        .filter(|(_, token, crawler)| is_near(token, crawler))
        .min_by_key(|(place, ..)| *place)
        .map(|(.., crawler)| *crawler)
}

/// The crawler whose name has most letters in common with this one.
fn similar_crawler(lower: &str, core: &str) -> Option<&'static KnownCrawler> {
    if !may_be_misspelled(lower) {
        return None;
    }
    let tokens = INDEX.lower_by_len.iter().flatten();
    let similar = tokens.filter_map(|(place, token, crawler)| {
        let likeness = likeness(lower.as_bytes(), token.as_bytes())?;
        let of_token = core_of(token);
        let is_near = differ_in_bot(lower, token)
            || of_token.len() >= LONG_CORE
            // In a short name another letter makes another name: `Snapbot` is not `ShapBot`.
            || of_token.len() >= MIDDLE_CORE
                && of_token.len().abs_diff(core.len()) == 1
                && slip(core.as_bytes(), of_token.as_bytes()).is_some();
        is_near.then_some((likeness, usize::MAX.saturating_sub(*place), *crawler))
    });
    similar
        .max_by_key(|(likeness, first, _)| (*likeness, *first))
        .map(|(.., crawler)| crawler)
}

/// Whether a name is written as the names of crawlers are, and belongs to no other crawler.
fn may_be_misspelled(lower: &str) -> bool {
    is_in_names(lower) && !TRUE_NAMES.contains(&lower)
}

fn is_in_names(lower: &str) -> bool {
    let is_in_names = |byte: u8| byte.is_ascii_alphanumeric() || b"_.- ".contains(&byte);
    lower.bytes().all(is_in_names)
}

/// The crawlers of the operator that has this name, however it is written: `commoncrawl` is Common
/// Crawl, and `mistral` is Mistral AI.
fn operator_in_letters(lower: &str) -> Option<&'static [&'static KnownCrawler]> {
    let letters = letters_of(lower);
    if letters.len() < SHORTEST_CORE || TRUE_NAMES.contains(&lower) {
        return None;
    }
    let is_long = |name: &str| name.len() > LONG_CORE;
    let of = |letters: &str| INDEX.operators_by_letters.get(letters);
    let with_ai = || {
        let name = format!("{letters}ai");
        of(&name).filter(|_| is_long(&name))
    };
    let without_ai = || of(letters.strip_suffix("ai").filter(|_| is_long(&letters))?);
    let found = of(&letters).or_else(with_ai).or_else(without_ai);
    found.map(Vec::as_slice)
}

/// The product with this name, apart from signs: `Claude-AI`. A short name with a `bot` may be that
/// of another crawler.
fn product_in_letters(lower: &str) -> Option<&'static Product> {
    let letters = letters_of(lower);
    let is_long = |name: &&str| name.len() >= LONG_CORE;
    let name = letters.strip_suffix("bot").filter(is_long);
    other_product(name.unwrap_or(&letters)).filter(|_| !TRUE_NAMES.contains(&lower))
}

/// The crawlers of the operator whose name is before a word for a crawler: `openai-crawler`. A
/// short name before `crawler` may be that of another one: `Metacrawler`.
fn crawler_of_operator(lower: &str) -> Option<&'static [&'static KnownCrawler]> {
    let letters = letters_of(lower);
    let (name, word) = ["bots", "bot", "crawler", "spider", "robot"]
        .iter()
        .find_map(|word| Some((letters.strip_suffix(word)?, *word)))?;
    let is_long = name.len() > MIDDLE_CORE || word.starts_with("bot");
    let crawlers = INDEX.operators_by_letters.get(name)?;
    // `coccocbot` is short for `coccocbot-web`.
    let is_short = |crawler: &&KnownCrawler| {
        let start = crawler.token().get(..lower.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(lower))
    };
    let is_it = is_long && is_in_names(lower) && !crawlers.iter().any(is_short);
    is_it.then_some(crawlers.as_slice())
}

/// The crawler whose name ends otherwise, as with `GPTBots` and `Google-Extend`, or has other
/// signs, as with `CC-Bot`.
fn other_ending(lower: &str) -> Option<&'static KnownCrawler> {
    if !may_be_misspelled(lower) {
        return None;
    }
    let with_start = || {
        let (start, end) = lower.rsplit_once('-')?;
        let is_same = |(one, other): &(u8, u8)| one == other;
        let is_near = |(other, _): &&(String, _)| {
            let letters = other.bytes().zip(end.bytes());
            letters.take_while(is_same).count() >= LONG_CORE
        };
        let (_, crawler) = INDEX.ends_by_start.get(start)?.iter().find(is_near)?;
        Some(*crawler)
    };
    let letters = letters_of(lower);
    let in_letters = || find(&letters).filter(|_| letters.len() > MIDDLE_CORE);
    let singular = lower.strip_suffix('s').and_then(find);
    let found = singular.filter(|crawler| is_telling(crawler));
    found
        .or_else(|| in_letters().filter(|crawler| is_telling(crawler)))
        .or_else(with_start)
}

/// Whether a name like that of the crawler is probably a misspelling. The words `code`, `operator`
/// and `spider` begin many other names.
fn is_telling(crawler: &KnownCrawler) -> bool {
    !crawler.is_word() && !crawler.is_company()
}

struct Index {
    by_core: HashMap<String, &'static KnownCrawler>,
    /// The tokens in lower case, by their lengths, each with its place in the table. A name may be
    /// close to one of them.
    lower_by_len: Vec<Vec<(usize, String, &'static KnownCrawler)>>,
    /// The tokens with a hyphen by the parts before the last one, each with the part after it.
    ends_by_start: HashMap<String, Vec<(String, &'static KnownCrawler)>>,
    by_operator: HashMap<String, Vec<&'static KnownCrawler>>,
    /// The crawlers by the letters of the operator's name alone.
    operators_by_letters: HashMap<String, Vec<&'static KnownCrawler>>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let lower = |crawler: &KnownCrawler| crawler.token().to_ascii_lowercase();
    let telling: Vec<_> = all()
        .iter()
        .filter(|crawler| is_telling(crawler))
        .map(|crawler| (lower(crawler), crawler))
        .collect();
    let by_core = telling
        .iter()
        .rev()
        .map(|(token, crawler)| (core_of(token), *crawler));
    let mut by_operator: HashMap<String, Vec<_>> = HashMap::new();
    for crawler in by_importance() {
        let operator = crawler.operator().unwrap_or_default().to_ascii_lowercase();
        let is_name_of_crawler =
            !crawler.is_company() && product(crawler.token().as_bytes()).is_none();
        if !operator.is_empty() && !TRUE_NAMES.contains(&operator.as_str()) && is_name_of_crawler {
            by_operator.entry(operator).or_default().push(*crawler);
        }
    }
    for crawlers in by_operator.values_mut() {
        // Its pages name them to owners, and people mean these uses first.
        crawlers.sort_by_key(|crawler| {
            let rank = match crawler.purpose() {
                Purpose::Search => 0,
                Purpose::Training => 1,
                Purpose::AiSearch => 2,
                Purpose::Assistant => 3,
                _ => 4,
            };
            (crawler.documentation().is_none(), rank)
        });
    }
    let longest = telling.iter().map(|(token, _)| token.len()).max();
    let mut lower_by_len = vec![Vec::new(); longest.map_or(0, |len| len.saturating_add(1))];
    for (place, (token, crawler)) in telling.iter().enumerate() {
        if let Some(of_len) = lower_by_len.get_mut(token.len()) {
            of_len.push((place, token.clone(), *crawler));
        }
    }
    let mut ends_by_start: HashMap<String, Vec<_>> = HashMap::new();
    for (token, crawler) in &telling {
        if let Some((start, end)) = token.rsplit_once('-') {
            let ends = ends_by_start.entry(start.to_owned()).or_default();
            ends.push((end.to_owned(), *crawler));
        }
    }
    let by_letters = by_operator.iter();
    let by_letters =
        by_letters.map(|(operator, crawlers)| (letters_of(operator), crawlers.clone()));
    Index {
        operators_by_letters: by_letters.collect(),
        by_operator,
        by_core: by_core
            .filter(|(core, _)| core.len() >= SHORTEST_CORE)
            .collect(),
        lower_by_len,
        ends_by_start,
    }
});

/// Letters of a name without `bot` that are enough to recognise it: `gpt`.
const SHORTEST_CORE: usize = 3;

/// The least number of letters without `bot` at which a name with a letter too many or too few is
/// probably misspelled: `Bngbot`. `Ai2Bot` and `AIBot` are two crawlers.
const MIDDLE_CORE: usize = 4;

/// The least number of letters without `bot` at which a name with another letter is hardly the name
/// of another crawler. `Dotbot` and `WotBot`, `Ai2Bot` and `AIBot` are two crawlers each.
const LONG_CORE: usize = 6;

/// Crawlers outside of the table whose names are close to those of others, or are the names of
/// companies.
const TRUE_NAMES: &[&str] = &[
    "archive.org",
    "buddy",
    "coccoc",
    "meltwater",
    "mozilla",
    "naver",
    "pinterest",
    "roverbot",
    "semrushbot-ba",
    "semrushbot-bm",
    "semrushbot-sa",
    "semrushbot-si",
    "semrushbot-ct",
    "semrushbot-coub",
    "sphider",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn crawler(meant: Option<Meant>) -> Option<&'static str> {
        match meant? {
            Meant::Crawler(crawler) => Some(crawler.token()),
            _ => None,
        }
    }

    #[test]
    fn near_names_are_recognised() {
        for (value, expected) in [
            ("GTPBot", "GPTBot"),
            ("ChatGPTUser", "ChatGPT-User"),
            ("GooglebotExtended", "Google-Extended"),
            ("Claude-Bot", "ClaudeBot"),
            ("Claude Bot", "ClaudeBot"),
            ("Perplexity", "PerplexityBot"),
            ("Byte-Spider", "Bytespider"),
            ("Gogglebot", "Googlebot"),
            ("CCBott", "CCBot"),
        ] {
            let is_short = value == "CCBott";
            let clearly = crawler(clearly_meant(value));
            assert_eq!(clearly, (!is_short).then_some(expected), "{value}");
        }
    }

    #[test]
    fn other_crawlers_are_left_alone() {
        for value in [
            "WotBot",
            "AIBot",
            "Roverbot",
            "SemrushBot-SA",
            "SemrushBot-CT",
            "ExampleBot",
            "Spiderbot",
            "Snapbot",
            "bot",
            "Pinterest",
            "Devil",
            "Naver",
        ] {
            assert!(clearly_meant(value).is_none(), "{value}");
            assert!(meant(value).is_none(), "{value}: {:?}", meant(value));
        }
        for value in [
            "Baiduspider-ads",
            "Baiduspider-image",
            "BingPreview",
            "DuckDuckGo-Favicons-Bot",
            "Kingbot",
            "MyPrivateBot",
            "Stackbot",
            "YandexMobileBot",
            "YandexVideo",
            "ai",
            "everyone",
            "open",
            "wget",
            "curl",
            "python-requests",
        ] {
            assert!(meant(value).is_none(), "{value}: {:?}", meant(value));
        }
    }

    #[test]
    fn an_operator_is_no_crawler_and_a_near_name_is_one() {
        for (value, expected) in [
            ("OpenAI", "GPTBot"),
            ("OpenAI-Bot", "GPTBot"),
            ("OpenAIBot", "GPTBot"),
            ("Open AI", "GPTBot"),
            ("openai-crawler", "GPTBot"),
            ("Perplexity-AI", "PerplexityBot"),
            ("PerplexityAI", "PerplexityBot"),
            ("Claude-AI", "ClaudeBot"),
            ("Google-AI", "Google-Extended"),
            ("CommonCrawl", "CCBot"),
            ("Common Crawl", "CCBot"),
            ("CC-Bot", "CCBot"),
            ("GPTBots", "GPTBot"),
            ("Mistral", "MistralAI-User"),
            ("TikTok", "TikTokSpider"),
            ("Google-Extend", "Google-Extended"),
            ("Google-Extendeded", "Google-Extended"),
            ("Copilot", "bingbot"),
            ("Llama", "meta-externalagent"),
            ("Qwen", "TongyiBot"),
            ("MetaBot", "meta-externalagent"),
        ] {
            let found = clearly_meant(value).unwrap_or_else(|| panic!("{value}"));
            assert!(found.tokens().contains(&expected), "{value}: {found:?}");
            assert!(!found.tokens().contains(&"OpenAI"), "{value}");
        }
        for value in ["xAI", "Midjourney"] {
            assert!(clearly_meant(value).is_some_and(|found| found.tokens().is_empty()));
        }
        for value in [
            "Openbot",
            "MetaJobBot",
            "Metacrawler",
            "METASpider",
            "metabot.ru",
            "Mistralbot",
            "discobot",
            "SoraBot",
            "linkbot",
            "coccoc",
            "BySpider",
            "Camcrawler",
            "Searchbot",
            "Googlebot-IA",
            "MetaURI",
            "Openfind",
        ] {
            assert!(clearly_meant(value).is_none(), "{value}");
        }
    }

    #[test]
    fn known_names_and_second_ones_are_meant_as_they_are() {
        for crawler in all() {
            let token = crawler.token();
            let is_other = ["OpenAI", "ChatGPT"].contains(&token);
            assert_eq!(meant(token).is_some(), is_other, "{token}");
            for second in crawler.falls_back_to() {
                assert!(meant(second).is_none(), "{second}");
            }
        }
    }

    #[test]
    fn usual_misspellings_are_recognised() {
        for (name, expected) in [
            ("Googelbot", "Googlebot"),
            ("Gogglebot", "Googlebot"),
            ("Google-bot", "Googlebot"),
            ("GTPBot", "GPTBot"),
            ("GPTbott", "GPTBot"),
            ("GPTBots", "GPTBot"),
            ("GPT-Bot", "GPTBot"),
            ("ChatGTP-User", "ChatGPT-User"),
            ("Bingbott", "bingbot"),
            ("Bngbot", "bingbot"),
            ("bignbot", "bingbot"),
            ("YandexBott", "YandexBot"),
            ("DuckDuckBott", "DuckDuckBot"),
            ("DuckDuckGoBot", "DuckDuckBot"),
            ("Baiduspyder", "Baiduspider"),
            ("Baidu-Spider", "Baiduspider"),
            ("CCbott", "CCBot"),
            ("CC-Bot", "CCBot"),
            ("Claudbot", "ClaudeBot"),
            ("ClaudeBott", "ClaudeBot"),
            ("Claude-Serachbot", "Claude-SearchBot"),
            ("PerplexityBott", "PerplexityBot"),
            ("PreplexityBot", "PerplexityBot"),
            ("Applebott", "Applebot"),
            ("Aplebot", "Applebot"),
            ("Applebot-Extend", "Applebot-Extended"),
            ("Amazonbott", "Amazonbot"),
            ("Bytespyder", "Bytespider"),
            ("ByteSpder", "Bytespider"),
            ("AhrefBot", "AhrefsBot"),
            ("SemrushBott", "SemrushBot"),
            ("facebookexternlhit", "facebookexternalhit"),
            ("facebook-external-hit", "facebookexternalhit"),
            ("facebookexternalhits", "facebookexternalhit"),
            ("meta-externalagents", "meta-externalagent"),
            ("meta-external-agent", "meta-externalagent"),
            ("Google-Extend", "Google-Extended"),
            ("Google-Extented", "Google-Extended"),
            ("GoogleExtended", "Google-Extended"),
            ("Googlebot-Images", "Googlebot-Image"),
            ("OAI-SerchBot", "OAI-SearchBot"),
            ("OAISearchBot", "OAI-SearchBot"),
            ("Twiterbot", "Twitterbot"),
            ("LinkdInBot", "LinkedInBot"),
            ("PetalBott", "PetalBot"),
            ("MJ12bott", "MJ12bot"),
            ("msnbott", "bingbot"),
        ] {
            assert_eq!(crawler(meant(name)), Some(expected), "{name}");
            let in_capitals = name.to_ascii_uppercase();
            assert_eq!(crawler(meant(&in_capitals)), Some(expected), "{name}");
        }
    }

    #[test]
    fn products_and_companies_have_crawlers_of_other_names() {
        for (name, expected) in [
            ("OpenAI", "GPTBot"),
            ("open-ai", "GPTBot"),
            ("Anthropic", "ClaudeBot"),
            ("Claude", "Claude-SearchBot"),
            ("ChatGPT", "ChatGPT-User"),
            ("Gemini", "Google-Extended"),
            ("Bard", "Google-Extended"),
            ("Copilot", "bingbot"),
            ("Mistral", "MistralAI-User"),
            ("MistralAI", "MistralAI-User"),
            ("Llama", "meta-externalagent"),
            ("Perplexity", "Perplexity-User"),
            ("PerplexityAI", "PerplexityBot"),
            ("CommonCrawl", "CCBot"),
            ("Bing", "bingbot"),
            ("Google", "Googlebot"),
            ("DeepSeek", "DeepSeekBot"),
            ("Qwen", "TongyiBot"),
            ("Meta", "meta-externalagent"),
            ("Facebook", "facebookexternalhit"),
            ("TikTok", "TikTokSpider"),
            ("ByteDance", "Bytespider"),
            ("Microsoft", "bingbot"),
            ("Yahoo!", "Slurp"),
        ] {
            let found = meant(name).unwrap_or_else(|| panic!("{name}"));
            assert!(found.tokens().contains(&expected), "{name}: {found:?}");
            assert!(found.sentence(name).contains(&format!("`{expected}`")));
            for token in found.tokens() {
                assert!(meant(token).is_none(), "{token} for {name}");
            }
        }
        for name in ["Grok", "xAI", "Midjourney"] {
            let found = meant(name).unwrap_or_else(|| panic!("{name}"));
            assert!(found.tokens().is_empty(), "{name}: {found:?}");
            let sentence = found.sentence(name);
            assert!(sentence.contains("documents no crawler"), "{sentence}");
        }
    }

    #[test]
    fn a_hostile_name_takes_no_time_and_is_quoted() {
        let long = "googlebot".repeat(100_000);
        assert!(meant(&long).is_none());
        let found = meant("Googlebot\u{202e}!").map(|meant| meant.sentence("Google\u{1b}!"));
        assert!(found.is_none_or(|sentence| !sentence.contains('\u{1b}')));
    }
}
