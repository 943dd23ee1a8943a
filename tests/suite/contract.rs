//! Tests of the public contract where no case format exists.

use std::time::Duration;

use polite_robots::lint::{Diagnostic, Sink};
use polite_robots::record::{ExtensionField, ExtensionLevel};
use polite_robots::{AgentMatch, Cause, Options, ProductToken, Reason, Robot, RobotsTxt};

#[test]
fn a_sink_may_be_a_trait_object() {
    let mut count = 0;
    let mut closure = |_: Diagnostic| count += 1;
    let sink: &mut dyn Sink = &mut closure;
    let _ = RobotsTxt::parse_with(b"junk\njunk", &Options::google(), sink);
    assert_eq!(count, 2);
}

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
fn extension_fields_have_their_level() {
    let file = b"User-agent: a\nHost: h\nClean-param: p\nSitemap: /s\nComment: c\nContent-Signal: search=yes\nContent-Usage: x\n\
        Crawl-delay: 1\nLicense: l\nNoindex: /n\nRequest-rate: 1/5\nRobot-version: 2\nVisit-time: 0100-0200\nUnknown: u\n";
    let robots_txt = RobotsTxt::parse(file);
    let fields: Vec<_> = robots_txt
        .extensions()
        .map(|record| record.field())
        .collect();
    assert_eq!(fields.len(), 12);
    for record in robots_txt.extensions() {
        let is_of_file = matches!(
            record.field(),
            ExtensionField::Host | ExtensionField::CleanParam | ExtensionField::Sitemap
        );
        let expected = if is_of_file {
            ExtensionLevel::File
        } else {
            ExtensionLevel::Group
        };
        assert_eq!(record.field().level(), expected, "{record}");
        // A record of group level, and no other, ends the run of agents to which a delay applies.
        let text = format!("User-agent: a\n{record}\nUser-agent: b\nCrawl-delay: 7\n");
        let inherited =
            Robot::new("a", text.as_bytes()).unwrap().crawl_delay() == Some(Duration::from_secs(7));
        assert_eq!(inherited, is_of_file, "{record}");
    }
}

#[test]
fn printed_text_has_no_terminal_escapes() {
    let robots_txt =
        RobotsTxt::parse(b"User-agent: a\x1B[2J\nDisallow: /\x1B[2J\nSitemap: /\x1B[2J");
    let group = robots_txt.groups().next().unwrap();
    let mut printed: Vec<String> = group.user_agents().map(|agent| agent.to_string()).collect();
    printed.extend(group.rules().map(|rule| rule.to_string()));
    printed.extend(robots_txt.extensions().map(|record| record.to_string()));
    let google = Robot::with_options("a", robots_txt.as_bytes(), &Options::google()).unwrap();
    printed.extend(google.rules().map(|rule| rule.to_string()));
    assert_eq!(printed.len(), 4);
    assert!(
        printed.iter().all(|text| !text.contains('\x1B')),
        "{printed:?}"
    );
}

/// Pins the public names at the root of the crate; a new name needs a module.
#[test]
fn the_root_has_sixteen_names() {
    const NAMES: [&str; 16] = [
        "Access",
        "AgentMatch",
        "Cause",
        "Dialect",
        "InvalidToken",
        "InvalidUrl",
        "Options",
        "ProductToken",
        "Reason",
        "Robot",
        "RobotsTxt",
        "Rule",
        "Target",
        "Tier",
        "Verdict",
        "robots_url",
    ];

    let root = source("lib.rs");
    let mut names = exported(&root);
    names.sort_unstable();
    assert_eq!(names, NAMES);
    let is_public = |line: &&str| line.starts_with("pub ");
    for line in root.lines().filter(is_public) {
        assert!(
            line.starts_with("pub use crate::") || line.starts_with("pub mod "),
            "{line}"
        );
    }

    // The whole crate has few enough types to be read as a list.
    let modules = root
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let types: usize = modules
        .filter(|module| *module != "policy")
        .map(|module| exported(&source(&format!("{module}/mod.rs"))).len())
        .sum();
    assert!(
        (35..=55).contains(&types),
        "{types} types in modules, {} names at the root",
        NAMES.len()
    );
}

fn source(file: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    std::fs::read_to_string(path.join(file)).unwrap()
}

/// Lists the names that a file makes public, by `pub use` or by defining a type.
fn exported(file: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for line in file
        .split_inclusive(';')
        .flat_map(|statement| statement.split("pub use ").skip(1))
    {
        let (_, list) = line.rsplit_once("::").unwrap();
        let list = list.trim_matches(['{', '}', ';', ' ', '\n', ',']);
        names.extend(
            list.split(',')
                .map(|name| name.trim_matches(['{', '}', ' ', '\n'])),
        );
    }
    for kind in ["struct", "enum", "trait"] {
        let definitions = file
            .lines()
            .filter_map(|line| line.strip_prefix("pub ")?.strip_prefix(kind));
        names.extend(definitions.map(|rest| {
            rest.trim()
                .split(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap()
        }));
    }
    names
}

#[cfg(feature = "url")]
#[test]
fn a_parsed_url_is_accepted() {
    let robot = Robot::new("ExampleBot", "User-agent: *\nDisallow: /café".as_bytes()).unwrap();
    let url = url::Url::parse("https://example.com/caf\u{e9}/menu").unwrap();
    assert!(!robot.allowed(&url) && !robot.check(&url).is_allowed());
}
