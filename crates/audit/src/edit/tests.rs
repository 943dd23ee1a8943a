//! Edits of files in each relevant shape.

use polite_robots::{AgentMatch, Options};
use polite_robots_records::Usage;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn edited(edit: Result<Edit, EditError>, file: &str) -> String {
    String::from_utf8(edit.unwrap().applied(file.as_bytes()).unwrap()).unwrap()
}

fn closing(agent: &str) -> Result<Edit, EditError> {
    Edit::new().close(agent)
}

fn opening(agent: &str) -> Result<Edit, EditError> {
    Edit::new().open(agent)
}

#[test]
fn a_new_agent_is_closed_in_a_group_of_its_own() {
    for (file, expected) in [
        ("", "User-agent: A\nDisallow: /\n"),
        (
            "User-agent: *\nDisallow: /x",
            "User-agent: *\nDisallow: /x\n\nUser-agent: A\nDisallow: /\n",
        ),
        (
            "User-agent: *\r\nCrawl-delay: 2 # slow\r\nDisallow: /x\r\n",
            "User-agent: *\r\nCrawl-delay: 2 # slow\r\nDisallow: /x\r\n\r\nUser-agent: A\r\nCrawl-delay: 2\r\nDisallow: /\r\n",
        ),
        // If the last group has no rules, it would take those of the new group.
        (
            "User-agent: b\n",
            "User-agent: b\nDisallow:\n\nUser-agent: A\nDisallow: /\n",
        ),
    ] {
        assert_eq!(edited(closing("A"), file), expected, "{file}");
    }
}

#[test]
fn an_agent_with_a_group_of_its_own_is_closed_there() {
    for (file, expected) in [
        (
            "User-agent: a/1.0 # us\nDisallow: /x\nAllow: /x/y\n\nUser-agent: b\nAllow: /z\n",
            "User-agent: a/1.0 # us\nDisallow: /\nDisallow: /x\n\nUser-agent: b\nAllow: /z\n",
        ),
        (
            "User-agent: a\nDisallow: /\n",
            "User-agent: a\nDisallow: /\n",
        ),
    ] {
        assert_eq!(edited(closing("A"), file), expected, "{file}");
    }
}

#[test]
fn an_agent_that_shares_a_group_leaves_it() {
    let file = "User-agent: z\nDisallow: /z\n\nUser-agent: a\nCrawl-delay: 3\nUser-agent: b\nDisallow: /x\n";
    // The delay is for `a` alone. It must not fall to `z`, which stands above.
    assert_eq!(
        edited(closing("a"), file),
        "User-agent: z\nDisallow: /z\n\nUser-agent: b\nDisallow: /x\n\nUser-agent: a\nCrawl-delay: 3\nDisallow: /\n"
    );
}

#[test]
fn an_open_agent_has_its_other_rules_or_those_for_everyone() {
    for (file, expected) in [
        // The other rules stay, though the rule for everything seemed to overrule them.
        (
            "User-agent: a\nDisallow: /x\nDisallow: /\n",
            "User-agent: a\nDisallow: /x\n",
        ),
        (
            "User-agent: *\nDisallow: /cart\n\nUser-agent: a\nDisallow: /\n",
            "User-agent: *\nDisallow: /cart\n\nUser-agent: a\nDisallow: /cart\n",
        ),
        (
            "User-agent: a\nDisallow: /*\n",
            "User-agent: a\nDisallow:\n",
        ),
        (
            "User-agent: *\nDisallow: /\nDisallow: /cart\nAllow: /help\n",
            "User-agent: *\nDisallow: /\nDisallow: /cart\nAllow: /help\n\nUser-agent: a\nDisallow: /cart\nAllow: /help\n",
        ),
        (
            "User-agent: a\nUser-agent: b\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n",
            "User-agent: b\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n\nUser-agent: a\nDisallow: /cart\n",
        ),
        // The agent is already open.
        (
            "User-agent: *\nDisallow: /x\n",
            "User-agent: *\nDisallow: /x\n",
        ),
    ] {
        assert_eq!(edited(opening("a"), file), expected, "{file}");
    }
}

