//! Finds the crawler that a `User-Agent` header names, by whole tokens. Anybody can send its name.

use std::collections::HashSet;

use polite_robots::record::PolicyToken;
use polite_robots::{ProductToken, RobotsTxt};
use polite_robots_audit::known;

/// The names by which crawlers are recognised: those of the robots.txt and of the table of known
/// crawlers.
#[derive(Debug)]
pub(super) struct CrawlerNames {
    /// In lower case.
    of_file: HashSet<String>,
}

impl CrawlerNames {
    pub(super) fn new(robots_txt: &RobotsTxt) -> CrawlerNames {
        let groups = robots_txt.merged_groups();
        let names = groups.map(|group| group.product_token().to_ascii_lowercase());
        let is_name = |name: &String| {
            let is_use = PolicyToken::find(name).is_some();
            !name.is_empty() && name != "*" && !is_of_browser(name) && !is_use
        };
        CrawlerNames {
            of_file: names.filter(is_name).collect(),
        }
    }

    /// The product token of a crawler. `None` for browsers, libraries and other clients that do not
    /// call themselves crawlers.
    pub(super) fn find(&self, user_agent: &[u8]) -> Option<String> {
        let start = user_agent.get(..LONGEST_READ).unwrap_or(user_agent);
        let header = String::from_utf8_lossy(start);
        let guess = ProductToken::from_user_agent(&header);
        let guess = guess.as_ref().map(ProductToken::as_str);
        if let Some(guess) = guess.filter(|token| self.has(token)) {
            return Some(self.spelled(guess));
        }
        let mut tokens = tokens(&header);
        if let Some(token) = tokens.find(|token| self.has(token)) {
            return Some(self.spelled(token));
        }
        // A crawler that nobody knows.
        let guess = guess.filter(|token| token.len() <= LONGEST_NAME)?;
        let lower = guess.to_ascii_lowercase();
        let is_crawler = ["bot", "crawl", "spider"]
            .iter()
            .any(|part| lower.contains(part));
        is_crawler.then(|| guess.to_owned())
    }

    fn has(&self, token: &str) -> bool {
        !is_of_browser(token) && (known::find(token).is_some() || self.is_in_file(token))
    }

    /// Whether the file names the crawler.
    pub(super) fn is_in_file(&self, token: &str) -> bool {
        self.of_file.contains(&token.to_ascii_lowercase())
    }

    /// The usual spelling, so that a crawler has one name.
    fn spelled(&self, token: &str) -> String {
        known::find(token)
            .map_or(token, |crawler| crawler.token())
            .to_owned()
    }
}

/// The words of a header that could be product tokens. Addresses are left out:
/// `+https://example.com/GPTBot` is a page.
fn tokens(header: &str) -> impl Iterator<Item = &str> {
    let words = header.split([' ', '\t', ';', ',', '(', ')', '[', ']', '"']);
    let words = words.filter(|word| !word.contains("://") && !word.contains('@'));
    let names = words.filter_map(|word| word.split('/').next());
    names.filter(|name| !name.is_empty() && name.len() <= LONGEST_NAME)
}

/// A file that names `Mozilla` does not make every browser a crawler.
fn is_of_browser(token: &str) -> bool {
    BROWSERS.iter().any(|name| name.eq_ignore_ascii_case(token))
}

const BROWSERS: &[&str] = &[
    "Mozilla",
    "AppleWebKit",
    "Chrome",
    "Safari",
    "Firefox",
    "Gecko",
    "KHTML",
    "Version",
    "Mobile",
    "Edge",
    "Edg",
    "Opera",
    "OPR",
    "Windows",
    "Linux",
    "Macintosh",
    "Android",
    "iPhone",
    "compatible",
    "like",
    // On the list of AI crawlers as editors and assistants, but words in the headers of browsers
    // too.
    "Code",
    "Operator",
    "Terra",
    "Cursor",
];

/// In bytes.
const LONGEST_READ: usize = 2048;

/// In bytes. A log is written by those who ask, so names need a bound.
const LONGEST_NAME: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_no_crawler() {
        let file = RobotsTxt::parse(b"User-agent: __usage_ai-training\nDisallow: /");
        assert_eq!(
            CrawlerNames::new(&file).find(b"__usage_ai-training/1.0"),
            None
        );
    }

    #[test]
    fn crawlers_are_recognised_by_whole_tokens() {
        let file = RobotsTxt::parse(b"User-agent: InHouse\nUser-agent: Mozilla\nDisallow: /");
        let names = CrawlerNames::new(&file);
        for (header, expected) in [
            (
                "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
                Some("Googlebot"),
            ),
            (
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
                Some("GPTBot"),
            ),
            ("gptbot", Some("GPTBot")),
            (
                "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/)",
                Some("Slurp"),
            ),
            ("inhouse/2 (linux)", Some("inhouse")),
            (
                "Mozilla/5.0 (compatible; NobodyKnowsBot/1.0)",
                Some("NobodyKnowsBot"),
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
                None,
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) Code/1.90.0 Chrome/122 Electron/29 Safari/537.36",
                None,
            ),
            (
                "Mozilla/5.0 (X11; Cubot P40) AppleWebKit/537.36 Chrome/130.0 Safari/537.36",
                None,
            ),
            // A page about GPTBot is not GPTBot.
            ("curl/8.0 (+https://example.com/GPTBot)", None),
            ("MyGPTBotCopy-1", Some("MyGPTBotCopy-1")),
            ("curl/8.0", None),
            ("-", None),
            ("", None),
        ] {
            assert_eq!(
                names.find(header.as_bytes()).as_deref(),
                expected,
                "{header}"
            );
        }
        assert_eq!(names.find(&[0xFF; 100_000]), None);
    }
}
