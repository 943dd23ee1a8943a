//! The options of all requests: who asks, how long an answer may take, and where redirects may
//! lead.

use std::time::Duration;

use clap::Args;
use polite_robots::RobotsTxt;
use reqwest::header::HeaderValue;

use crate::fetch::http::{Reach, Settings};

/// The options of all requests.
#[derive(Debug, Args)]
pub(crate) struct RequestOptions {
    /// The User-Agent header of the requests
    #[arg(long, value_name = "TEXT", value_parser = header_value, default_value = USER_AGENT)]
    user_agent: HeaderValue,

    /// The longest wait for a whole answer
    #[arg(long, value_name = "SECONDS", value_parser = timeout, default_value = "30")]
    timeout: Duration,

    /// Follow redirects to addresses that are not public
    ///
    /// A host that is named here may have any address, such as that of a staging server. A redirect
    /// is the choice of a stranger, so without this option it leads to public addresses and to
    /// those of that host only, and no proxy is used.
    #[arg(long)]
    any_address: bool,
}

impl RequestOptions {
    pub(super) fn settings(&self) -> Settings {
        Settings {
            user_agent: self.user_agent.clone(),
            limit: self.timeout,
            reach: match self.any_address {
                true => Reach::Any,
                false => Reach::PublicAndNamed,
            },
        }
    }

    /// The product token in the header, by which a robots.txt addresses this command; `*` if the
    /// header does not begin with one.
    pub(super) fn product_token(&self) -> &str {
        let header = self.user_agent.to_str().unwrap_or_default().trim_start();
        let is_sign = |c: char| !c.is_ascii_alphabetic() && c != '-' && c != '_';
        let token = header.split(is_sign).next().unwrap_or_default();
        match RobotsTxt::parse(b"").robot(token) {
            Ok(_) => token,
            Err(_) => "*",
        }
    }
}

fn header_value(text: &str) -> Result<HeaderValue, String> {
    match HeaderValue::from_str(text) {
        Ok(value) if !text.trim().is_empty() => Ok(value),
        Ok(_) => Err(String::from("a server should know who asks; name yourself")),
        Err(_) => Err(String::from(
            "a header has no line breaks and no control characters",
        )),
    }
}

fn timeout(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=3600.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(String::from("give a number of seconds above 0, up to 3600")),
    }
}

const USER_AGENT: &str = concat!(
    "polite-robots/",
    env!("CARGO_PKG_VERSION"),
    " (+",
    env!("CARGO_PKG_REPOSITORY"),
    ")"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_begins_with_the_product_token() {
        for (header, expected) in [
            (USER_AGENT, "polite-robots"),
            ("StagingCheck/1 (ops@example.com)", "StagingCheck"),
            ("A_b", "A_b"),
            ("(nobody)", "*"),
            ("1", "*"),
        ] {
            let options = RequestOptions {
                user_agent: HeaderValue::from_static(header),
                timeout: Duration::from_secs(1),
                any_address: false,
            };
            assert_eq!(options.product_token(), expected);
        }
    }
}
