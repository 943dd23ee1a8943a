//! Time from bytes to a robot, or to a document of all agents.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    missing_docs
)]

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use polite_robots::RobotsTxt;

use polite_robots_benches::inputs::{Input, shapes};
use polite_robots_benches::peers::{Peer, PoliteRobots, Robotxt, TextingRobots, assert_answers};

fn parse(criterion: &mut Criterion) {
    for input in [
        shapes::tiny(),
        shapes::median(),
        shapes::twitter_like(),
        shapes::p99(),
        shapes::sophos_like(),
        shapes::smugmug_like(),
        shapes::runescape_like(),
        shapes::oracle_like(),
        shapes::d1(),
        shapes::d4(),
    ] {
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

criterion_group! {
    name = benches;
    config = polite_robots_benches::harness::criterion();
    targets = parse
}
criterion_main!(benches);
