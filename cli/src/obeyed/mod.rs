//! `robots obeyed`: which crawlers asked for what a robots.txt forbids, by the access logs of its
//! site?

mod json;
mod text;

use clap::Args;
use polite_robots_audit::answer::Readings;
use polite_robots_site::obedience::CrawlerRequests;

use crate::counted::{counted_long, grouped};
use crate::input::Input;
use crate::outcome::{Answer, Failure};
use crate::reading::Reading;
use crate::terminal::{self, printable, warn};

/// Show which crawlers obeyed a robots.txt, by the access logs of its site
///
/// For each crawler: its requests, how many of them were disallowed and by which lines, whether it
/// fetched the robots.txt, and how many requests came sooner than its Crawl-delay allows. Google's
/// crawlers ignore Crawl-delay, and are not judged by it.
///
/// A log is in the combined format of Apache and nginx, with or without the host in front; in that
/// of AWS load balancers; in the W3C extended format, whose `#Fields` line names the columns, as
/// IIS and CloudFront write it; or has a JSON document per line, as Cloudflare's Logpush, Caddy,
/// Traefik and nginx write them. Each is also read as gzip.
///
/// Crawlers are counted by the name that they give. Identities are not verified: anybody can send
/// the name of a crawler. The robots.txt is taken as it is now; a crawler may have had an older
/// copy, by RFC 9309 for up to a day.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Obeyed {
    /// The access logs; `-` is standard input
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<Input>,

    /// The robots.txt; `-` is standard input
    #[arg(long, value_name = "FILE")]
    robots: Input,

    /// Count only requests for this host, in logs that name the host of each request
    ///
    /// A robots.txt holds for one host. Requests without a host count.
    #[arg(long, value_name = "HOST")]
    host: Option<String>,

    #[command(flatten)]
    reading: Reading,

    /// Print one JSON document
    #[arg(long)]
    json: bool,

    /// Print nothing; the exit code says whether every crawler obeyed
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
}

impl Obeyed {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        let mut inputs = vec![("the robots.txt", Some(&self.robots))];
        inputs.extend(self.logs.iter().map(|log| ("a log", Some(log))));
        Failure::unless_read_once(&inputs)?;
        let robots_txt = self.reading.read(&self.robots)?;
        let readings = Readings::new(&robots_txt);
        let mut requests =
            CrawlerRequests::new(&readings, self.reading.whose(), self.host.as_deref());
        for log in &self.logs {
            let read = requests.read(log.reader()?);
            read.map_err(|source| log.unreadable(source))?;
        }
        refuse_what_is_no_log(&requests)?;
        self.warn(&requests);
        terminal::print(|out| {
            if self.quiet {
                Ok(())
            } else if self.json {
                let dialect = self.reading.forced();
                json::write(out, &self.robots, &self.logs, dialect, &requests)
            } else {
                text::write(out, &requests)
            }
        })?;
        let mut crawlers = requests.crawlers().into_iter();
        Ok(Answer::of(!crawlers.any(|crawler| crawler.disobeyed())))
    }

    fn warn(&self, requests: &CrawlerRequests<'_>) {
        if let Some(line) = requests.first_unread() {
            warn(format_args!(
                "{} of {} {} no request in a known form, the first is line {line}",
                grouped(requests.unread()),
                counted_long(requests.lines(), "line"),
                if requests.unread() == 1 { "is" } else { "are" },
            ));
        }
        if let count @ 1.. = requests.left_out() {
            warn(format_args!(
                "{} not told apart, as they are too many or their rules too long; their requests count as those of others",
                match count {
                    1 => "1 crawler is".to_owned(),
                    count => format!("{} crawlers are", grouped(count)),
                }
            ));
        }
        if let Some((one, other)) = requests.several_hosts() {
            warn(format_args!(
                "the log has requests for several hosts, such as {} and {}, and a robots.txt holds for one of them; \
                 choose it with --host",
                printable(one),
                printable(other),
            ));
        }
        if let (Some(host), true) = (&self.host, requests.crawlers().is_empty()) {
            let others = counted_long(requests.other_hosts(), "request");
            warn(format_args!(
                "no crawler asked for anything on {}; {others} of crawlers are for other hosts",
                printable(host)
            ));
        }
    }
}

/// Refuses a file that is not a log: nobody should believe its counts.
fn refuse_what_is_no_log(requests: &CrawlerRequests<'_>) -> Result<(), NoLog> {
    match requests.is_no_log() {
        true => Err(NoLog),
        false => Ok(()),
    }
}

/// A file without a single request.
#[derive(Debug, thiserror::Error)]
#[error(
    "no line is a request in a known form; a log is in the combined format (with the user agent) or that of an AWS load \
     balancer, has a line `#Fields` with `cs(User-Agent)` and `cs-uri-stem`, as IIS and CloudFront write it, or has a JSON \
     document per line with a user agent and a path or URI"
)]
struct NoLog;

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots obeyed --robots robots.txt access.log
  robots obeyed --robots robots.txt --host example.com /var/log/nginx/access.log*
  curl -sL https://example.com/robots.txt | robots obeyed --robots - access.log.gz --json

Exit codes:
  0  every crawler obeyed, as far as the logs show it
  1  at least one request was disallowed, or came too soon
  2  no answer: the command line or an input is wrong, and the message says what and where

Colours are for terminals; NO_COLOR=1 turns them off.";
