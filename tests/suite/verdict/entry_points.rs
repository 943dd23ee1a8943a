//! All ways to ask the crate the same question, which must give the same answer.

use polite_robots::{
    AgentMatch, Dialect, InvalidToken, Options, Robot, RobotsTxt, Target, Tier, Verdict,
};

/// A verdict in the notation of the cases: `allow 0`, `disallow 7`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) allowed: bool,
    /// The line of the deciding rule; 0 without a rule.
    pub(crate) line: u32,
}

impl Answer {
    pub(crate) fn of(verdict: &Verdict<'_>) -> Answer {
        Answer {
            allowed: verdict.is_allowed(),
            line: verdict.rule().map_or(0, |rule| rule.line()),
        }
    }
}

impl std::str::FromStr for Answer {
    type Err = String;

    fn from_str(text: &str) -> Result<Answer, String> {
        let (access, line) = text
            .split_once(' ')
            .ok_or("expected `allow LINE` or `disallow LINE`")?;
        Ok(Answer {
            allowed: match access {
                "allow" => true,
                "disallow" => false,
                _ => return Err(format!("`{access}` is neither allow nor disallow")),
            },
            line: line
                .parse()
                .map_err(|error| format!("line `{line}`: {error}"))?,
        })
    }
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let access = if self.allowed { "allow" } else { "disallow" };
        write!(f, "{access} {}", self.line)
    }
}

pub(crate) fn options(dialect: Dialect) -> Options {
    Options::new(dialect)
}

/// Compiles a file with one rule, and returns its tier and whether it matches. `None` if the value
/// cannot stand on a line or is no rule.
pub(crate) fn answer_of_rule(value: &[u8], url: &str, dialect: Dialect) -> Option<(Tier, bool)> {
    let file = [b"User-agent: *\nDisallow: ", value].concat();
    let robots_txt = RobotsTxt::parse_with(&file, &options(dialect));
    let group = robots_txt.groups().next()?;
    if group.rules().next()?.value() != value {
        return None;
    }
    let robot = robots_txt.robot("*").unwrap();
    let rule = robot.rules().next()?;
    Some((rule.tier(), rule.matches(url)))
}

/// The robots of one agent, created in every possible way.
pub(crate) struct Robots {
    ways: [(&'static str, Robot); 3],
    pub(crate) robots_txt: RobotsTxt,
}

impl Robots {
    pub(crate) fn new(agent: &str, file: &[u8], dialect: Dialect) -> Result<Robots, InvalidToken> {
        let robots_txt = RobotsTxt::parse_with(file, &options(dialect));
        Robots::of(&robots_txt, agent, file, dialect)
    }

    /// Creates the robots from a document of the file, which is parsed once for many agents.
    pub(crate) fn of(
        robots_txt: &RobotsTxt,
        agent: &str,
        file: &[u8],
        dialect: Dialect,
    ) -> Result<Robots, InvalidToken> {
        let robot = Robot::with_options(agent, file, &options(dialect))?;
        Ok(Robots {
            ways: [
                ("Robot::new", robot),
                ("RobotsTxt::robot", robots_txt.robot(agent)?),
                ("RobotsTxt::robot_first", robots_txt.robot_first(&[agent])?),
            ],
            robots_txt: robots_txt.clone(),
        })
    }

    pub(crate) fn first(&self) -> &Robot {
        &self.ways[0].1
    }

    pub(crate) fn agent_match(&self) -> AgentMatch {
        self.first().agent_match()
    }

    /// Returns the common answer of all ways, or an error that names the difference.
    pub(crate) fn ask(&self, url: &str) -> Result<Answer, String> {
        let target = Target::new(url);
        let answer = Answer::of(&self.first().check(url));
        for (way, robot) in &self.ways {
            let checks = [
                ("check", Answer::of(&robot.check(url))),
                ("check of a target", Answer::of(&robot.check(&target))),
                ("check of bytes", Answer::of(&robot.check(url.as_bytes()))),
            ];
            let alloweds = [
                ("allowed", robot.allowed(url)),
                ("allowed of a String", robot.allowed(&url.to_string())),
                ("allowed of a target", robot.allowed(&target)),
                ("allowed of bytes", robot.allowed(url.as_bytes())),
            ];
            for (call, other) in checks {
                if other != answer {
                    return Err(format!("{way} {call} answers {other:?}, not {answer:?}"));
                }
            }
            for (call, allowed) in alloweds {
                if allowed != answer.allowed {
                    return Err(format!("{way} {call} answers {allowed}, not {answer:?}"));
                }
            }
        }
        Ok(answer)
    }
}
