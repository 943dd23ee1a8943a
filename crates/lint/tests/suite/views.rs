//! The accessors of findings.

use polite_robots::RobotsTxt;
use polite_robots_lint::{Diagnostic, Linter, Severity, Sink, lint};

#[test]
fn a_finding_is_a_sentence_with_its_line() {
    let findings = lint(&RobotsTxt::parse(b"User-agent: *\njunk"));
    let finding = findings.first().unwrap();
    assert_eq!(
        finding.to_string(),
        format!("line 2: {}", finding.message())
    );
    assert_eq!(finding.severity().to_string(), finding.severity().as_str());
    assert_eq!(Severity::Error.to_string(), "error");
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
        ("Disallow: jquery.min.js", "write `/jquery.min.js`, or"),
        ("Disallow: index.php", "write `/index.php`, or"),
        (
            "Disallow: wp admin",
            "write `/wp%20admin` if it is one path",
        ),
        ("Disallow: Sitemap:", "write `Sitemap:` in its place"),
        ("Disallow: ^/+pro/a.tmpl", "no regular expressions"),
        ("Disallow: \u{ff0f}a", "a path begins with its first `/`"),
        (
            "Disallow: /User-agent: PlumBot",
            "`User-agent: PlumBot` on a line of its own, which starts a group; `/` is the whole site",
        ),
        ("Disallow: /a… </div> <div class=", "write `/a…` if that is"),
        ("Disallow: /a <div class=", "write `/a` if that is"),
        ("Disallow: / *email*", "or `/*email*` if not"),
        ("Crawl-delay: 86400", "allows 1 request a day"),
        ("Crawl-delay: 86401", "allows no request a day"),
        ("Google AdSense", "put a `#` before it"),
        (
            "User-agent: Ask Plums/Pear",
            "because a name has letters, `-` and `_` alone",
        ),
        (
            "User-agent: www.example.com/info/spider.php",
            "because a name has letters, `-` and `_` alone",
        ),
        (
            "User-agent: Mozilla/5.0 (compatible; PlumBot)",
            "write `PlumBot` if that is the name",
        ),
        (
            "User-agent: Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)",
            "because a name has letters, `-` and `_` alone",
        ),
        (
            "User-agent: Mozilla/5.0 (compatible; PlumBot/1.0)",
            "write `PlumBot`",
        ),
        ("ï»¿", "saved as text, so remove it"),
    ] {
        let file = format!("User-agent: *\n{line}\nDisallow: /tmp/\n");
        let found = lint(&RobotsTxt::parse(file.as_bytes()));
        let has_advice = found
            .iter()
            .any(|finding| finding.line() == 2 && finding.message().contains(advice));
        assert!(has_advice, "{line}: {found:?}");
    }
}

/// The example is a file in the folder, also where the rule ends in a `*`.
#[test]
fn the_example_of_a_closed_resource_is_plain() {
    let found = lint(&RobotsTxt::parse(
        b"User-agent: *\nDisallow: /wp-includes*\n",
    ));
    assert!(
        found[0].message().contains("`/wp-includes/x.js`"),
        "{found:?}"
    );
}

#[test]
fn a_sink_may_be_a_trait_object() {
    let mut count = 0;
    let mut closure = |_: Diagnostic| count += 1;
    let sink: &mut dyn Sink = &mut closure;
    Linter::new().report(&RobotsTxt::parse(b"junk:\njunk: 1"), sink);
    // One about each line, and one about the file.
    assert_eq!(count, 3);
}

/// One line was never meant to close the site, so nothing says that it is closed and open.
#[test]
fn a_comment_in_a_path_has_one_statement() {
    let found = lint(&RobotsTxt::parse(
        b"User-agent: *\nDisallow: /#/a\nAllow: /\n",
    ));
    let [finding] = &found[..] else {
        panic!("{found:?}");
    };
    let message = finding.message();
    let (start, end) = (
        "this line is a `Disallow` of the whole site, because the `#`",
        "an `Allow` takes precedence over it, so it closes nothing",
    );
    assert!(
        message.starts_with(start) && message.contains(end),
        "{message}"
    );
}

#[test]
fn two_names_that_are_one_to_google_are_both_named() {
    let file = b"User-agent: Y!J-SRD\nDisallow: /a\n\nUser-agent: Y!J-MBS\nDisallow: /b\n";
    let found = Linter::new().only_rules().lint(&RobotsTxt::parse(file));
    let [finding] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(
        finding.message(),
        "Google and RFC 9309 join this group with the one on line 1, because `Y!J-SRD` and `Y!J-MBS` are both the name `Y` to them: each rule is for both; write the rules into one group, and nothing changes for those who join them"
    );
}

/// The host of a file is that of its sitemaps, as far as the file itself shows.
#[test]
fn a_url_without_a_host_may_have_that_of_another_sitemap() {
    let file = b"Sitemap: /a.xml\nSitemap: http://localhost:4000/b.xml\nSitemap: https://bakery.example/c.xml\nUser-agent: *\nLicense: /l.xml\nDisallow: /cart\n";
    let found = lint(&RobotsTxt::parse(file));
    let urls = ["a", "b", "l"].map(|name| format!("https://bakery.example/{name}.xml"));
    assert_eq!(found.len(), urls.len());
    for (finding, url) in found.iter().zip(urls) {
        let advice = format!("; write `{url}` if it is on the host of line 3");
        assert!(finding.message().ends_with(&advice), "{finding}");
        let fixed = finding.proposals()[0].apply(file);
        let fixed = lint(&RobotsTxt::parse(&fixed));
        assert_eq!(fixed.len(), found.len() - 1, "{fixed:?}");
    }
}
