//! The limits on the time and the memory of a comparison of two files, and of a look at the agents
//! of one, whatever the files hold.
//!
//! Time: work that grows faster than the files is paid for before it is done, and is left out once
//! the budget is spent. Each class of agents costs the making of its robots, the listing of its
//! rules and the questions about its URLs. One unit is about a nanosecond. The walk through the
//! patterns has limits of its own (`witness`).
//!
//! Memory: the robots that are kept for their evidence, and the listed changes, have a budget of
//! bytes each. A robot takes 16 times the bytes of its rules and records at most, as SECURITY.md of
//! the library says.

use polite_robots::Robot;

/// The amounts that are left.
#[derive(Debug)]
pub(crate) struct Budget {
    work: usize,
    kept: usize,
    listed: usize,
    is_small: bool,
}

impl Budget {
    /// The budget for one file or a comparison of two, and for some URLs that a user asks about.
    pub(crate) fn new(urls: usize) -> Budget {
        let work = urls.saturating_mul(MOST_WORK_OF_A_URL);
        Budget {
            work: work.saturating_add(MOST_WORK),
            kept: MOST_KEPT,
            listed: MOST_LISTED,
            is_small: false,
        }
    }

    /// A budget for one of many comparisons of short files: ten milliseconds.
    pub(crate) fn small() -> Budget {
        Budget {
            work: SMALL_WORK,
            is_small: true,
            ..Budget::new(0)
        }
    }

    /// Whether the walk through the patterns has small limits too.
    pub(crate) fn is_small(&self) -> bool {
        self.is_small
    }

    /// A budget for a test.
    #[cfg(test)]
    pub(crate) fn with(work: usize, listed: usize) -> Budget {
        Budget {
            work,
            kept: MOST_KEPT,
            listed,
            is_small: false,
        }
    }

    /// Spends work. Returns whether there was enough left.
    pub(crate) fn spend(&mut self, work: usize) -> bool {
        let left = self.work.checked_sub(work);
        self.work = left.unwrap_or_default();
        left.is_some()
    }

    pub(crate) fn left(&self) -> usize {
        self.work
    }

    /// Takes room for a robot that is kept. Returns whether there was enough left.
    pub(crate) fn keep(&mut self, size: RobotSize) -> bool {
        take(
            &mut self.kept,
            size.bytes().saturating_mul(16).saturating_add(1 << 12),
        )
    }

    /// The bytes that are left for lists.
    pub(crate) fn left_for_lists(&self) -> usize {
        self.listed
    }

    /// Takes room for a change that is listed, by the bytes of its texts. Returns whether there was
    /// enough left.
    pub(crate) fn list(&mut self, bytes: usize) -> bool {
        take(&mut self.listed, bytes.saturating_add(LISTED_WITHOUT_TEXT))
    }
}

fn take(left: &mut usize, amount: usize) -> bool {
    match left.checked_sub(amount) {
        Some(less) => {
            *left = less;
            true
        }
        None => false,
    }
}

/// The size of a robot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RobotSize {
    rules: usize,
    bytes: usize,
    /// The bytes of the records beside the rules.
    records: usize,
    /// The wildcards of the patterns, which no index finds at once. One beside an escape counts as
    /// [`READINGS`].
    wildcards: usize,
}

impl RobotSize {
    pub(crate) fn of(robot: &Robot) -> RobotSize {
        let mut size = RobotSize {
            rules: 0,
            bytes: 0,
            records: robot.sitemaps().map(str::len).sum(),
            wildcards: 0,
        };
        for rule in robot.rules() {
            let length = rule.length();
            size.rules = size.rules.saturating_add(1);
            size.bytes = size.bytes.saturating_add(length).saturating_add(24);
            let pattern = rule.pattern();
            let wildcards = pattern.bytes().filter(|byte| *byte == b'*').count();
            let readings = if pattern.contains('%') { READINGS } else { 1 };
            let wildcards = wildcards.saturating_mul(readings);
            size.wildcards = size.wildcards.saturating_add(wildcards);
        }
        size
    }

    /// Adds the bytes of the agent's records.
    pub(crate) fn with_records(mut self, bytes: usize) -> RobotSize {
        self.records = self.records.saturating_add(bytes);
        self
    }

    /// The bytes of the rules and the records.
    pub(crate) fn bytes(self) -> usize {
        self.bytes.saturating_add(self.records)
    }

    /// The work to sort the rules.
    pub(crate) fn sorting(self) -> usize {
        let of_rules = self.rules.saturating_mul(400);
        of_rules.saturating_add(self.bytes)
    }

    /// The work to make automata of the patterns: each of their bytes is looked up in a tree.
    pub(crate) fn walk(self) -> usize {
        self.bytes.saturating_mul(20)
    }

    /// The work of a check.
    pub(crate) fn check(self, url: &str) -> usize {
        let of_url = url.len().saturating_mul(4).saturating_add(400);
        // If every piece of every pattern occurs in the path, each is searched, by a binary search
        // if they are many: 2.4 ms for 12,000 patterns with 17 wildcards each and a short path.
        let of_wildcard = url.len().max(1).ilog2().saturating_mul(2).saturating_add(4);
        let of_wildcard = usize::try_from(of_wildcard).unwrap_or(usize::MAX);
        of_url.saturating_add(self.wildcards.saturating_mul(of_wildcard))
    }
}

/// The work to make a robot with `bytes` bytes of records: each is read, compiled and asked once. A
/// file of 19,000 agents below 9,500 signals took 28 seconds when only the file counted.
pub(crate) fn work_of_records(bytes: usize) -> usize {
    bytes.saturating_mul(12)
}

/// The number of times that a piece with an escape is looked for: as it is written, decoded, and
/// where both readings meet. 20,000 patterns `/*%2Fa*%3Fb` took 13 seconds when each piece counted
/// once.
const READINGS: usize = 5;

/// The work of a comparison with a small budget.
const SMALL_WORK: usize = 10_000_000;

/// A hundred times the work for two real files of the usual size.
const MOST_WORK: usize = 3_000_000_000;

/// The answer about a URL for thousands of classes of agents.
const MOST_WORK_OF_A_URL: usize = 200_000;

/// Bytes of robots that are kept for their evidence.
const MOST_KEPT: usize = 48_000_000;

/// Bytes of listed changes. Two files of 500 KiB with the usual rules and nothing in common take
/// less than half of them.
const MOST_LISTED: usize = 16_000_000;

/// A URL and two verdicts, or a rule.
const LISTED_WITHOUT_TEXT: usize = 128;

#[cfg(test)]
mod tests {
    use polite_robots::Robot;

    use super::{READINGS, RobotSize};

    #[test]
    fn a_wildcard_beside_an_escape_counts_for_each_reading() {
        let [plain, escaped] = ["/*2Fab*b", "/*%2Fa*b"].map(|pattern| {
            let file = format!("User-agent: *\nDisallow: {pattern}\n");
            RobotSize::of(&Robot::new("a", file.as_bytes()).unwrap()).wildcards
        });
        assert_eq!(plain, 2);
        assert_eq!(escaped, plain * READINGS);
    }
}
