//! Time from bytes to a robot, or to a document of all agents.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use polite_robots::RobotsTxt;

use polite_robots_benches::harness;
use polite_robots_benches::inputs::{Input, shapes};
use polite_robots_benches::peers::{Peer, PoliteRobots, Robotxt, TextingRobots, assert_answers};

fn main() {
    harness::run(parse);
}

fn parse(criterion: &mut Criterion) {
    for input in shapes::parsed() {
        assert_answers(&input);
        let mut group = criterion.benchmark_group(format!("parse/{}", input.name));
        group.throughput(Throughput::Bytes(input.bytes.len() as u64));
        parse_with::<PoliteRobots>(&mut group, &input);
        group.bench_function("polite-robots, all agents", |bencher| {
            bencher.iter(|| RobotsTxt::parse(black_box(&input.bytes)));
        });
        parse_with::<TextingRobots>(&mut group, &input);
        parse_with::<Robotxt>(&mut group, &input);
        group.finish();
    }
}

/// Measures parsing and dropping the object, as both are part of its cost.
fn parse_with<P: Peer>(group: &mut BenchmarkGroup<'_, WallTime>, input: &Input) {
    group.bench_function(P::NAME, |bencher| {
        bencher.iter(|| P::parse(black_box(&input.bytes)));
    });
}
