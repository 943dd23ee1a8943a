//! Tests of each measure with small files counted by hand, and of the merge laws of all measures.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use polite_robots::Tier;
use polite_robots_lint::{DiagnosticCode, Severity};
use proptest::prelude::*;

use super::Summary;
use crate::content::{BodyEnd, Content, Place, RobotsResponse, SkipReason};
use crate::depth::Depth;
use crate::summary::access::ThreeCounts;
use crate::summary::agents::{Agent, AgentRules, ClassCounts, WildcardEffect};
use crate::summary::merge::Merge as _;
use crate::summary::occurrences::Occurrences;
use crate::summary::outcome::Outcome;
use crate::summary::pattern::Form;
use crate::summary::stratum::Stratum;
use crate::summary::texts::Encoding;
use crate::summary::usage::UseCounts;
use polite_robots_audit::known::Purpose;

fn place(name: &str) -> Place {
    Place {
        input: Arc::new(PathBuf::from(name)),
        member: String::new(),
        offset: 0,
    }
}

fn response(status: u16, body: &[u8]) -> RobotsResponse {
    RobotsResponse {
        url: Some(String::from("https://example.com/robots.txt")),
        status,
        ..RobotsResponse::of_file(place("a"), body.to_vec(), BodyEnd::Complete)
    }
}

fn summary_of(responses: impl IntoIterator<Item = RobotsResponse>) -> Summary {
    let mut summary = Summary::default();
    for response in responses {
        summary.add(&Content::Response(response), Depth::Thorough);
    }
    summary
}

fn summary_of_files<'b>(bodies: impl IntoIterator<Item = &'b str>) -> Summary {
    summary_of(
        bodies
            .into_iter()
            .map(|body| response(200, body.as_bytes())),
    )
}

fn occurrences(files: u64, times: u64) -> Occurrences {
    Occurrences { files, times }
}

/// `Exabot` was the crawler of Exalead, a search engine, before `ExaBot` was that of Exa.
#[test]
fn a_token_of_two_operators_is_no_ai_crawler_and_training_is_counted() {
    let summary = summary_of_files([
        "User-agent: Exabot\nDisallow: /",
        "User-agent: ExaSearchBot\nDisallow: /",
        "User-agent: GPTBot\nUser-agent: exabot\nDisallow: /a",
    ]);
    let counts = |named, disallowed| ClassCounts { named, disallowed };
    assert_eq!(summary.agents.ai, counts(2, 1));
    assert_eq!(summary.agents.by_purpose[&Purpose::AiSearch], counts(3, 2));
    assert_eq!(summary.agents.by_purpose[&Purpose::Training], counts(1, 0));
    assert_eq!(summary.agents.by_token.get("ExaBot").unwrap().named, 2);
    let json = serde_json::to_value(&summary).unwrap();
    let of_domains = |body: &str, share: &str| {
        let json = serde_json::to_value(summary_of_files([body])).unwrap();
        json["domains"][share]["domains"].as_u64()
    };
    assert_eq!(json["domains"]["names_training"]["of"], 1);
    assert_eq!(of_domains("User-agent: Exabot", "names_ai"), Some(0));
    assert_eq!(of_domains("User-agent: ExaSearchBot", "names_ai"), Some(1));
    assert_eq!(
        of_domains("User-agent: ExaSearchBot", "names_training"),
        Some(0)
    );
    assert_eq!(of_domains("User-agent: GPTBot", "names_training"), Some(1));
}

#[test]
fn only_responses_with_2xx_are_files() {
    let statuses = [200, 204, 301, 404, 404, 503];
    let summary =
        summary_of(statuses.map(|status| response(status, b"User-agent: *\nDisallow: /")));
    assert_eq!((summary.responses, summary.files), (6, 2));
    assert_eq!(summary.statuses.by_status[&404], 2);
    assert_eq!(summary.statuses.body_end[&BodyEnd::Complete], 6);
    assert_eq!(summary.texts.bytes.count(), 2);
    assert_eq!(summary.distinct_bodies.estimate(), 1);
    assert_eq!(summary.distinct_urls.estimate(), 1);
}

