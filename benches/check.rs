//! Time of 50 questions to a robot, one after the other.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use polite_robots::{Robot, Target};

use polite_robots_benches::harness;
use polite_robots_benches::inputs::{AGENT, Input, shapes, urls};
use polite_robots_benches::peers::{Peer, PoliteRobots, Robotxt, TextingRobots, assert_answers};

fn main() {
    harness::run(check);
}

fn check(criterion: &mut Criterion) {
    for input in [
        shapes::tiny(),
        shapes::median(),
        shapes::twitter_like(),
        shapes::p99(),
        shapes::sophos_like(),
        shapes::smugmug_like(),
        shapes::oracle_like(),
        shapes::d1(),
        shapes::d4(),
        shapes::params(),
    ] {
        assert_answers(&input);
        let mut group = criterion.benchmark_group(format!("check/{}", input.name));
        group.throughput(Throughput::Elements(urls::MIX as u64));
        from_target(&mut group, &input);
        from_text::<PoliteRobots>(&mut group, &input);
        from_text::<TextingRobots>(&mut group, &input);
        from_text::<Robotxt>(&mut group, &input);
        group.finish();
    }
}

/// Prepared targets, which only our crate has.
fn from_target(group: &mut BenchmarkGroup<'_, WallTime>, input: &Input) {
    let robot = Robot::new(AGENT, &input.bytes).unwrap();
    let targets: Vec<Target<'_>> = input.urls.iter().map(|url| Target::new(url)).collect();
    group.bench_function("polite-robots, prepared target", |bencher| {
        bencher.iter(|| {
            for target in &targets {
                black_box(robot.allowed(black_box(target)));
            }
        });
    });
    group.bench_function(
        "polite-robots, prepared target, with the reason",
        |bencher| {
            bencher.iter(|| {
                for target in &targets {
                    black_box(robot.check(black_box(target)));
                }
            });
        },
    );
}

fn from_text<P: Peer>(group: &mut BenchmarkGroup<'_, WallTime>, input: &Input) {
    let robot = P::parse(&input.bytes).unwrap();
    group.bench_function(format!("{}, full URL", P::NAME), |bencher| {
        bencher.iter(|| {
            for url in &input.urls {
                black_box(P::allows_url(&robot, black_box(url)));
            }
        });
    });
    group.bench_function(format!("{}, path", P::NAME), |bencher| {
        bencher.iter(|| {
            for path in &input.paths {
                black_box(P::allows_path(&robot, black_box(path)));
            }
        });
    });
}
