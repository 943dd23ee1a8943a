//! `robots edit`.

use std::fs;

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
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
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
        run.stderr
            .starts_with("note: where the file does not name them, ")
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
        (
            "ai",
            "training,ai-search,assistant,agent,data are those of AI",
        ),
        ("AI", "are those of AI"),
        ("ai-bots", "are those of AI"),
        ("AIBots", "are those of AI"),
        ("llm", "are those of AI"),
        ("bots", "are those of AI"),
        ("MyPrivateBot", "are those of AI"),
        ("OpenAI", "its crawlers are "),
        ("openai", "GPTBot"),
        ("CommonCrawl", "its crawlers are CCBot"),
        ("Perplexity", "PerplexityBot"),
        ("Google-Extend", "write `Google-Extended`"),
        ("Copilot", "no known crawler"),
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
    let one = edit(&["--close=msnbot", "--exact"]);
    let expected = "does not name it, bingbot obeys the rules for msnbot, as its operator says";
    assert!(one.stderr.contains(expected), "{one:?}");
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
