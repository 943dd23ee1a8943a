//! The preferences that a robots.txt states for one agent and one URL.

use alloc::vec::Vec;

use polite_robots::pattern::PatternSet;
use polite_robots::record::{AgentRecord, ExtensionField};
use polite_robots::{Access, Robot, Target};

use crate::preferences::content_signal::ContentSignal;
use crate::preferences::content_usage::ContentUsage;
use crate::preferences::preference::{Preference, UsageCategory, split_path};
use crate::preferences::usage::{Usage, UsageRecord};

impl<'r> Usage<'r> {
    /// The preferences of the site about the use of the URL's content, from the `Content-Signal`
    /// and `Content-Usage` records that are for the robot's agent, and from the groups that name a
    /// use in place of an agent. A preference never changes a verdict and says nothing about
    /// fetching: ask [`Robot::check`] first.
    ///
    /// Per field only the records with the longest matching path count, compared as rules are; a
    /// record without a path is the least specific. If several count, the most restrictive
    /// preference applies. A `Content-Signal` above every `User-agent` line is for every agent, in
    /// addition to those of its group. A group that names the agent inherits none from `*`. A
    /// `Content-Usage` record states nothing about a URL that must not be fetched
    /// (draft-ietf-aipref-attach §3.1).
    ///
    /// `User-agent: __usage_ai-training` begins a group about the training of AI models
    /// (draft-kelley-aipref-training-preference-signal-00), for every agent. The rule of
    /// [`Robot::policy`] that decides about the URL states the preference: `Allow` that training is
    /// allowed, `Disallow` that it is disallowed. An empty rule matches nothing, and states none.
    ///
    /// Nearly every file has no such record and no such group. To ask about many URLs, take
    /// [`Usages`], which reads the records once.
    ///
    /// ```
    /// use polite_robots::Robot;
    /// use polite_robots_records::{Preference, Usage};
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nContent-Signal: search=yes, ai-train=no")?;
    /// assert_eq!(Usage::of(&robot, "/story").ai_training(), Preference::Disallowed);
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: __usage_ai-training\nDisallow: /stories/")?;
    /// assert!(robot.allowed("/stories/1"));
    /// assert_eq!(Usage::of(&robot, "/stories/1").ai_training(), Preference::Disallowed);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn of<'u>(robot: &'r Robot, url: impl Into<Target<'u>>) -> Usage<'r> {
        match robot.records().next() {
            Some(_) => Usages::of(robot).about(url),
            None => Usage::default().and_policies(robot, &url.into()),
        }
    }

    /// Adds the preferences of the groups that name a use.
    fn and_policies(mut self, robot: &'r Robot, target: &Target<'_>) -> Usage<'r> {
        for category in UsageCategory::EACH {
            let policy = category.policy_token().and_then(|token| {
                let rule = robot.policy(token)?.check(target).rule()?;
                // The deciding rule of Google's matcher may be an empty one, which matches nothing.
                (rule.length() > 0).then_some((token, rule))
            });
            if let Some((token, rule)) = policy {
                let preference = match rule.access() {
                    Access::Allow => Preference::Allowed,
                    Access::Disallow => Preference::Disallowed,
                };
                self.add(category, preference, UsageRecord::of_policy(token, rule));
            }
        }
        self
    }
}

/// The preferences that are for a robot's agent, ready for questions about many URLs.
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots_records::{Preference, Usages};
///
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nContent-Usage: /photos/ train-ai=n")?;
/// let usages = Usages::of(&robot);
/// assert_eq!(usages.about("/photos/1.jpg").ai_training(), Preference::Disallowed);
/// assert_eq!(usages.about("/story").ai_training(), Preference::Unstated);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug)]
pub struct Usages<'r> {
    robot: &'r Robot,
    signals: Statements<'r>,
    usages: Statements<'r>,
}

impl<'r> Usages<'r> {
    /// Reads the `Content-Signal` and `Content-Usage` records of a robot. Its rules about uses are
    /// compiled already.
    #[must_use]
    pub fn of(robot: &'r Robot) -> Usages<'r> {
        Usages {
            robot,
            signals: Statements::of(robot, ExtensionField::ContentSignal),
            usages: Statements::of(robot, ExtensionField::ContentUsage),
        }
    }

    /// The preferences about the use of a URL's content, as [`Usage::of`] has them. The time is
    /// linear in the URL for a given file, and in the records for a given URL.
    pub fn about<'u>(&self, url: impl Into<Target<'u>>) -> Usage<'r> {
        let target = url.into();
        let is_allowed = self.robot.allowed(&target);
        // Only a disallowed URL can have a deciding path other than its first.
        let path = match is_allowed {
            true => target.path(self.robot.dialect()),
            false => self.robot.deciding_path(&target),
        };
        let path = Target::sent(&path);
        let mut applying = self.signals.applying(&path);
        if is_allowed {
            applying.extend(self.usages.applying(&path));
        }
        let usage = Usage::combined(applying.into_iter().map(Statement::usage));
        usage.and_policies(self.robot, &target)
    }
}

/// The records of one field.
#[derive(Debug)]
struct Statements<'r> {
    of_site: Vec<Statement<'r>>,
    of_paths: Vec<Statement<'r>>,
    /// The path of each of `of_paths`.
    paths: PatternSet,
}

impl<'r> Statements<'r> {
    fn of(robot: &'r Robot, field: ExtensionField) -> Statements<'r> {
        let (mut of_site, mut of_paths, mut paths) = (Vec::new(), Vec::new(), Vec::new());
        for record in robot.records().filter(|record| record.field() == field) {
            match split_path(record.value()).0 {
                None => of_site.push(Statement::of(record)),
                Some(path) => {
                    of_paths.push(Statement::of(record));
                    paths.push(path);
                }
            }
        }
        Statements {
            of_site,
            of_paths,
            paths: PatternSet::new(robot.dialect(), paths),
        }
    }

    /// The records with the longest path that matches. If no path matches, the records about the
    /// whole site.
    fn applying(&self, path: &Target<'_>) -> Vec<Statement<'r>> {
        let matching = self.paths.matching(path);
        let length = |at: &usize| self.paths.pattern(*at).map_or(0, str::len);
        let Some(longest) = matching.iter().map(length).max() else {
            return self.of_site.clone();
        };
        let longest = matching.iter().filter(|at| length(at) == longest);
        longest
            .filter_map(|at| self.of_paths.get(*at).copied())
            .collect()
    }
}

/// One record with the preferences that it states. A malformed value states none, and still takes
/// the place of one with a shorter path.
#[derive(Debug, Clone, Copy)]
struct Statement<'r> {
    record: &'r AgentRecord,
    preferences: [Preference; 3],
}

impl<'r> Statement<'r> {
    fn of(record: &'r AgentRecord) -> Statement<'r> {
        let value = record.value();
        let preferences = match record.field() {
            ExtensionField::ContentSignal => {
                ContentSignal::new(value).preferences(UsageCategory::EACH)
            }
            _ => {
                let usage = ContentUsage::new(value);
                usage.map_or_else(Default::default, |it| it.preferences(UsageCategory::EACH))
            }
        };
        Statement {
            record,
            preferences,
        }
    }

    fn usage(self) -> Usage<'r> {
        Usage::stating(UsageRecord::of_robot(self.record), self.preferences)
    }
}
