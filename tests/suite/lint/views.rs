//! The accessors of findings and comparisons.

use polite_robots::lint::{Comparison, Diagnostic, Severity, Sink};
use polite_robots::{Cause, Options, RobotsTxt};

#[test]
fn a_finding_is_a_sentence_with_its_line() {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let _ = RobotsTxt::parse_with(b"User-agent: *\njunk", &Options::rfc9309(), &mut findings);
    let finding = findings.first().unwrap().clone();
    assert_eq!(
        finding.to_string(),
        format!("line 2: {}", finding.message())
    );
    assert_eq!(finding.severity().to_string(), finding.severity().as_str());
    assert_eq!(Severity::Error.to_string(), "error");
    // `()` listens to no report, so a report has no effect.
    assert!(!().is_listening());
    ().report(finding);
}

/// Values of real files, whose advice was wrong once.
#[test]
fn advice_fits_the_value() {
    for (line, advice) in [
        ("Disallow: www.example.com*", "without the name of the host"),
        (
            "Disallow: preview.example.com",
            "without the name of the host",
        ),
        ("Disallow: jquery.min.js", "write `/` before it"),
        ("Disallow: index.php", "write `/` before it"),
        (
            "Disallow: Sitemap:",
            "write the second one on a line of its own",
        ),
        ("Disallow: ^/+pro/a.tmpl", "no regular expressions"),
        ("Disallow: \u{ff0f}a", "from the first `/` on"),
        (
            "Disallow: /User-agent: PlumBot",
            "write `User-agent` on a line of its own",
        ),
        ("Disallow: /a… </div> <div class=", "remove the HTML"),
        ("Disallow: / *email*", "remove the blank"),
        ("Crawl-delay: 86400", "allows 1 request a day"),
        ("Crawl-delay: 86401", "allows no request a day"),
        ("Google AdSense", "put a `#` before it"),
        (
            "User-agent: Ask Plums/Pear",
            "write the name that the crawler documents",
        ),
        (
            "User-agent: www.example.com/info/spider.php",
            "write the name that the crawler documents",
        ),
        (
            "User-agent: Mozilla/5.0 (compatible; PlumBot)",
            "write the name that the crawler documents",
        ),
        (
            "User-agent: Mozilla/5.0 (compatible; PlumBot/1.0)",
            "write `PlumBot`",
        ),
        ("ï»¿", "saved as text, so remove it"),
    ] {
        let mut found: Vec<Diagnostic> = Vec::new();
        let file = format!("User-agent: *\n{line}\nDisallow: /tmp/\n");
        let _ = RobotsTxt::parse_with(file.as_bytes(), &Options::rfc9309(), &mut found);
        let has_advice = found
            .iter()
            .any(|finding| finding.line() == 2 && finding.message().contains(advice));
        assert!(has_advice, "{line}: {found:?}");
    }
}

/// The example is a file in the folder, also where the rule ends in a `*`.
#[test]
fn the_example_of_a_closed_resource_is_plain() {
    let mut found: Vec<Diagnostic> = Vec::new();
    RobotsTxt::parse(b"User-agent: *\nDisallow: /wp-includes*\n").lint(&mut found);
    assert!(
        found[0].message().contains("`/wp-includes/x.js`"),
        "{found:?}"
    );
}

#[test]
fn without_a_file_the_dialects_agree() {
    for robots_txt in [
        RobotsTxt::allow_all(Cause::Status(404)),
        RobotsTxt::disallow_all(Cause::Status(503)),
    ] {
        let comparison = Comparison::of("ExampleBot", &robots_txt).unwrap();
        assert_eq!(comparison.disagreement("/a"), None);
    }
}

#[test]
fn a_sink_may_be_a_trait_object() {
    let mut count = 0;
    let mut closure = |_: Diagnostic| count += 1;
    let sink: &mut dyn Sink = &mut closure;
    let _ = RobotsTxt::parse_with(b"junk\njunk", &Options::google(), sink);
    assert_eq!(count, 2);
}
