//! Any bytes as a file: a fix changes no answer of either dialect, a fixed file has nothing left to
//! fix, and findings lie inside their file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use polite_robots::{Dialect, RobotsTxt};
use polite_robots_fuzz::{Question, options};
use polite_robots_lint::Linter;
use polite_robots_lint::fix::Fixes;

fuzz_target!(|question: Question<'_>| {
    let (agent, url, file) = (question.agent(), question.url, question.file);
    let fixes = Fixes::new(file, |_| true);
    let again = Fixes::new(fixes.file(), |_| true);
    assert_eq!((again.file(), again.count()), (fixes.file(), 0));
    assert_eq!(fixes.count() == 0, fixes.file() == file);
    for dialect in [Dialect::Rfc9309, Dialect::Google] {
        let [before, after] =
            [file, fixes.file()].map(|file| RobotsTxt::parse_with(file, &options(dialect)));
        for finding in Linter::new().with_opinions().lint(&before) {
            assert!(finding.span().end <= file.len());
        }
        assert!(before.sitemaps().eq(after.sitemaps()));
        let tokens = before.groups().flat_map(|group| group.user_agents());
        let tokens = tokens.map(|agent| agent.product_token()).take(MOST_AGENTS);
        for agent in tokens.chain([agent, "*"]) {
            let (Ok(before), Ok(after)) = (before.robot(agent), after.robot(agent)) else {
                continue;
            };
            assert_eq!(before.agent_match(), after.agent_match());
            assert_eq!(before.crawl_delay(), after.crawl_delay());
            let paths = before
                .rules()
                .map(|rule| rule.pattern().replace(['*', '$'], ""));
            let urls: Vec<String> = paths.take(MOST_URLS).chain([url.to_owned()]).collect();
            for url in &urls {
                assert_eq!(before.allowed(url), after.allowed(url), "{agent} {url}");
            }
        }
    }
});

/// Agents and URLs of one file that are asked about.
const MOST_AGENTS: usize = 8;
const MOST_URLS: usize = 16;
