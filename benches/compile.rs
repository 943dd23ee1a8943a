//! Time from a parsed document to the robot of one agent.

use std::hint::black_box;

use criterion::Criterion;
use polite_robots::RobotsTxt;

use polite_robots_benches::harness;
use polite_robots_benches::inputs::{AGENT, shapes};
use polite_robots_benches::peers::assert_answers;

fn main() {
    harness::run(compile);
}

/// No peer has this step: peers that keep all agents compile nothing, and the others keep one
/// agent.
fn compile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compile");
    for input in shapes::parsed() {
        assert_answers(&input);
        let document = RobotsTxt::parse(&input.bytes);
        let robot = document.robot(AGENT).unwrap();
        let disallowed = input.paths.iter().filter(|path| !robot.allowed(*path));
        assert_eq!(
            disallowed.count(),
            polite_robots_benches::peers::disallowed_here(&input)
        );
        group.bench_function(&input.name, |bencher| {
            bencher.iter(|| black_box(&document).robot(AGENT));
        });
    }
    group.finish();
}
