//! The rules that a known crawler obeys, as its operator says, where RFC 9309 gives it others.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots_audit::operator::OperatorReading;
//!
//! let robots_txt = RobotsTxt::parse(b"User-agent: Googlebot\nDisallow: /x");
//! assert!(robots_txt.robot("Googlebot-Image")?.allowed("/x"));
//! let reading = OperatorReading::new("Googlebot-Image", &robots_txt).ok_or("no other reading")?;
//! assert!(!reading.check("/x").is_allowed());
//! assert_eq!(
//!     reading.statement(),
//!     "Google says that Googlebot-Image obeys the rules for Googlebot where no group names it"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use polite_robots::{AgentMatch, Robot, RobotsTxt, Verdict};

use crate::known::{self, KnownCrawler};

/// The reading of one file that a crawler's operator documents, which is not that of RFC 9309.
#[derive(Debug)]
pub struct OperatorReading {
    crawler: &'static KnownCrawler,
    robot: Robot,
    departure: Departure,
}

/// The way in which the reading departs from RFC 9309.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Departure {
    /// The groups of a second name apply before those of `*`.
    SecondName(&'static str),
    /// The groups of `*` do not apply.
    WildcardIgnored,
}

impl OperatorReading {
    /// The reading of an agent's operator. `None` if the agent is not known, or its operator reads
    /// this file as RFC 9309 says.
    #[must_use]
    pub fn new(agent: &str, robots_txt: &RobotsTxt) -> Option<OperatorReading> {
        let crawler = known::find(agent)?;
        let standard = robots_txt.robot(agent).ok()?;
        let robot = crawler.robot(robots_txt).ok()?;
        let departure = match (standard.agent_match(), robot.agent_match()) {
            (AgentMatch::Named, _) => None,
            (_, AgentMatch::Named) => {
                let second = crawler.second_token_in(robots_txt);
                second.map(Departure::SecondName)
            }
            (AgentMatch::Wildcard, AgentMatch::None) => Some(Departure::WildcardIgnored),
            _ => None,
        }?;
        Some(OperatorReading {
            crawler,
            robot,
            departure,
        })
    }

    /// The verdict about a URL by this reading.
    #[must_use]
    pub fn check(&self, url: &str) -> Verdict<'_> {
        self.robot.check(url)
    }

    /// The operator's statement about the crawler.
    #[must_use]
    pub fn statement(&self) -> String {
        let operator = self.crawler.operator().unwrap_or("its operator");
        let crawler = self.crawler.token();
        match self.departure {
            Departure::SecondName(second) => format!(
                "{operator} says that {crawler} obeys the rules for {second} where no group names it"
            ),
            Departure::WildcardIgnored => {
                format!("{operator} says that {crawler} obeys only groups that name it, not `*`")
            }
        }
    }

    /// The statement, and the verdict about a URL that follows from it.
    #[must_use]
    pub fn sentence(&self, url: &str) -> String {
        format!("{}: then {}", self.statement(), self.check(url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(robots_txt: &str, agent: &str) -> Option<OperatorReading> {
        OperatorReading::new(agent, &RobotsTxt::parse(robots_txt.as_bytes()))
    }

    #[test]
    fn a_second_name_applies_before_the_wildcard() {
        let file = "User-agent: Googlebot\nDisallow: /x\n\nUser-agent: *\nDisallow: /y";
        for agent in [
            "Googlebot-Image",
            "googlebot-news",
            "Google-InspectionTool",
            "Applebot",
        ] {
            let reading = reading(file, agent).unwrap();
            assert!(!reading.check("/x").is_allowed(), "{agent}");
            assert!(reading.check("/y").is_allowed(), "{agent}");
        }
        let file = "User-agent: Yandex\nDisallow: /";
        assert!(!reading(file, "YandexBot").unwrap().check("/").is_allowed());
    }

    #[test]
    fn an_old_name_applies_where_the_operator_says_so() {
        let bingbot = reading("User-agent: msnbot\nDisallow: /y", "bingbot").unwrap();
        assert_eq!(
            bingbot.statement(),
            "Microsoft says that bingbot obeys the rules for msnbot where no group names it"
        );
        assert!(!bingbot.check("/y").is_allowed());
        let claudebot = reading("User-agent: claude-web\nDisallow: /", "ClaudeBot").unwrap();
        assert!(claudebot.statement().contains("the rules for Claude-Web"));
        assert!(reading("User-agent: msnbot-media\nDisallow: /", "bingbot").is_none());
    }

    #[test]
    fn a_crawler_of_advertisements_passes_over_the_wildcard() {
        let reading = reading("User-agent: *\nDisallow: /y", "AdsBot-Google").unwrap();
        assert_eq!(
            reading.sentence("/y"),
            "Google says that AdsBot-Google obeys only groups that name it, not `*`: then allowed: no group is for this agent"
        );
    }

    #[test]
    fn nothing_is_said_where_the_readings_are_the_same() {
        let named = "User-agent: Googlebot-Image\nAllow: /\n\nUser-agent: Googlebot\nDisallow: /";
        assert!(reading(named, "Googlebot-Image").is_none());
        assert!(reading("User-agent: *\nDisallow: /", "Googlebot-Image").is_none());
        assert!(reading("User-agent: *\nDisallow: /", "Googlebot").is_none());
        assert!(reading("User-agent: bingbot\nDisallow: /", "AdsBot-Google").is_none());
        assert!(reading("User-agent: *\nDisallow: /", "ExampleBot").is_none());
    }
}