#[test]
fn several_agents_share_a_new_group() {
    let edit = closing("a")
        .and_then(|edit| edit.close("b"))
        .and_then(|edit| edit.open("c"));
    assert_eq!(
        edited(edit, "User-agent: c\nDisallow: /\n"),
        "User-agent: c\nDisallow:\n\nUser-agent: a\nUser-agent: b\nDisallow: /\n"
    );
    assert_eq!(
        edited(closing("*"), "User-agent: a\nDisallow: /x\n"),
        "User-agent: a\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n"
    );
}

#[test]
fn a_signal_is_stated_in_each_group() {
    let edit = || {
        Edit::new()
            .signal("AI-train", "NO")
            .and_then(|edit| edit.signal("use", "reference"))
    };
    for (file, expected) in [
        (
            "User-agent: a\nUser-agent: b\nDisallow: /x\n\nUser-agent: *\nContent-Signal: search=yes, ai-train=yes\nAllow: /\n",
            "User-agent: a\nUser-agent: b\nContent-Signal: ai-train=no, use=reference\nDisallow: /x\n\n\
             User-agent: *\nContent-Signal: search=yes, ai-train=no, use=reference\nAllow: /\n",
        ),
        (
            "User-agent: a\nContent-Signal: /blog search=no\nDisallow: /x\n",
            "User-agent: a\nContent-Signal: ai-train=no, use=reference\nContent-Signal: /blog search=no\nDisallow: /x\n\n\
             User-agent: *\nContent-Signal: ai-train=no, use=reference\nDisallow:\n",
        ),
    ] {
        assert_eq!(edited(edit(), file), expected, "{file}");
    }
}

#[test]
fn a_use_is_stated_in_one_group() {
    let no = || Edit::new().signal("training", "no");
    let yes = || Edit::new().signal("Training", "YES");
    let token = "User-agent: __usage_ai-training\n";
    for (edit, file, expected) in [
        (no(), String::new(), format!("{token}Disallow: /\n")),
        (yes(), String::new(), format!("{token}Allow: /\n")),
        // The group for everyone has no record and no rule about a use.
        (
            no(),
            "User-agent: *\nCrawl-delay: 2\nDisallow: /x\n".into(),
            format!("User-agent: *\nCrawl-delay: 2\nDisallow: /x\n\n{token}Disallow: /\n"),
        ),
        (
            yes(),
            "User-agent: *\nLicense: /l\nDisallow: /\n".into(),
            format!("User-agent: *\nLicense: /l\nDisallow: /\n\n{token}Allow: /\n"),
        ),
        (
            no(),
            "User-agent: a\n".into(),
            format!("User-agent: a\nDisallow:\n\n{token}Disallow: /\n"),
        ),
        // The edit changes the group that the use already has.
        (
            no(),
            "User-agent: __USAGE_ai-training # us\nAllow: /x\nDisallow: /y\n".into(),
            "User-agent: __USAGE_ai-training # us\nDisallow: /\nDisallow: /y\n".into(),
        ),
        (
            yes(),
            format!("{token}Disallow: /\nAllow: /x\n"),
            format!("{token}Allow: /\nAllow: /x\n"),
        ),
        (
            yes(),
            format!("{token}Disallow:\n"),
            format!("{token}Allow: /\nDisallow:\n"),
        ),
        (
            yes(),
            format!("{token}Disallow: /x\n\n{token}Disallow: /y\n"),
            format!("{token}Allow: /\n\n{token}Allow: /\n"),
        ),
        // The file already states what is asked for.
        (
            no(),
            format!("{token}Disallow: /\n"),
            format!("{token}Disallow: /\n"),
        ),
        (
            yes(),
            format!("{token}Allow: /\n"),
            format!("{token}Allow: /\n"),
        ),
        // A crawler that shares a group with the use keeps that group.
        (
            no(),
            format!("User-agent: a\n{token}Crawl-delay: 2\nDisallow: /x\n"),
            format!("User-agent: a\nCrawl-delay: 2\nDisallow: /x\n\n{token}Disallow: /\n"),
        ),
        (
            no(),
            format!("User-agent: *\n{token}Disallow: /\n"),
            format!("User-agent: *\n{token}Disallow: /\n"),
        ),
        (
            yes().and_then(|edit| edit.close("a")?.signal("ai-train", "yes")),
            format!("{token}Disallow: /\n\nUser-agent: *\nDisallow: /x\n"),
            format!(
                "{token}Allow: /\n\nUser-agent: *\nContent-Signal: ai-train=yes\nDisallow: /x\n\n\
                 User-agent: a\nContent-Signal: ai-train=yes\nDisallow: /\n"
            ),
        ),
    ] {
        assert_eq!(edited(edit, &file), expected, "{file}");
    }
}

