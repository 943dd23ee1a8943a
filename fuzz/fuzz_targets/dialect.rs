//! Any bytes as a file: in both dialects, verdict and line equal the naive reading of the tests,
//! and `Comparison` names every disagreement.
#![no_main]

use libfuzzer_sys::fuzz_target;
use polite_robots::record::PolicyToken;
use polite_robots::{Dialect, Robot, Target};
use polite_robots_audit::comparison::Comparison;
use polite_robots_fuzz::{Question, options};

#[allow(dead_code)]
#[path = "../../tests/suite/verdict/naive.rs"]
mod naive;
#[path = "../../tests/suite/verdict/naive_file.rs"]
mod naive_file;

fuzz_target!(|question: Question<'_>| {
    let (agent, url, file) = (question.agent(), question.url, question.file);
    let [rfc9309, google] = [Dialect::Rfc9309, Dialect::Google].map(|dialect| {
        let robot = Robot::with_options(agent, file, &options(dialect)).unwrap();
        let verdict = robot.check(url);
        let line = verdict.rule().map_or(0, |rule| rule.line());
        let expected = naive_file::verdict(file, agent, url, dialect);
        assert_eq!((verdict.is_allowed(), line), expected, "{dialect:?}");
        let of_use = robot.policy(PolicyToken::AiTraining).map(|of_use| {
            let verdict = of_use.check(url);
            (
                verdict.is_allowed(),
                verdict.rule().map_or(0, |rule| rule.line()),
            )
        });
        let token = PolicyToken::AiTraining.as_str();
        assert_eq!(
            of_use,
            naive_file::policy(file, token, url, dialect),
            "{dialect:?}"
        );
        robot.allowed(Target::requested(url))
    });
    let comparison = Comparison::new(agent, file).unwrap();
    let disagreement = comparison.disagreement(url);
    assert_eq!(disagreement.is_some(), rfc9309 != google);
    if let Some(disagreement) = disagreement {
        let found =
            [disagreement.rfc9309(), disagreement.google()].map(|verdict| verdict.is_allowed());
        assert_eq!(found, [rfc9309, google]);
        assert!(!disagreement.reason().as_str().is_empty());
    }
});
