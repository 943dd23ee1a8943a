//! `robots test`.

use std::collections::BTreeMap;
use std::fs;

use roxmltree::{Document, Node};

use crate::suite::robots::{ROBOTS_TXT, Run, command, run, scratch};

fn test(name: &str, expectations: &str, arguments: &[&str]) -> Run {
    let folder = scratch().join(format!("expect-{name}"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("robots.txt"), ROBOTS_TXT).unwrap();
    fs::write(folder.join("expectations.txt"), expectations).unwrap();
    let mut command = command();
    command
        .current_dir(&folder)
        .args(["test", "expectations.txt"]);
    run(command.args(arguments), b"")
}

const EXPECTATIONS: &str = "\
# before the move
ExampleBot /private/x allow
ExampleBot /a?<b>&\"c\"=']]> disallow
NamedBot /named disallow
";

/// Attributes that `junit-10.xsd` of Jenkins allows, with all that it requires; and the place of a
/// test case, which GitLab and actions of GitHub read.
const ATTRIBUTES: [(&str, &[&str]); 4] = [
    (
        "testsuites",
        &["name", "tests", "failures", "errors", "time"],
    ),
    (
        "testsuite",
        &["name", "tests", "failures", "errors", "time"],
    ),
    ("testcase", &["classname", "name", "file", "line", "time"]),
    ("failure", &["type", "message"]),
];

/// Checks an element and those in it by the schema of Jenkins, and its counts.
fn assert_is_junit(element: Node<'_, '_>) {
    let name = element.tag_name().name();
    let allowed: BTreeMap<_, _> = ATTRIBUTES.into_iter().collect();
    let attributes: Vec<&str> = element
        .attributes()
        .map(|attribute| attribute.name())
        .collect();
    assert_eq!(attributes, allowed[name]);
    let parent = match name {
        "testsuite" => "testsuites",
        "testcase" => "testsuite",
        "failure" => "testcase",
        _ => "",
    };
    let found = element
        .parent_element()
        .map(|parent| parent.tag_name().name().to_owned());
    assert_eq!(found.unwrap_or_default(), parent);
    let count = |name| {
        let found = element
            .descendants()
            .filter(|below| below.has_tag_name(name));
        found.count().to_string()
    };
    if name.starts_with("testsuite") {
        assert_eq!(element.attribute("tests"), Some(count("testcase").as_str()));
        assert_eq!(
            element.attribute("failures"),
            Some(count("failure").as_str())
        );
        assert_eq!(element.attribute("errors"), Some("0"));
    }
    let is_text = |node: &Node<'_, '_>| node.is_text() && !node.text().unwrap().trim().is_empty();
    assert_eq!(
        element.children().any(|node| is_text(&node)),
        name == "failure"
    );
    element
        .children()
        .filter(Node::is_element)
        .for_each(assert_is_junit);
}

#[test]
fn a_junit_report_is_what_servers_of_builds_read() {
    let run = test("junit", EXPECTATIONS, &["--format", "junit"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(
        run.stdout
            .starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites ")
    );
    let document = Document::parse(&run.stdout).unwrap();
    assert_eq!(document.root_element().tag_name().name(), "testsuites");
    assert_is_junit(document.root_element());
    let cases = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    let cases: Vec<Node<'_, '_>> = cases.collect();
    let attribute = |name| {
        cases
            .iter()
            .map(|case| case.attribute(name).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        attribute("name"),
        [
            "ExampleBot may fetch /private/x",
            "ExampleBot may not fetch /a?<b>&\"c\"=']]>",
            "NamedBot may not fetch /named"
        ]
    );
    assert_eq!(attribute("file"), ["expectations.txt"; 3]);
    assert_eq!(attribute("line"), ["2", "3", "4"]);
    let failure = cases[0].first_element_child().unwrap();
    let explanation = "disallowed by line 2: Disallow: /private/ in the wildcard group on line 1";
    assert_eq!(failure.attribute("type"), Some("not allowed"));
    assert_eq!(failure.attribute("message"), Some(explanation));
    let line = format!("expectations.txt:2: not allowed: ExampleBot /private/x  {explanation}");
    assert_eq!(failure.text(), Some(line.as_str()));
    assert!(cases[2].first_element_child().is_none());
}

/// XML 1.0 cannot hold most control characters, nor U+FFFE and U+FFFF, even escaped.
#[test]
fn a_junit_report_can_be_read_whatever_was_asked() {
    let characters = (1..0x300).chain(0x2000..0x2070).chain(0xFFF0..0x1_0002);
    let characters = characters.filter_map(char::from_u32);
    let odd = characters.filter(|character| !character.is_whitespace());
    let expectations: String = odd
        .map(|character| format!("* /{character} disallow\n"))
        .collect();
    let run = test("xml", &expectations, &["--format", "junit"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let document = Document::parse(&run.stdout).unwrap();
    assert_is_junit(document.root_element());
    let good = test("junit-good", "* /a allow\n", &["--format=junit"]);
    assert_eq!(good.code, 0);
    assert_is_junit(Document::parse(&good.stdout).unwrap().root_element());
}

#[test]
fn all_lines_that_cannot_be_used_are_listed() {
    let run = test(
        "many-wrong",
        "Googelbot / allow\n* / allow\nGPTBot / # disallow\nGPTBot/1.0 / allow\nOpenAI / allow\n",
        &[],
    );
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
    let lines: Vec<&str> = run.stderr.lines().collect();
    let [first, rest @ ..] = lines.as_slice() else {
        panic!("{run:?}")
    };
    assert_eq!(
        *first,
        "error: `expectations.txt`, line 1: `Googelbot` is no known crawler; write `Googlebot` if you mean it; --exact takes the names as they are given"
    );
    for (line, (number, reason)) in rest.iter().zip([
        (3, "is no expectation"),
        (4, "`GPTBot` was probably meant"),
        (5, "`OpenAI` is the name of a company"),
    ]) {
        let place = format!("`expectations.txt`, line {number}: ");
        assert!(line.starts_with(&place) && line.contains(reason), "{line}");
    }
    assert_eq!(lines.len(), 4, "{run:?}");
    let many = test("more-wrong", &"a\n".repeat(1000), &[]);
    assert_eq!(many.stderr.lines().count(), 21, "{many:?}");
    assert!(many.stderr.ends_with("\nand 980 more\n"), "{many:?}");
}

/// Names that an owner may test although no crawler has them. Each test would pass or fail for
/// another reason than the behavior of the intended crawler.
#[test]
fn a_name_that_is_nearly_known_is_refused() {
    let names = [
        "Googelbot",
        "Gogglebot",
        "GTPBot",
        "GPTbott",
        "ChatGTP-User",
        "Bingbott",
        "bignbot",
        "YandexBott",
        "DuckDuckBott",
        "Baiduspyder",
        "CCbott",
        "Claudbot",
        "PerplexityBott",
        "Applebott",
        "Amazonbott",
        "Bytespyder",
        "AhrefBot",
        "SemrushBott",
        "facebookexternlhit",
        "Google-Extend",
        "Google-Extented",
        "Googlebot-Images",
        "ChatGPT",
        "Gemini",
        "OpenAI",
        "Anthropic",
        "Claude",
        "Copilot",
        "Grok",
    ];
    let expectations: String = names
        .iter()
        .map(|name| format!("{name} /a allow\n"))
        .collect();
    for (name, expectation) in names.iter().zip(expectations.lines()) {
        let run = test("nearly", expectation, &[]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
        let expected = format!("line 1: `{name}` is ");
        assert!(run.stderr.contains(&expected), "{run:?}");
    }
    let exact = test("nearly-exact", &expectations, &["--exact"]);
    assert_eq!(exact.code, 0, "{exact:?}");
    let others = "* / allow\nExampleBot / allow\nWotBot / allow\nYandex / allow\nmsnbot / allow\n";
    assert_eq!(test("not-nearly", others, &[]).code, 0);
}
