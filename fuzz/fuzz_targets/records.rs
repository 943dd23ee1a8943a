//! Any bytes as a file: the values of records outside RFC 9309 keep to their specifications, the
//! view of one agent equals that of the document, and no record changes a verdict.
#![no_main]

use libfuzzer_sys::fuzz_target;
use polite_robots::record::{Extension, Sitemap};
use polite_robots::{Robot, RobotsTxt};
use polite_robots_fuzz::Question;
use polite_robots_page::PageControls;
use polite_robots_records::{
    CleanParams, DayWindow, ExtensionValue, License, Preference, RequestRate, Usage, UsageCategory,
    UsageSource,
};

fuzz_target!(|question: Question<'_>| {
    let options = question.options();
    let document = RobotsTxt::parse_with(question.file, &options);
    let robot = Robot::with_options(question.agent(), question.file, &options).unwrap();
    assert_eq!(robot, document.robot(question.agent()).unwrap());

    let kept = document.as_bytes();
    let mut line = 0;
    for record in document.extensions() {
        assert!(
            record.line() >= line,
            "records come in the order of the file"
        );
        line = record.line();
        assert!(
            kept.as_ptr_range().contains(&record.value().as_ptr()) || record.value().is_empty()
        );
        let _ = record.scope();
        check(&record);
    }
    let delays = document
        .extensions()
        .filter_map(|record| record.crawl_delay());
    assert!(robot.crawl_delay() <= delays.max());

    let usage = Usage::of(&robot, question.url);
    for (category, preference) in [
        (UsageCategory::Search, usage.search()),
        (UsageCategory::AiInput, usage.ai_input()),
        (UsageCategory::AiTraining, usage.ai_training()),
    ] {
        assert_eq!(usage.preference(category), preference);
        let said = usage
            .record(category)
            .is_some_and(|record| record.line() >= 1);
        assert_eq!(said, preference != Preference::Unstated);
    }
    check_headers(&question, usage);
    assert!(License::of(&robot).count() <= document.extensions().count());
    let records = document.extensions().count();
    let times = DayWindow::visit_times(&robot).count();
    assert!(RequestRate::of(&robot).count() + times <= records);

    let clean_params = CleanParams::of(&document);
    let clean = clean_params.clean(question.url);
    assert!(clean.len() <= question.url.len());
    assert_eq!(clean_params.clean(&clean), clean);

    // With each record turned into a comment, the same rules decide, on the same lines.
    let mut bare = kept.to_vec();
    for line in document.lines() {
        let is_record = document
            .extensions()
            .any(|record| record.line() == line.number());
        if let Some(first) = bare[line.span()].first_mut().filter(|_| is_record) {
            *first = b'#';
        }
    }
    let bare = RobotsTxt::parse_with(&bare, &options.with_max_bytes(usize::MAX));
    let bare = bare.robot(question.agent()).unwrap();
    let [with, without] = [&robot, &bare].map(|robot| {
        let verdict = robot.check(question.url);
        (verdict.is_allowed(), verdict.rule().map(|rule| rule.line()))
    });
    assert_eq!(with, without);
});

/// Reads the lines of the file as headers of a page. The evidence is one of these lines, and
/// together with the robots.txt the most restrictive preference counts.
fn check_headers(question: &Question<'_>, of_robots_txt: Usage<'_>) {
    let lines = || question.file.split(|byte| *byte == b'\n').take(100);
    for name in ["Content-Usage", "Content-Signal", "Link"] {
        let empty = PageControls::new("*").unwrap();
        let page = lines().fold(empty, |page, line| page.with_header(name, line));
        let usage = page.usage();
        let both = Usage::combined([of_robots_txt, usage]);
        assert_eq!(both, Usage::combined([usage, of_robots_txt]));
        for category in UsageCategory::ALL {
            let expected = of_robots_txt
                .preference(*category)
                .max(usage.preference(*category));
            assert_eq!(both.preference(*category), expected);
            if let Some(record) = usage.record(*category) {
                let at = usize::try_from(record.line()).unwrap() - 1;
                assert_eq!(record.source(), UsageSource::Header);
                assert!(
                    lines()
                        .nth(at)
                        .unwrap()
                        .windows(record.value().len())
                        .any(|text| text == record.value())
                );
            }
        }
        assert!(
            both.content_uses().count()
                <= usage.content_uses().count() + of_robots_txt.content_uses().count()
        );
        for license in page.licenses() {
            assert!(!license.target().contains(char::is_whitespace));
        }
    }
}

fn check(record: &Extension<'_>) {
    match ExtensionValue::of(record) {
        ExtensionValue::RequestRate(rate) => {
            assert!(rate.documents() > 0 && !rate.per().is_zero());
            let documents = u32::try_from(rate.documents()).unwrap_or(u32::MAX);
            assert!(
                rate.interval().saturating_mul(documents) >= rate.per() || documents == u32::MAX
            );
        }
        ExtensionValue::VisitTime(window) => {
            let minutes = (0..24 * 60)
                .filter(|minute| window.contains(*minute))
                .count();
            assert_eq!(minutes, usize::from(window.minutes()));
            assert!(
                window.contains(window.first_minute()) && window.contains(window.last_minute())
            );
        }
        ExtensionValue::Sitemap(sitemap) => {
            let url = sitemap.resolve("https://example.com/page").unwrap();
            assert_eq!(
                Sitemap::from(&*url)
                    .resolve("https://example.org/")
                    .unwrap(),
                url
            );
        }
        ExtensionValue::CrawlDelay(delay) => assert_eq!(record.crawl_delay(), Some(delay)),
        ExtensionValue::Rejected(value) => assert_eq!(value, record.value()),
        other => drop(format!("{other:?}")),
    }
}
