//! Cost of parsing a file, asking one question and dropping the result, for a crawler that keeps
//! nothing.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion};

use polite_robots_benches::harness;
use polite_robots_benches::inputs::{Input, shapes};
use polite_robots_benches::peers::{
    Peer, PoliteRobots, ROBOTSTXT, Robotxt, TextingRobots, assert_answers,
};

fn main() {
    harness::run(oneshot);
}

fn oneshot(criterion: &mut Criterion) {
    for input in [
        shapes::tiny(),
        shapes::median(),
        shapes::twitter_like(),
        shapes::p99(),
        shapes::smugmug_like(),
        shapes::d1(),
    ] {
        assert_answers(&input);
        let mut group = criterion.benchmark_group(format!("oneshot/{}", input.name));
        parse_and_ask::<PoliteRobots>(&mut group, &input);
        parse_and_ask::<TextingRobots>(&mut group, &input);
        parse_and_ask::<Robotxt>(&mut group, &input);
        ask(&mut group, &input);
        group.finish();
    }
}

fn parse_and_ask<P: Peer>(group: &mut BenchmarkGroup<'_, WallTime>, input: &Input) {
    let mut urls = input.urls.iter().cycle();
    group.bench_function(P::NAME, |bencher| {
        bencher.iter(|| {
            let url = urls.next().unwrap();
            P::parse(black_box(&input.bytes)).is_some_and(|robot| P::allows_url(&robot, url))
        });
    });
}

fn ask(group: &mut BenchmarkGroup<'_, WallTime>, input: &Input) {
    let robots_txt = core::str::from_utf8(&input.bytes).unwrap();
    polite_robots_benches::peers::assert_robotstxt_answers(input);
    let mut urls = input.urls.iter().cycle();
    group.bench_function(ROBOTSTXT, |bencher| {
        bencher.iter(|| {
            let url = urls.next().unwrap();
            polite_robots_benches::peers::robotstxt_allows(black_box(robots_txt), url)
        });
    });
}
