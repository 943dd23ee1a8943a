//! `robots edit`.

use std::fs;

use polite_robots::RobotsTxt;
use polite_robots_audit::known::{self, Purpose};

use crate::suite::robots::{Run, file, robots, robots_reading};

const ROBOTS_TXT: &str = "\
# our shop
User-agent: *
Disallow: /cart
Crawl-delay: 2

User-agent: GPTBot
User-agent: bingbot
Disallow: /
";

/// Edits the file, which comes from standard input.
fn edit(options: &[&str]) -> Run {
    let mut arguments = vec!["edit", "-"];
    arguments.extend(options);
    robots_reading(ROBOTS_TXT, arguments)
}

#[test]
fn a_purpose_stands_for_its_known_crawlers() {
    let run = edit(&["--close", "training,ai-search"]);
    for agent in ["+User-agent: ClaudeBot\n", "+User-agent: PerplexityBot\n"] {
        assert!(run.stdout.contains(agent), "{run:?}");
    }
    // The site is closed to GPTBot already, and names that are no longer used are left out.
    assert!(!run.stdout.contains("+User-agent: GPTBot\n"), "{run:?}");
    assert!(!run.stdout.contains("anthropic-ai"), "{run:?}");
}

#[test]
fn the_crawlers_that_a_purpose_leaves_out_are_named() {
    let run = edit(&["--close=training"]);
    assert_eq!(run.code, 0, "{run:?}");
    for expected in [
        "Bytespider",
        "DeepSeekBot",
        " (need not obey robots.txt); to name them, add ",
        "CCBot, have the purpose data",
    ] {
        assert!(run.stderr.contains(expected), "{expected}: {run:?}");
    }
    assert!(!run.stdout.contains("Bytespider"), "{run:?}");
}

#[test]
fn ai_stands_for_five_purposes_which_are_explained() {
    let [run, capitals] = ["--close=ai", "--close=AI"].map(|option| edit(&[option]));
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(
        (&run.stdout, &run.stderr),
        (&capitals.stdout, &capitals.stderr)
    );
    for purpose in Purpose::AI {
        let explained = format!("note: ai includes {}, ", purpose.as_str());
        assert!(run.stderr.contains(&explained), "{run:?}");
        assert!(run.stderr.contains(purpose.description()), "{run:?}");
    }
    for expected in [
        "note: ai leaves out Bytespider",
        "\nclosed after this change: 24 crawlers for the training of AI (GPTBot, ",
        " crawlers for AI search (",
        "vanish from the answers of AI; `--close training` closes it to training alone\n",
    ] {
        assert!(run.stderr.contains(expected), "{expected}: {run:?}");
    }
    let search = edit(&["--open=AI"]);
    assert!(
        search
            .stderr
            .contains("\nopen after this change: 24 crawlers for the training of AI (GPTBot, "),
        "{search:?}"
    );
    assert!(!search.stderr.contains("vanish"), "{search:?}");
}

/// Words that owners use for crawlers. Each word closes the site to the crawlers that the sentence
/// names, or is refused with words that are accepted instead.
#[test]
fn each_word_of_owners_does_what_its_sentence_says_or_leads_to_one_that_does() {
    let mut refused = 0;
    for word in WORDS_OF_OWNERS {
        let run = edit(&["--close", word]);
        if run.code == 0 {
            assert_closes(word);
            continue;
        }
        refused += 1;
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
        // The first quotation is the word itself, of the message or of clap.
        let message = run
            .stderr
            .rsplit_once("`: ")
            .map_or(&*run.stderr, |(_, message)| message);
        let quoted = message.split('`').skip(1).step_by(2);
        let others: Vec<&str> = quoted.filter(|quoted| *quoted != word).collect();
        assert!(!others.is_empty(), "{word} has no way out: {run:?}");
        assert_closes(&others.join(","));
        for other in others {
            assert_closes(other);
        }
    }
    assert!(refused > 30, "{refused}");
}

/// Writes a file that is closed to these agents, and checks it for each crawler that the sentence
/// names.
fn assert_closes(words: &str) {
    let path = file("edit-words.robots.txt", "User-agent: *\nDisallow: /cart\n");
    let run = robots(["edit", path.to_str().unwrap(), "--close", words, "--write"]);
    assert_eq!(run.code, 0, "{words}: {run:?}");
    let sentence = run.stderr.lines().find_map(|line| {
        let closed = line.strip_prefix("closed now: ");
        closed.or_else(|| {
            line.strip_prefix("not closed by a file, as they need not obey robots.txt: ")
        })
    });
    let sentence = sentence.unwrap_or_else(|| panic!("{words}: {run:?}"));
    let written = RobotsTxt::parse(&fs::read(&path).unwrap());
    let mut named = 0;
    let is_in_token = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
    for crawler in sentence.split(|letter| !is_in_token(letter)) {
        let Some(crawler) = known::find(crawler) else {
            continue;
        };
        named += 1;
        let robot = crawler.robot(&written).unwrap();
        assert!(
            !robot.allowed("/") && !robot.allowed("/a"),
            "{words}: {crawler:?}"
        );
    }
    assert!(named > 0, "{words}: {sentence}");
}

const WORDS_OF_OWNERS: [&str; 62] = [
    "ai",
    "AI",
    "Ai",
    "ai-bots",
    "ai-crawlers",
    "AIBots",
    "ai_scrapers",
    "ai bots",
    "genai",
    "llm",
    "llms",
    "LLMs",
    "bots",
    "trainers",
    "trainng",
    "ai-training",
    "Training",
    "OpenAI",
    "openai",
    "Copilot",
    "CommonCrawl",
    "Common Crawl",
    "Google-Extend",
    "ChatGPT",
    "chat-gpt",
    "Gemini",
    "Google Gemini",
    "Anthropic",
    "Claude",
    "assistants",
    "agents",
    "SEO",
    "seo",
    "search",
    "search-engines",
    "Meta",
    "facebook",
    "Instagram",
    "Perplexity",
    "Mistral",
    "Llama",
    "Grok",
    "xai",
    "DeepSeek",
    "ByteDance",
    "TikTok",
    "Bing",
    "Google",
    "googlebot",
    "Microsoft",
    "Apple",
    "Amazon",
    "Bard",
    "Midjourney",
    "Qwen",
    "scrapers",
    "spiders",
    "crawlers",
    "everyone",
    "all",
    "archives",
    "ads",
];