#[test]
fn the_last_of_two_wishes_about_a_use_counts() {
    let edit = Edit::new()
        .signal("training", "no")
        .and_then(|edit| edit.signal("training", "yes"));
    assert_eq!(
        edited(edit, ""),
        "User-agent: __usage_ai-training\nAllow: /\n"
    );
}

#[test]
fn a_use_is_no_agent_to_close_or_open() {
    for edit in [
        closing("__usage_ai-training"),
        closing("__Usage_AI-Training"),
        opening("__usage_ai-training"),
    ] {
        let message = edit.unwrap_err().to_string();
        assert!(message.ends_with("state the preference `training=no` or `training=yes`"));
    }
    for (key, value) in [
        ("training", "maybe"),
        ("training", ""),
        ("__usage_ai-training", "no"),
    ] {
        let refused = Edit::new().signal(key, value);
        assert!(matches!(refused, Err(EditError::InvalidSignal { .. })));
    }
}

#[test]
fn wrong_requests_are_refused() {
    assert!(matches!(
        closing("A B"),
        Err(EditError::InvalidAgent { .. })
    ));
    for (key, value) in [("ai-trian", "no"), ("ai-train", "reference"), ("use", "no")] {
        let refused = Edit::new().signal(key, value);
        assert!(matches!(refused, Err(EditError::InvalidSignal { .. })));
    }
    let both = closing("a").and_then(|edit| edit.open("A")).unwrap();
    assert!(matches!(
        both.applied(b""),
        Err(EditError::ClosedAndOpened { .. })
    ));
    let html = closing("a").unwrap().applied(b"<!DOCTYPE html><p>");
    assert!(matches!(html, Err(EditError::NoRobotsTxt { .. })));
}

#[test]
fn an_edit_that_would_change_other_answers_is_refused() {
    // To RFC 9309 `GPTBot2` is another agent, but to Google it is `GPTBot`.
    let file = "User-agent: GPTBot2\nAllow: /open\nDisallow: /\n";
    let refused = closing("GPTBot").unwrap().applied(file.as_bytes());
    assert!(
        matches!(refused, Err(EditError::OtherChange { .. })),
        "{refused:?}"
    );
}

#[test]
fn an_agent_of_many_groups_gets_the_rules_for_everyone_once() {
    let rest = "\nUser-agent: *\nDisallow: /x\n";
    let groups = "User-agent: a\nDisallow: /\n\n".repeat(2);
    assert_eq!(
        edited(opening("a"), &format!("{groups}{rest}")),
        format!("User-agent: a\nDisallow: /x\n\nUser-agent: a\nDisallow:\n\n{rest}")
    );
    // An agent with a rule left gets no rule for everyone.
    let other = "User-agent: a\nDisallow: /y\n";
    assert_eq!(
        edited(
            opening("a"),
            &format!("User-agent: a\nDisallow: /\n{other}{rest}")
        ),
        format!("User-agent: a\nDisallow:\n{other}{rest}")
    );
}

#[test]
fn an_edit_does_not_multiply_a_file() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let closed = names.map(|name| format!("User-agent: {name}\nDisallow: /\n"));
    let rules: String = (0..20_000).map(|n| format!("Allow: /{n}\n")).collect();
    let file = format!("{}User-agent: *\n{rules}", closed.concat());
    let mut edit = Edit::new();
    for name in names {
        edit = edit.open(name).unwrap();
    }
    assert_eq!(edit.applied(file.as_bytes()), Err(EditError::TooLong));
}

/// Patterns whose matches overlap in more ways than a search can walk through.
fn hard(access: &str) -> String {
    let rule = |n: usize| {
        let [one, other] = [n % 5, n / 5].map(|n| char::from(b'a' + n as u8));
        format!("{access}: /*{one}*{other}*{one}*x{n}\n")
    };
    (0..25).map(rule).collect()
}