#[test]
fn skipped_records_are_counted_by_reason() {
    let mut summary = Summary::default();
    for reason in [
        SkipReason::NotAResponse,
        SkipReason::OtherPath,
        SkipReason::OtherPath,
    ] {
        summary.add(&Content::Skipped(reason, place("a")), Depth::Sampled);
    }
    assert_eq!(summary.passed[&SkipReason::OtherPath], 2);
    assert_eq!((summary.responses, summary.damage.len()), (0, 0));
    for name in ["b", "a", "c"] {
        let broken = Content::Skipped(SkipReason::BrokenRecord, place(name));
        summary.add(&broken, Depth::Sampled);
    }
    assert_eq!(
        summary.damage[&SkipReason::BrokenRecord].0,
        Some(place("a"))
    );
}

#[test]
fn header_fields_are_counted_where_they_matter() {
    let with = |status, change: fn(&mut RobotsResponse)| {
        let mut response = response(status, b"");
        change(&mut response);
        response
    };
    let summary = summary_of([
        with(200, |response| {
            response.content_type = Some(String::from("Text/Plain; charset=utf-8"));
            response.cache_control = Some(String::from("public, Max-Age=3600"));
        }),
        with(200, |response| {
            response.cache_control = Some(String::from("no-store, no-cache"))
        }),
        with(503, |response| {
            response.retry_after = Some(String::from("120"))
        }),
        with(429, |response| {
            response.retry_after = Some(String::from("Fri, 31 Dec 1999 23:59:59 GMT"));
        }),
        with(429, |_| ()),
        with(301, |response| {
            response.location = Some(String::from("https://www.example.com/robots.txt"));
        }),
        with(302, |response| {
            response.location = Some(String::from("https://EXAMPLE.com:8443/"))
        }),
        with(302, |_| ()),
        with(200, |response| response.url = None),
    ]);
    let statuses = &summary.statuses;
    assert_eq!(statuses.media_types.get("text/plain").unwrap().files, 1);
    assert_eq!(statuses.media_types.get("(none)").unwrap().files, 1);
    let cache = &statuses.cache_control;
    assert_eq!((cache.responses, cache.present), (2, 2));
    assert_eq!((cache.no_store, cache.no_cache), (1, 1));
    assert_eq!((cache.max_age.count(), cache.max_age.sum()), (1, 3600));
    let retry = &statuses.retry_after;
    assert_eq!((retry.responses, retry.present), (3, 2));
    assert_eq!((retry.seconds.count(), retry.seconds.sum()), (1, 120));
    let redirects = &statuses.redirects;
    assert_eq!((redirects.responses, redirects.without_location), (3, 1));
    assert_eq!(redirects.to_other_host, 1);
}

#[test]
fn files_are_counted_by_size_and_encoding() {
    let mut bodies: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b" \n\n".to_vec(),
        b"\xEF\xBB\xBFUser-agent: *\nDisallow: /caf\xC3\xA9 # a\n# b".to_vec(),
        b"User-agent: *\nDisallow: /caf\xE9".to_vec(),
        b"User-agent: *\0".to_vec(),
        b"\xFF\xFEU\0s\0".to_vec(),
        b"<!DOCTYPE html>\n<p>".to_vec(),
    ];
    bodies.push(vec![b'#'; 512_001]);
    let summary = summary_of(bodies.iter().map(|body| response(200, body)));
    let texts = &summary.texts;
    assert_eq!((texts.empty, texts.blank), (1, 2));
    assert_eq!((texts.byte_order_mark, texts.with_nul), (1, 2));
    assert_eq!((texts.html, texts.over_500_kib), (1, 1));
    assert_eq!((texts.with_comments, texts.comments), (2, 3));
    assert_eq!(texts.encodings[&Encoding::Ascii], 5);
    assert_eq!(texts.encodings[&Encoding::Utf8], 1);
    assert_eq!(texts.encodings[&Encoding::Utf16], 1);
    assert_eq!(texts.encodings[&Encoding::Other], 1);
    assert_eq!(texts.bytes.max(), 512_001);
    assert_eq!(texts.longest_line.max(), 512_001);
    assert_eq!(summary.largest.entries()[0].bytes, 512_001);
}

