//! Laws that hold for every real file.

use polite_robots::{AgentMatch, Dialect, RobotsTxt};
use polite_robots_build::{CommentPolicy, canonical};

use super::corpus::Files;
use crate::suite::verdict::answers::answers;
use crate::suite::verdict::entry_points::{Robots, options};

/// Compares the rules, delays and sitemaps of every agent; equal rules need no URL to compare.
pub(crate) fn the_canonical_form_answers_like_the_file(files: &Files) {
    let mut shorter = 0;
    for (name, file) in files {
        let written = |file: &[u8]| canonical(&RobotsTxt::parse(file), CommentPolicy::Keep);
        let rewritten = written(file);
        assert!(
            written(&rewritten) == rewritten,
            "{name}: a second pass changes the canonical form"
        );
        for dialect in [Dialect::Rfc9309, Dialect::Google] {
            let [before, after] =
                [file, &rewritten].map(|bytes| RobotsTxt::parse_with(bytes, &options(dialect)));
            let mut agents: Vec<&str> = before
                .groups()
                .flat_map(|group| group.user_agents())
                .map(|agent| agent.product_token())
                .filter(|token| token.bytes().any(|byte| byte.is_ascii_alphabetic()))
                .collect();
            agents.sort_unstable();
            agents.dedup();
            agents.truncate(MAX_AGENTS);
            agents.push("*");
            for agent in agents {
                let [before, after] =
                    [&before, &after].map(|file| answers(&file.robot(agent).unwrap(), &[]));
                assert!(before == after, "{name} {agent} {dialect:?}");
            }
            shorter += usize::from(after.groups().count() < before.groups().count());
        }
    }
    println!("{shorter} readings with groups merged");
}

/// Calls every entry point with every file: nothing panics, and the lists of the document are
/// consistent.
pub(crate) fn every_entry_point_works(files: &Files) {
    {
        let (mut groups, mut rules, mut sitemaps, mut named) = (0, 0, 0, 0);
        for (file, body) in files {
            for dialect in [Dialect::Rfc9309, Dialect::Google] {
                let robots_txt = RobotsTxt::parse_with(body, &options(dialect));
                assert_eq!(robots_txt.as_bytes(), body);
                let mut agents = vec!["*".to_string(), "Googlebot".to_string()];
                let tokens = robots_txt.groups().flat_map(|group| group.user_agents());
                agents.extend(
                    tokens
                        .map(|agent| agent.product_token().to_string())
                        .find(|token| !token.is_empty()),
                );
                for agent in &agents {
                    let Ok(robots) = Robots::of(&robots_txt, agent, body, dialect) else {
                        continue; // Google accepts `-` and `_` as tokens; the crate refuses them as agents.
                    };
                    for rule in robots.first().rules() {
                        assert!(
                            rule.line() > 0 && rule.length() == rule.pattern().len(),
                            "{file}"
                        );
                        rules += 1;
                    }
                    named += usize::from(robots.agent_match() == AgentMatch::Named);
                    robots
                        .ask("https://example.com/")
                        .unwrap_or_else(|error| panic!("{file}: {error}"));
                }
                groups += robots_txt.groups().count();
                sitemaps += robots_txt.sitemaps().count();
            }
        }
        println!(
            "{} files, {groups} groups, {rules} rules, {sitemaps} sitemaps, {named} named",
            files.len()
        );
        assert!(groups > 0 && rules > 0 && sitemaps > 0 && named > 0);
    }
}

const MAX_AGENTS: usize = 12;