#[test]
fn an_edit_is_refused_where_not_all_changes_can_be_found() {
    // To Google `b2` is `b`. That agent has the rules of both groups, and would also get a rule for
    // everyone.
    let file = format!(
        "User-agent: *\nDisallow: /x\n\nUser-agent: b\nDisallow: /\n\nUser-agent: b2\n{}",
        hard("Allow")
    );
    let refused = opening("b").unwrap().applied(file.as_bytes());
    assert_eq!(refused, Err(EditError::TooLong));
}

#[test]
fn rules_that_can_only_open_need_no_search() {
    for rules in [hard("Disallow"), hard("Allow")] {
        let file = format!("User-agent: a\n{rules}Disallow: /\n");
        let opened = opening("a").unwrap().applied(file.as_bytes()).unwrap();
        assert_eq!(opened, format!("User-agent: a\n{rules}").as_bytes());
    }
    // An agent without a rule of its own gets the rules for everyone.
    let file = format!(
        "User-agent: *\n{}\nUser-agent: a\nDisallow: /\n",
        hard("Allow")
    );
    assert!(opening("a").unwrap().applied(file.as_bytes()).is_ok());
}

const LINES: &[&str] = &[
    "User-agent: *",
    "User-agent: a",
    "User-agent: b",
    "User-agent: A/1.0",
    "Disallow: /",
    "Disallow: /x",
    "Disallow:",
    "Disallow: *",
    "Allow: /x/y",
    "Allow: /",
    "Crawl-delay: 2",
    "Sitemap: https://example.com/s.xml",
    "Content-Signal: ai-train=yes",
    "# remark",
    "",
    "Colour: red",
    "User-agent: __usage_ai-training",
    "User-agent: __Usage_AI-Training/1",
];

/// The rules of an agent and the preferences about URLs that some lines name, in both dialects.
fn answers(file: &[u8], agent: &str) -> Vec<(bool, String)> {
    let urls = ["/", "/x", "/x/y", "/x/y/z", "/w"];
    let answers = [Options::rfc9309(), Options::google()].map(|options| {
        let robot = RobotsTxt::parse_with(file, &options).robot(agent).unwrap();
        let answer = |url: &str| {
            let usage = Usage::of(&robot, url);
            let others = (usage.search(), usage.ai_input());
            (
                robot.allowed(url),
                format!("{:?} {others:?}", robot.crawl_delay()),
            )
        };
        urls.map(answer)
    });
    answers.concat()
}

proptest! {
    /// The inner proof refuses an edit that it cannot prove, but it must accept files of such
    /// lines.
    #[test]
    fn each_file_of_ordinary_lines_can_be_edited(
        lines in vec(select(LINES), 0..12),
        agent in select(&["a", "b", "c", "*"][..]),
        opens in any::<bool>(),
        has_signal in any::<bool>(),
    ) {
        let file = lines.join("\n");
        let edit = if opens { opening(agent) } else { closing(agent) };
        let edit = if has_signal { edit.and_then(|edit| edit.signal("ai-train", "no")) } else { edit };
        let edit = edit.unwrap();
        match edit.applied(file.as_bytes()) {
            Ok(once) => prop_assert_eq!(edit.applied(&once).unwrap(), once),
            // No line of the file is a record.
            Err(EditError::NoRobotsTxt { .. }) => {}
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    /// A statement that a use is wanted or not changes no answer for any agent.
    #[test]
    fn a_statement_about_a_use_changes_no_answer(
        lines in vec(select(LINES), 0..12),
        value in select(&["yes", "no"][..]),
    ) {
        let file = lines.join("\n");
        let edit = Edit::new().signal("training", value).unwrap();
        match edit.applied(file.as_bytes()) {
            Ok(once) => {
                for agent in ["*", "a", "b", "A", "other"] {
                    prop_assert_eq!(answers(file.as_bytes(), agent), answers(&once, agent), "{}", agent);
                }
                for options in [Options::rfc9309(), Options::google()] {
                    let robots_txt = RobotsTxt::parse_with(&once, &options);
                    let token = robots_txt.robot("__usage_ai-training").unwrap();
                    prop_assert_eq!(token.agent_match(), AgentMatch::Named);
                    prop_assert_eq!(token.allowed("/x/y"), value == "yes");
                }
                prop_assert_eq!(edit.applied(&once).unwrap(), once);
            }
            Err(EditError::NoRobotsTxt { .. }) => {}
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}