#[test]
fn fields_are_counted_as_read_and_misspellings_as_written() {
    let summary = summary_of_files([
        "User-agent: *\nDisalow: /a\nDISALOW: /b\nAllow: /c\nColour: red\nSitemap: https://example.com/s.xml",
        "Useragent: *\nDisallow: /\ncolour: blue\ncolour: red",
        "Disallow: /before",
        "User-agent: *\nLLMs: /a\nllms: /b\nDisallowAITraining: /\nDisallow-all-bots: /\nAllow: /c",
    ]);
    let records = &summary.records;
    assert_eq!(records.proposed.get("llms"), Some(&occurrences(1, 2)));
    assert_eq!(
        records.proposed.get("disallowaitraining"),
        Some(&occurrences(1, 1))
    );
    assert_eq!(records.proposed.get("disallow-all-bots"), None);
    assert_eq!(records.known["User-agent"], occurrences(3, 3));
    assert_eq!(records.known["Disallow"], occurrences(2, 3));
    assert_eq!(records.known["Allow"], occurrences(2, 2));
    assert_eq!(records.known["Sitemap"], occurrences(1, 1));
    assert_eq!(records.misspelled.get("disalow"), Some(&occurrences(1, 2)));
    assert_eq!(
        records.misspelled.get("useragent"),
        Some(&occurrences(1, 1))
    );
    assert_eq!(records.unknown.get("colour"), Some(&occurrences(2, 3)));
    assert_eq!(
        summary.findings.of_lines[&DiagnosticCode::RuleBeforeGroup],
        occurrences(1, 1)
    );
}

#[test]
fn agents_are_disallowed_by_name_or_through_the_wildcard() {
    let summary = summary_of_files([
        "User-agent: GPTBot\nUser-agent: ExampleBot\nDisallow: /\n\nUser-agent: *\nDisallow:",
        "User-agent: *\nDisallow: /",
        "User-agent: *\nDisallow: /*\n\nUser-agent: gptbot\nDisallow: /x",
        "User-agent: ExampleBot\nDisallow: /\nAllow: /open",
        "User-agent: *\nDisallow: /a\n\nUser-agent: CCBot/2.0\nDisallow: /",
    ]);
    let agents = &summary.agents;
    let gptbot = *agents.by_token.get("GPTBot").unwrap();
    let expected = Agent {
        named: 2,
        disallowed: 1,
        exempt: 1,
        access: ThreeCounts {
            all: 0,
            part: 1,
            none: 1,
        },
        rules: AgentRules {
            disallow_rules: 2,
            files_with_disallow: 2,
            ..AgentRules::default()
        },
    };
    assert_eq!(gptbot, expected);
    // The first file disallows GPTBot by name, the second through `*`.
    assert_eq!(agents.disallowed_at_all(&gptbot), 2);
    let examplebot = *agents.by_token.get("ExampleBot").unwrap();
    assert_eq!((examplebot.named, examplebot.disallowed), (2, 1));
    assert_eq!(agents.disallowed_at_all(&examplebot), 3);
    assert_eq!(agents.everyone[&WildcardEffect::AllowAll], 1);
    assert_eq!(agents.everyone[&WildcardEffect::DisallowAll], 2);
    assert_eq!(agents.everyone[&WildcardEffect::Partly], 1);
    assert_eq!(agents.everyone[&WildcardEffect::NoGroup], 1);
    assert_eq!(agents.root_disallowed, 2);
    let class = |named, disallowed| ClassCounts { named, disallowed };
    assert_eq!(agents.ai, class(3, 2));
    assert_eq!(agents.by_purpose[&Purpose::Training], class(2, 1));
    assert_eq!(agents.named_per_file.sum(), 5);
    assert_eq!(agents.groups_per_file.sum(), 8);
}

