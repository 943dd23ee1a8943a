//! The contract of robots and tokens where no case format exists.

use std::time::Duration;

use polite_robots::{AgentMatch, Cause, ProductToken, Reason, Robot, RobotsTxt};

const SEVERAL: &[u8] = b"User-agent: *\nCrawl-delay: 9\nDisallow: /all\nSitemap: /s\n\n\
    User-agent: ExampleBot\nCrawl-delay: 1\nDisallow: /main\n\n\
    User-agent: ExampleBot-Image\nCrawl-delay: 2\nDisallow: /image\n";

#[test]
fn google_several_agents_share_one_rule_set() {
    let robots_txt = RobotsTxt::parse(SEVERAL);
    let robot = robots_txt
        .robot_merged(&["ExampleBot", "*", "ExampleBot-Image", "Nobody"])
        .unwrap();
    assert_eq!(robot.agent_match(), AgentMatch::Named);
    assert!(!robot.allowed("/main") && !robot.allowed("/image") && robot.allowed("/all"));
    assert_eq!(robot.crawl_delay(), Some(Duration::from_secs(2)));
    for agents in [&[][..], &["*"], &["Nobody"], &["*", "Nobody"]] {
        let robot = robots_txt.robot_merged(agents).unwrap();
        assert_eq!(robot.agent_match(), AgentMatch::Wildcard);
        assert!(!robot.allowed("/all") && robot.allowed("/main"));
    }
    assert_eq!(
        robots_txt
            .robot_merged(&["ExampleBot", "a b"])
            .unwrap_err()
            .token(),
        "a b"
    );
}

#[test]
fn robot_first_uses_the_first_named_agent() {
    let robots_txt = RobotsTxt::parse(SEVERAL);
    let robot = |agents: &[&str]| robots_txt.robot_first(agents).unwrap();
    assert!(!robot(&["Nobody", "ExampleBot-Image", "ExampleBot"]).allowed("/image"));
    assert!(robot(&["ExampleBot", "ExampleBot-Image"]).allowed("/image"));
    for agents in [&[][..], &["*"], &["Nobody"]] {
        assert_eq!(robot(agents).agent_match(), AgentMatch::Wildcard);
    }
    assert_eq!(
        robots_txt
            .robot_first(&["ExampleBot", "a b"])
            .unwrap_err()
            .token(),
        "a b"
    );
}

#[test]
fn a_verdict_without_a_rule_says_whether_a_group_applies() {
    let text = b"User-agent: ExampleBot\nDisallow: /main\n";
    for (agent, reason) in [
        ("ExampleBot", Reason::NoRuleMatches),
        ("Nobody", Reason::NoGroup),
    ] {
        assert_eq!(Robot::new(agent, text).unwrap().check("/").reason(), reason);
    }
}

#[test]
fn named_only_ignores_the_wildcard_group() {
    let wildcard = Robot::new("Nobody", SEVERAL).unwrap();
    assert_eq!(wildcard.crawl_delay(), Some(Duration::from_secs(9)));
    let none = wildcard.named_only();
    assert_eq!(
        (none.agent_match(), none.crawl_delay(), none.rules().count()),
        (AgentMatch::None, None, 0)
    );
    assert!(none.allowed("/all") && none.sitemaps().eq(["/s"]));
    assert!(matches!(none.check("/all").reason(), Reason::NoGroup));
    let named = Robot::new("ExampleBot", SEVERAL).unwrap().named_only();
    assert_eq!(
        (named.agent_match(), named.rules().count()),
        (AgentMatch::Named, 1)
    );
}

#[test]
fn rfc_blanket_answers() {
    for (robots_txt, allowed) in [
        (RobotsTxt::allow_all(Cause::Status(404)), true),
        (RobotsTxt::disallow_all(Cause::Status(404)), false),
    ] {
        let robot = robots_txt.robot("ExampleBot").unwrap();
        assert_eq!(
            (robot.allowed("/x"), robot.check("/x").is_allowed()),
            (allowed, allowed)
        );
        assert!(matches!(
            robot.check("/x").reason(),
            Reason::Blanket(Cause::Status(404))
        ));
        assert!(robot.allowed("https://example.com/robots.txt"));
        assert_eq!(
            (robot.agent_match(), robot.rules().count()),
            (AgentMatch::None, 0)
        );
        assert_eq!(robots_txt.robot("a b").unwrap_err().token(), "a b");
        assert_eq!(
            (robots_txt.groups().count(), robots_txt.as_bytes()),
            (0, &b""[..])
        );
    }
}

