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
fn a_diff_shows_the_change() {
    let run = edit(&["--close=CCBot", "--open=bingbot", "--signal=ai-train=no"]);
    assert_eq!(
        run.stdout,
        "\
--- -
+++ -
@@ -1,8 +1,18 @@
 # our shop
 User-agent: *
+Content-Signal: ai-train=no
 Disallow: /cart
 Crawl-delay: 2
 
 User-agent: GPTBot
+Content-Signal: ai-train=no
+Disallow: /
+
+User-agent: CCBot
+Content-Signal: ai-train=no
+Crawl-delay: 2
+Disallow: /
+
 User-agent: bingbot
-Disallow: /
+Content-Signal: ai-train=no
+Disallow: /cart
"
    );
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(
        run.stderr,
        "closed after this change: CCBot\nopen after this change: bingbot\n"
    );
}

#[test]
fn a_use_has_a_group_of_its_own() {
    let group = "
+
+User-agent: __usage_ai-training
+Disallow: /
";
    for signal in ["training", "Training", "training=no"] {
        let run = edit(&["--signal", signal]);
        assert!(run.stdout.ends_with(group), "{run:?}");
        assert_eq!(
            (run.code, run.stdout.matches("\n+").count()),
            (0, 4),
            "{run:?}"
        );
    }
    let run = edit(&["--signal=training=yes,ai-train=yes"]);
    assert!(
        run.stdout.ends_with(&group.replace("Disallow", "Allow")),
        "{run:?}"
    );
    // The purpose of this name stands for crawlers.
    let run = edit(&["--close=training"]);
    assert!(run.code == 0 && !run.stdout.contains("__usage"), "{run:?}");
    for option in ["--close", "--open"] {
        let run = edit(&[option, "__Usage_AI-training", "--exact"]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
        assert!(
            run.stderr
                .contains("`training=no` or `training=yes`, with --signal"),
            "{run:?}"
        );
    }
}

#[test]
fn a_purpose_stands_for_its_known_crawlers() {
    let run = edit(&["--close", "training,ai-search"]);
    for agent in ["+User-agent: ClaudeBot\n", "+User-agent: PerplexityBot\n"] {
        assert!(run.stdout.contains(agent), "{run:?}");
    }
    // It is closed already, and names that are no longer used are left out.
    assert!(!run.stdout.contains("+User-agent: GPTBot\n"), "{run:?}");
    assert!(!run.stdout.contains("anthropic-ai"), "{run:?}");
}

#[test]
fn the_file_is_written_and_stays_as_asked() {
    let path = file("edit.robots.txt", ROBOTS_TXT);
    let path = path.to_str().unwrap();
    let run = robots(["edit", path, "--close=Googlebot", "--write"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    assert!(
        run.stderr.starts_with("closed now: ")
            && run
                .stderr
                .contains("\nnote: where the file does not name them, ")
            && run.stderr.contains("Googlebot-Image"),
        "{run:?}"
    );
    let written = fs::read_to_string(path).unwrap();
    assert_eq!(
        written,
        format!("{ROBOTS_TXT}\nUser-agent: Googlebot\nCrawl-delay: 2\nDisallow: /\n")
    );
    let again = robots(["edit", path, "--close=Googlebot", "--write"]);
    assert_eq!((again.code, again.stdout.as_str()), (0, ""));
    assert_eq!(
        again.stderr,
        format!("`{path}` is as asked; nothing changes\n")
    );
    let checked = robots(["check", path, "--agent=Googlebot", "/"]);
    assert_eq!(checked.code, 1);
}

#[test]
fn wrong_requests_are_errors_that_say_what_to_do() {
    for (options, expected) in [
        (&["--close=GPTBot/1.2"][..], "write `GPTBot`"),
        (
            &["--signal=ai-trian=no"],
            "`ai-trian=no` is no preference; there are ",
        ),
        (
            &["--signal=ai-train"],
            "write a key and a value, as in ai-train=no",
        ),
        (
            &["--close=gptbot", "--open=GPTBot"],
            "`gptbot` is to be both closed and opened",
        ),
        (
            &["--close=a", "--write"],
            "standard input cannot be written to",
        ),
        (&[], "--close <AGENT|PURPOSE>"),
    ] {
        let run = edit(options);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{options:?}");
        assert!(run.stderr.contains(expected), "{run:?}");
    }
}

#[test]
fn what_cannot_be_edited_stays_as_it_is() {
    for (robots_txt, expected) in [
        (
            "<!DOCTYPE html><p>Not found",
            "is not edited: the file is no robots.txt: ",
        ),
        (
            "User-agent: GPTBot2\nAllow: /open\nDisallow: /\n",
            "is not edited: the file is written so that the edit would change other answers too",
        ),
    ] {
        let path = file("edit-odd.robots.txt", robots_txt);
        let run = robots(["edit", path.to_str().unwrap(), "--close=GPTBot", "--write"]);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.stderr.contains(expected), "{run:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), robots_txt);
    }
}

/// Words by which owners mean crawlers, and which no crawler has for its name: a group for one of
/// them would close nobody.
#[test]
fn a_word_that_names_no_crawler_is_refused() {
    for (word, expected) in [
        ("ai-bots", "write `ai` if you mean"),
        ("AIBots", "write `ai` if you mean"),
        ("llm", "write `ai` if you mean"),
        ("bots", "write `*` if you mean"),
        ("MyPrivateBot", "no known crawler"),
        ("OpenAI", "is the name of a company"),
        ("openai", "GPTBot"),
        ("CommonCrawl", "that you mean: `CCBot` (data)"),
        ("Perplexity", "PerplexityBot"),
        ("Google-Extend", "write `Google-Extended`"),
        ("Copilot", "no crawler"),
    ] {
        for option in ["--close", "--open"] {
            let run = edit(&[option, word]);
            assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
            assert!(run.stderr.contains(expected), "{run:?}");
            assert!(run.stderr.contains("--exact"), "{run:?}");
        }
    }
    // Meant all the same, or in the file already.
    let exact = edit(&["--close=MyPrivateBot", "--exact"]);
    assert!(
        exact.stdout.contains("+User-agent: MyPrivateBot\n"),
        "{exact:?}"
    );
    assert!(exact.stderr.contains("to no known crawler"), "{exact:?}");
    let named = robots_reading(
        "User-agent: MyPrivateBot\nDisallow: /a\n",
        ["edit", "-", "--close=MyPrivateBot"],
    );
    assert_eq!(named.code, 0, "{named:?}");
    // Crawlers obey the rules for it.
    assert_eq!(edit(&["--close=Yandex"]).code, 0);
}

#[test]
fn a_name_that_lint_would_warn_of_is_refused() {
    for (option, expected) in [
        ("--close=GTPBot", "write `GPTBot` if you mean it"),
        ("--close=trainng", "write `training` if you mean it"),
        ("--open=msnbot", "write `bingbot` too"),
        ("--close=Google", "write `Googlebot` if you mean it"),
    ] {
        let run = edit(&[option]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
        assert!(run.stderr.contains(expected), "{run:?}");
        assert!(run.stderr.contains("--exact"), "{run:?}");
    }
    let run = edit(&["--close=GTPBot", "--exact"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains("+User-agent: GTPBot\n"), "{run:?}");
    // The old name and the new one together are no mistake, and neither is a name of the file.
    assert_eq!(edit(&["--close=msnbot,bingbot"]).code, 0);
    let named = robots_reading(
        "User-agent: GTPBot\nDisallow: /a\n",
        ["edit", "-", "--close=GTPBot"],
    );
    assert_eq!(named.code, 0, "{named:?}");
}

#[test]
fn the_crawlers_that_follow_another_are_named() {
    let one = robots_reading(
        "User-agent: *\nDisallow: /cart\n",
        ["edit", "-", "--close=msnbot", "--exact"],
    );
    let expected = "does not name it, bingbot obeys the rules for msnbot, as its operator says";
    assert!(one.stderr.contains(expected), "{one:?}");
    // The file names bingbot.
    let none = edit(&["--close=msnbot", "--exact"]);
    assert!(!none.stderr.contains("bingbot"), "{none:?}");
    let many = edit(&["--close=Yandex"]);
    let expected = " obey the rules for Yandex, as their operators say";
    assert!(many.stderr.contains(expected), "{many:?}");
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

#[test]
fn crawlers_that_need_not_obey_are_not_closed() {
    let run = edit(&["--close=Bytespider,Diffbot,CCBot"]);
    for expected in [
        "closed after this change: Diffbot, CCBot\n",
        "note: Diffbot does not always obey robots.txt\n",
        "not closed by a file, as they need not obey robots.txt: Bytespider\n",
    ] {
        let sorted = run.stderr.replace("CCBot, Diffbot", "Diffbot, CCBot");
        assert!(sorted.contains(expected), "{expected}: {run:?}");
    }
}

/// Words by which owners mean crawlers. Each closes the site to those that the sentence names, or
/// is refused with words that are taken in its place.
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

/// Writes a file that is closed to these agents, and asks it for each crawler that the sentence
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