#[test]
fn agents_have_their_rules_delays_and_access() {
    let summary = summary_of_files([
        "User-agent: Googlebot\nUser-agent: a\nAllow: /\nCrawl-delay: 2\n\nUser-agent: *\nDisallow: /",
        "User-agent: *\nDisallow: /a\nAllow: /a/b\nCrawl-delay: 0.5\n\nUser-agent: Googlebot-Image\nDisallow: /",
        "User-agent: *\nDisallow: /\nAllow: /a\nDisallow: /a*",
    ]);
    let agents = &summary.agents;
    let three = |all, part, none| ThreeCounts { all, part, none };
    assert_eq!(agents.everyone_access, three(0, 1, 2));
    let googlebot = agents.by_token.get("googlebot").unwrap();
    assert_eq!(googlebot.access, three(1, 0, 0));
    assert_eq!(
        (
            googlebot.rules.files_with_allow,
            googlebot.rules.allow_rules
        ),
        (1, 1)
    );
    assert_eq!(
        (
            googlebot.rules.files_with_delay,
            googlebot.rules.delay_milliseconds
        ),
        (1, 2000)
    );
    let everyone = agents.everyone_rules;
    assert_eq!((everyone.allow_rules, everyone.disallow_rules), (2, 4));
    assert_eq!(
        (everyone.files_with_delay, everyone.delay_milliseconds),
        (1, 500)
    );
    let known = |token: &str| {
        let mut known = agents.known_access.iter();
        known
            .find(|(crawler, _)| crawler.token() == token)
            .unwrap()
            .1
    };
    let googlebot = known("Googlebot");
    assert_eq!(
        (googlebot.by_name, googlebot.by_everyone),
        (three(1, 0, 0), three(0, 1, 1))
    );
    let image = known("Googlebot-Image");
    assert_eq!(
        (image.by_name, image.by_second_name, image.by_everyone),
        (three(0, 0, 1), three(1, 0, 0), three(0, 0, 1))
    );
    assert_eq!(known("GPTBot").total(), three(0, 1, 2));
    assert_eq!(known("AdsBot-Google").total(), three(3, 0, 0));
    assert_eq!(agents.uncertain, 0);
}

#[test]
fn outcomes_are_those_of_rfc_9309() {
    let with = |status, body: &str| response(status, body.as_bytes());
    let summary = summary_of([
        with(200, "User-agent: *\nDisallow: /a"),
        with(200, "User-agent: *\nDisallow:"),
        with(204, ""),
        with(404, "User-agent: *\nDisallow: /"),
        with(429, ""),
        with(503, ""),
        with(301, ""),
        with(304, ""),
    ]);
    let outcomes = BTreeMap::from([
        (Outcome::Rules, 1),
        (Outcome::FullAllow, 4),
        (Outcome::FullDisallow, 1),
        (Outcome::Unknown, 2),
    ]);
    assert_eq!(summary.outcomes.direct, outcomes);
}

