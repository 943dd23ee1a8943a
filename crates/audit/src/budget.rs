//! The limits on the time and the memory of a comparison, whatever two files hold.
//!
//! Time: everything that grows faster than the files is paid for before it is done, and is left out
//! once the budget is spent. That is what is done for each class of agents: to make its robots, to
//! list its rules and to ask about its URLs. One unit is about a nanosecond. The walk through the
//! patterns has limits of its own (`witness`).
//!
//! Memory: the robots that are kept for their evidence, and the listed changes, have a budget of
//! bytes each. A robot takes 16 times the bytes of its rules at most, as SECURITY.md of the library
//! says.

use polite_robots::Robot;

/// The amounts that are left.
#[derive(Debug)]
pub(crate) struct Budget {
    work: usize,
    kept: usize,
    listed: usize,
}

impl Budget {
    /// The budget for a comparison of two files, and of some URLs that a user asks about.
    pub(crate) fn new(urls: usize) -> Budget {
        let work = urls.saturating_mul(MOST_WORK_OF_A_URL);
        Budget {
            work: work.saturating_add(MOST_WORK),
            kept: MOST_KEPT,
            listed: MOST_LISTED,
        }
    }

    /// A budget for a test.
    #[cfg(test)]
    pub(crate) fn with(work: usize, listed: usize) -> Budget {
        Budget {
            work,
            kept: MOST_KEPT,
            listed,
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

    pub(crate) fn is_spent(&self) -> bool {
        self.work == 0
    }

    /// Takes room for a robot that is kept. Returns whether there was enough left.
    pub(crate) fn keep(&mut self, size: RobotSize) -> bool {
        take(
            &mut self.kept,
            size.bytes.saturating_mul(16).saturating_add(1 << 12),
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

/// The size of a robot's rules.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RobotSize {
    rules: usize,
    bytes: usize,
    /// The bytes of the patterns with wildcards, which no index finds at once.
    wildcard_bytes: usize,
}

impl RobotSize {
    pub(crate) fn of(robot: &Robot) -> RobotSize {
        let mut size = RobotSize {
            rules: 0,
            bytes: 0,
            wildcard_bytes: 0,
        };
        for rule in robot.rules() {
            let length = rule.length();
            size.rules = size.rules.saturating_add(1);
            size.bytes = size.bytes.saturating_add(length).saturating_add(24);
            if rule.pattern().contains('*') {
                size.wildcard_bytes = size.wildcard_bytes.saturating_add(length);
            }
        }
        size
    }

    /// The work to sort the rules.
    pub(crate) fn sorting(self) -> usize {
        let of_rules = self.rules.saturating_mul(400);
        of_rules.saturating_add(self.bytes)
    }

    /// The work of a check.
    pub(crate) fn check(self, url: &str) -> usize {
        let of_url = url.len().saturating_mul(4).saturating_add(400);
        // A path that more patterns walk over gets an index.
        let of_patterns = self.wildcard_bytes.min(1 << 18) / 3;
        of_url.saturating_add(of_patterns)
    }
}

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