#[test]
fn a_header_of_a_browser_names_no_crawler() {
    let header =
        "Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36";
    let error = ProductToken::new(header).unwrap_err();
    assert_eq!(error.probably_meant(), None);
    let end = "; it is the header of a browser and names no crawler";
    assert!(error.to_string().ends_with(end), "{error}");
    let library = ProductToken::new("curl/8.0").unwrap_err();
    assert_eq!(library.probably_meant(), Some("curl"));
}

#[test]
fn a_token_with_a_blank_or_a_version_is_named() {
    for agent in [
        "ExampleBot ",
        " ExampleBot",
        "ExampleBot\n",
        "ExampleBot 1.0",
        "ExampleBot v2",
    ] {
        let error = Robot::new(agent, b"").unwrap_err();
        assert_eq!(error.probably_meant(), Some("ExampleBot"), "{agent:?}");
        assert!(
            error
                .to_string()
                .ends_with("`ExampleBot` was probably meant")
        );
    }
    for agent in ["Example Bot", "ExampleBot 1.0 beta", "Mozilla 5.0", " "] {
        let error = Robot::new(agent, b"").unwrap_err();
        assert_eq!(error.probably_meant(), None, "{agent:?}");
    }
}

#[test]
fn issue_tokens_of_real_headers() {
    let token = |header: &str| {
        ProductToken::from_user_agent(header).map(|token| token.as_str().to_string())
    };
    for (header, expected) in [
        ("ExampleBot", Some("ExampleBot")),
        (
            "Mozilla/5.0 (compatible; ExampleBot/0.1; +https://www.example.com/bot.html)",
            Some("ExampleBot"),
        ),
        (
            "Mozilla/5.0 (see HTTPS://evil/bot/1) ExampleBot/2 Chrome/120.0 Safari/537.36",
            Some("ExampleBot"),
        ),
        (
            "Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36",
            Some("Safari"),
        ),
        ("ExampleBot/1.0 curl/8.0", Some("ExampleBot")),
        ("python-requests/2.31", Some("python-requests")),
        ("ftp://a/b ExampleBot/1", Some("ExampleBot")),
        (
            "ExampleBot/1.0 (irc://chat; http://example.org/OtherBot/1)",
            Some("ExampleBot"),
        ),
        ("(none)", None),
        ("", None),
        ("/", None),
    ] {
        assert_eq!(token(header).as_deref(), expected, "{header}");
    }
}

#[test]
fn a_header_gives_an_agent_that_no_function_refuses() {
    let file = RobotsTxt::parse(
        b"User-agent: ExampleBot\nDisallow: /named\n\nUser-agent: *\nDisallow: /wild",
    );
    for (header, agent) in [
        ("ExampleBot/1.0 (+https://example.com/bot)", "ExampleBot"),
        ("Mozilla/5.0 (compatible; examplebot/2.1)", "examplebot"),
        // The guess finds no name in these, but a group for `ExampleBot` is meant for them.
        ("ExampleBot (+https://example.com/bot)", "ExampleBot"),
        (" ExampleBot!", "ExampleBot"),
        ("", "*"),
        ("*", "*"),
        ("42", "*"),
        ("(no name)", "*"),
        ("é", "*"),
    ] {
        assert_eq!(
            ProductToken::of_header_or_wildcard(header),
            agent,
            "{header:?}"
        );
        let robot = file.robot_of_header_or_wildcard(header);
        assert_eq!(robot, file.robot(agent).unwrap(), "{header:?}");
        assert_eq!(robot.allowed("/named"), agent == "*", "{header:?}");
        // The answer for a whole site does not depend on the agent.
        let closed =
            RobotsTxt::disallow_all(Cause::Status(503)).robot_of_header_or_wildcard(header);
        assert!(!closed.allowed("/"), "{header:?}");
    }
}

#[cfg(feature = "url")]
#[test]
fn a_parsed_url_is_accepted() {
    let robot = Robot::new("ExampleBot", "User-agent: *\nDisallow: /café".as_bytes()).unwrap();
    let url = url::Url::parse("https://example.com/caf\u{e9}/menu").unwrap();
    assert!(!robot.allowed(&url) && !robot.check(&url).is_allowed());
}