#[test]
fn patterns_are_counted_by_form_and_tier() {
    let summary = summary_of_files([
        "User-agent: *\nDisallow: /a\nDisallow: /b$\nAllow: /*.css$\nDisallow: /*?*\nDisallow:\nDisallow: x",
        "User-agent: *\nDisallow: /a",
        "# nothing",
    ]);
    let rules = &summary.rules;
    assert_eq!((rules.per_file.sum(), rules.per_file.max()), (7, 6));
    assert_eq!(rules.allow, occurrences(1, 1));
    assert_eq!(rules.disallow, occurrences(2, 6));
    assert_eq!(rules.forms[&Form::Plain], occurrences(2, 2));
    for form in [
        Form::Anchored,
        Form::Wildcard,
        Form::WildcardAnchored,
        Form::Empty,
        Form::Unmatchable,
    ] {
        assert_eq!(rules.forms[&form], occurrences(1, 1), "{form:?}");
    }
    assert_eq!(rules.tiers[&Tier::Prefix], occurrences(2, 5));
    assert_eq!(rules.tiers[&Tier::Span], occurrences(1, 2));
    assert_eq!((rules.wildcards.count(), rules.wildcards.sum()), (2, 3));
}

#[test]
fn crawl_delays_are_counted_by_value() {
    let summary = summary_of_files([
        "User-agent: *\nCrawl-delay: 10\nUser-agent: a\nCrawl-delay: 10.0\nUser-agent: b\nCrawl-delay: 0.50",
        "User-agent: *\nCrawl-delay: 31\nUser-agent: a\nCrawl-delay: soon",
        "User-agent: *\nCrawl-delay: 86400",
        "User-agent: *",
    ]);
    let delays = &summary.crawl_delays;
    assert_eq!(delays.valid, occurrences(3, 5));
    assert_eq!(delays.not_a_number, occurrences(1, 1));
    assert_eq!(delays.seconds.get("10"), Some(&occurrences(1, 2)));
    assert_eq!(delays.seconds.get("0.5"), Some(&occurrences(1, 1)));
    assert_eq!(delays.over_30, occurrences(2, 2));
    assert_eq!(delays.over_300, occurrences(1, 1));
    assert_eq!(delays.over_3600, occurrences(1, 1));
}

#[test]
fn sitemaps_are_counted_by_file_and_host() {
    let many = "Sitemap: https://EXAMPLE.com/s.xml\n".repeat(51);
    let summary = summary_of_files([
        &*many,
        "Sitemap: https://cdn.example.org/s.xml\nSitemap:",
        "Sitemap: /s.xml",
        "",
    ]);
    let sitemaps = &summary.sitemaps;
    assert_eq!((sitemaps.files, sitemaps.over_50), (3, 1));
    assert_eq!((sitemaps.files_with_url, sitemaps.other_host), (3, 1));
    assert_eq!(sitemaps.per_file.sum(), 53);
}

#[test]
fn preferences_about_use_are_counted_by_file() {
    let summary = summary_of_files([
        "Content-Signal: search=yes, ai-train=no\nContent-Signal: /blog/ search=no, use=x",
        "User-agent: *\nContent-Usage: train-ai=y\nLicense: https://example.com/l.xml\nLicense: /l.xml",
        "User-agent: *\nContent-Usage: ,",
        "User-agent: *\nDisallow:",
    ]);
    let usage = &summary.usage;
    assert_eq!(usage.files, 3);
    let signal = &usage.content_signal;
    assert_eq!(signal.records, occurrences(1, 2));
    assert_eq!(signal.with_path, occurrences(1, 1));
    let uses = |allowed, disallowed| UseCounts {
        allowed,
        disallowed,
    };
    assert_eq!(signal.search, uses(0, 1));
    assert_eq!(
        (signal.ai_training, signal.ai_input),
        (uses(0, 1), uses(0, 0))
    );
    assert_eq!(signal.pairs.get("use=x"), Some(&occurrences(1, 1)));
    let content_usage = &usage.content_usage;
    assert_eq!(content_usage.records, occurrences(2, 2));
    assert_eq!(content_usage.invalid, occurrences(1, 1));
    assert_eq!(content_usage.ai_training, uses(1, 0));
    assert_eq!(usage.license, occurrences(1, 1));
    assert_eq!(usage.invalid_license, occurrences(1, 1));
}

