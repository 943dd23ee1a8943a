//! The main function of the criterion benches.

use core::time::Duration;

use criterion::Criterion;

/// Short times, so that a full `cargo bench` takes minutes. For precise figures pass
/// `--measurement-time 10`.
pub fn run(bench: fn(&mut Criterion)) {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20)
        .nresamples(5_000)
        .configure_from_args();
    bench(&mut criterion);
    criterion.final_summary();
}