#[test]
fn findings_are_counted_by_code_and_severity() {
    let summary = summary_of_files([
        "User-agent: *\nDisallow: a\nDisallow: b\nDisallow: /c\nDisallow: /c",
        "User-agent: *\nNoindex: /x",
        "User-agent: *\nDisallow: /",
    ]);
    let findings = &summary.findings;
    assert_eq!(
        findings.of_lines[&DiagnosticCode::PathWithoutSlash],
        occurrences(1, 2)
    );
    assert_eq!(
        findings.of_lines[&DiagnosticCode::DeprecatedRecord],
        occurrences(1, 1)
    );
    assert_eq!(findings.by_severity[&Severity::Error], 1);
    assert_eq!(findings.by_severity[&Severity::Warning], 1);
    assert_eq!((findings.clean, findings.linted), (1, 3));
    assert_eq!(
        findings.of_rules[&DiagnosticCode::DuplicateRule],
        occurrences(1, 1)
    );
}

#[test]
fn a_finding_counts_with_its_own_severity() {
    let summary = summary_of_files([
        // Google's matcher reads `Sitemaps` as `Sitemap`, which changes no group.
        "User-agent: *\nDisallow: /\nSitemaps: https://example.com/sitemap.xml",
        // Google's matcher reads a rule that can match.
        "User-agent: *\nDisallowAITraining: /",
    ]);
    let findings = &summary.findings;
    assert_eq!(
        findings.of_lines[&DiagnosticCode::PrefixedField],
        occurrences(2, 2)
    );
    assert_eq!(
        findings.by_severity,
        BTreeMap::from([(Severity::Warning, 1), (Severity::Error, 1)])
    );
}

#[test]
fn disagreements_of_the_dialects_are_counted_by_reason() {
    let summary = summary_of_files([
        "User-agent: *\nDisallow: /two words/\nDisallow: /a",
        "User-agent: *\nDisallow: /",
        "User-agent: *\nDisallow: /a",
    ]);
    let dialects = &summary.dialects;
    assert_eq!((dialects.compared, dialects.disagreeing), (3, 1));
    assert_eq!(summary.timings.check.count(), 3);
    assert_eq!(dialects.reasons["rule-encoding"], occurrences(1, 1));
    assert_eq!(dialects.reasons["robots-txt-itself"], occurrences(1, 1));
    assert_eq!(dialects.urls, 7);
}

#[test]
fn costly_work_is_done_on_a_sample() {
    let mut summary = Summary::default();
    for number in 0..1000 {
        // A template that a thousand sites share, which must not be taken or left as a whole.
        let url = format!("https://shop-{number}.example/robots.txt");
        let site = RobotsResponse {
            url: Some(url),
            ..response(200, b"User-agent: *\nDisallow: /cart")
        };
        summary.add(&Content::Response(site), Depth::Sampled);
    }
    let linted = summary.findings.linted;
    assert!((90..170).contains(&linted), "{linted}");
    let compared = summary.dialects.compared;
    assert!((15..60).contains(&compared), "{compared}");
    assert_eq!(summary.timings.check.count(), compared);
}

#[test]
fn files_are_timed_and_described() {
    let summary = summary_of_files(["User-agent: *\nDisallow: /*a*", "#"]);
    let timings = &summary.timings;
    assert_eq!((timings.parse.count(), timings.check.count()), (2, 2));
    assert_eq!(timings.bytes_parsed, 29);
    assert_eq!(timings.slowest_to_parse.entries().len(), 2);
    let largest = &summary.largest.entries()[0];
    assert_eq!((largest.value.0, largest.lines), (28, 2));
    assert_eq!((largest.rules, largest.wildcards), (1, 2));
}

/// Generates bodies of many kinds, so that every measure counts something.
fn bodies() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "User-agent: (\\*|GPTBot|[a-c]bot)",
        "(Disallow|Allow|Disalow): (/|/[ab]*|/\\*[ab]\\$|)",
        "Crawl-delay: ([0-9]{1,4}|x)",
        "Sitemap: https://example.(com|org)/",
        "Content-Signal: (search|ai-train)=(yes|no)",
        "[a-d]{1,2}: x",
        "(#|\u{0}|é| |two words)",
    ];
    prop::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n"))
}

fn responses() -> impl Strategy<Value = Vec<(u16, String, u8)>> {
    let status = prop_oneof![4 => Just(200), 1 => Just(404), 1 => Just(503), 1 => Just(301)];
    prop::collection::vec((status, bodies(), 0..4_u8), 0..24)
}

fn surveyed(responses: &[(u16, String, u8)]) -> Summary {
    let mut summary = Summary::default();
    for response in responses {
        summary.add(&found(response), Depth::Thorough);
    }
    summary
}

fn found((status, body, number): &(u16, String, u8)) -> Content {
    let mut found = response(*status, body.as_bytes());
    found.place = place(&number.to_string());
    found.url = Some(format!("https://example.com/{number}"));
    found.content_type = Some(format!("text/{number}"));
    found.retry_after = Some(number.to_string());
    found.location = Some(format!("/{}", number / 2));
    Content::Response(found)
}

/// Asserts that strata add up to the whole, in each of their figures.
fn assert_sum(strata: impl Iterator<Item = Stratum>, whole: &Summary) {
    let mut sum = Stratum::default();
    for stratum in strata {
        sum.merge(stratum);
    }
    let expected = Stratum {
        responses: whole.responses,
        by_status: whole.statuses.by_status.clone(),
        outcomes: whole.outcomes.clone(),
        files: whole.files,
        bytes: whole.texts.bytes.sum(),
        rules: whole.rules.per_file.sum(),
        ai: whole.agents.ai,
        everyone_access: whole.agents.everyone_access,
        known_access: whole.agents.known_access.clone(),
        sitemap_files: whole.sitemaps.files,
        crawl_delay_files: whole.crawl_delays.valid.files,
        usage_files: whole.usage.files,
    };
    assert_eq!(sum, expected);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn parts_merge_to_one_run_whatever_the_split_and_order(
        responses in responses(),
        first in 0..24_usize,
        second in 0..24_usize,
        through_json in any::<bool>(),
    ) {
        let whole = surveyed(&responses);
        let (first, second) = (first.min(responses.len()), second.min(responses.len()));
        let (first, second) = (first.min(second), first.max(second));
        let parts = [&responses[second..], &responses[..first], &responses[first..second]];
        let mut merged = Summary::default();
        for part in parts {
            let mut part = surveyed(part);
            if through_json {
                let text = serde_json::to_string(&part).unwrap();
                let read: Summary = serde_json::from_str(&text).unwrap();
                part = read;
            }
            merged.merge(part);
        }
        prop_assert_eq!(&merged, &whole);
        prop_assert_eq!(whole.outcomes.direct.values().sum::<u64>(), whole.responses);
        for (crawler, counts) in whole.agents.known_access.iter() {
            prop_assert_eq!(counts.total().sum(), whole.files, "{}", crawler.name());
        }
        for (_, agent) in whole.agents.by_token.by_weight() {
            prop_assert_eq!(agent.access.sum(), agent.named);
        }
        let mut strata: BTreeMap<u64, Stratum> = BTreeMap::new();
        for (at, response) in responses.iter().enumerate() {
            let content = found(response);
            let stratum = strata.entry(at as u64 * 7 % 3).or_default();
            Summary::default().add_and_visit(&content, Depth::Thorough, &mut |site| stratum.add(site));
        }
        if through_json {
            strata = serde_json::from_str(&serde_json::to_string(&strata).unwrap()).unwrap();
        }
        assert_sum(strata.into_values().rev(), &whole);
        let reversed: Vec<_> = responses.iter().rev().cloned().collect();
        prop_assert_eq!(&surveyed(&reversed), &whole);
    }
}
