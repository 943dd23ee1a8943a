//! `Robot`: a robots.txt for one agent.

use polite_robots::Target;
use polite_robots_records::{self as records, DayWindow, License};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyType, PyWeakrefReference};

use crate::errors::invalid_token;
use crate::fields::fields;
use crate::names::{CauseName, hash, options, seconds};
use crate::pickle::{Reduced, reduce, restore};
use crate::record::{RequestRate, Usage, VisitTime};
use crate::rule::Rule;
use crate::text::{Text, refuse_one, unicode, without_blanks};
use crate::verdict::Verdict;

/// A robots.txt for one agent, compiled. Immutable, and safe to share between threads.
///
/// `agent` is a product token such as `ExampleBot`, or `*`. `robots_txt` may hold any bytes: lines
/// that cannot be read are skipped. `dialect` is `"rfc9309"` or `"google"`, which answers as
/// Google's matcher does. At most `max_bytes` of the file are read.
///
/// Raises `InvalidToken` if `agent` is neither a product token nor `*`.
#[pyclass(frozen, weakref, module = "polite_robots")]
#[derive(Debug)]
pub(crate) struct Robot {
    robot: polite_robots::Robot,
    agent: Option<String>,
    /// The document that the robot was made from, for notebooks; it is not kept alive.
    document: Option<Py<PyWeakrefReference>>,
}

impl Robot {
    pub(crate) fn new(
        robot: polite_robots::Robot,
        document: Option<Py<PyWeakrefReference>>,
    ) -> Robot {
        Robot {
            robot,
            agent: None,
            document,
        }
    }

    pub(crate) fn with_agent(self, agent: &str) -> Robot {
        Robot {
            agent: Some(agent.to_string()),
            ..self
        }
    }
}

/// The interpreter is released for longer documents: to give it up and to take it back costs about
/// as much as to parse a small one.
pub(crate) const LONG_DOCUMENT: usize = 64 * 1024;

/// The interpreter is not released for fewer URLs: answering them takes no longer than releasing
/// it.
const FEW_URLS: usize = 64;

/// The number of URLs that are taken from an iterable and answered together.
const CHUNK: usize = 4096;

impl Robot {
    fn verdict(&self, py: Python<'_>, target: Target<'_>) -> Verdict {
        let document = self.document.as_ref();
        let document = document.map(|document| document.clone_ref(py));
        Verdict::new(&self.robot.check(target), document)
    }
}

#[pymethods]
impl Robot {
    #[new]
    #[pyo3(signature = (agent, robots_txt, /, *, dialect = "rfc9309", max_bytes = None))]
    fn py_new(
        py: Python<'_>,
        agent: &Bound<'_, PyString>,
        robots_txt: &Bound<'_, PyAny>,
        dialect: &str,
        max_bytes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Robot> {
        let options = options(dialect, max_bytes)?;
        let agent = unicode(agent)?;
        let text = Text::of(robots_txt)?;
        let bytes = text.bytes();
        let parse = || polite_robots::Robot::with_options(&agent, bytes, &options);
        let robot = if bytes.len() > LONG_DOCUMENT {
            py.detach(parse)
        } else {
            parse()
        };
        match robot {
            Ok(robot) => Ok(Robot::new(robot, None).with_agent(&agent)),
            Err(error) => Err(invalid_token(py, &error)),
        }
    }

    /// Allows everything, for a site without a robots.txt. `cause` is an HTTP status or the name of
    /// a cause.
    #[staticmethod]
    #[pyo3(signature = (cause = CauseName::configured()), text_signature = "(cause='configured')")]
    fn allow_all(cause: CauseName) -> PyResult<Robot> {
        let robot = polite_robots::Robot::allow_all(cause.cause()?);
        Ok(Robot::new(robot, None))
    }

    /// Disallows everything but `/robots.txt`. `cause` is an HTTP status or the name of a cause.
    #[staticmethod]
    #[pyo3(signature = (cause = CauseName::configured()), text_signature = "(cause='configured')")]
    fn disallow_all(cause: CauseName) -> PyResult<Robot> {
        let robot = polite_robots::Robot::disallow_all(cause.cause()?);
        Ok(Robot::new(robot, None))
    }

    /// Whether the agent may fetch the URL. Resolve links first, by `urllib.parse.urljoin`: a text
    /// without a scheme is a path, and in `private/x.html` the first word is a host. With
    /// `absolute` such a text raises `InvalidUrl`. Whatever the scheme, only the path counts;
    /// `robots_url` raises where a URL has no robots.txt. With `sent` it is the target of a request
    /// line as it stood on the wire: no dot segment of it is resolved.
    #[pyo3(signature = (url, /, *, sent = false, absolute = false))]
    fn allowed(&self, url: &Bound<'_, PyAny>, sent: bool, absolute: bool) -> PyResult<bool> {
        let text = Text::of_url(url)?;
        let target = text.target_as(url.py(), sent, absolute)?;
        Ok(self.robot.allowed(target))
    }

    /// The answer about a URL as `urllib.parse` reads it, for the drop-ins: without the blanks and
    /// control characters before it, and without tabs and line ends.
    #[pyo3(signature = (url, /))]
    fn _allowed_without_blanks(&self, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        let text = Text::of_url(url)?;
        Ok(match without_blanks(text.bytes()) {
            None => self.robot.allowed(text.target()),
            Some(rest) => self.robot.allowed(rest.as_slice()),
        })
    }

    /// Whether the agent may fetch the URL, and why. `sent` and `absolute` are those of `allowed`.
    #[pyo3(signature = (url, /, *, sent = false, absolute = false))]
    fn check(&self, url: &Bound<'_, PyAny>, sent: bool, absolute: bool) -> PyResult<Verdict> {
        let text = Text::of_url(url)?;
        let target = text.target_as(url.py(), sent, absolute)?;
        Ok(self.verdict(url.py(), target))
    }

    /// Whether the agent may fetch each of the URLs, and why. `absolute` is that of `allowed`.
    #[pyo3(signature = (urls, /, *, absolute = false))]
    fn check_many(&self, urls: &Bound<'_, PyAny>, absolute: bool) -> PyResult<Vec<Verdict>> {
        refuse_one(urls, "check_many")?;
        let check = |url: PyResult<Bound<'_, PyAny>>| self.check(&url?, false, absolute);
        urls.try_iter()?.map(check).collect()
    }

    /// Whether the agent may fetch each of the URLs. Other threads run meanwhile if there are many.
    /// `absolute` is that of `allowed`.
    #[pyo3(signature = (urls, /, *, absolute = false))]
    fn allowed_many(&self, urls: &Bound<'_, PyAny>, absolute: bool) -> PyResult<Vec<bool>> {
        let py = urls.py();
        refuse_one(urls, "allowed_many")?;
        let mut answers = Vec::new();
        let mut urls = urls.try_iter()?;
        loop {
            // The chunk keeps the strings alive while their bytes are read.
            let chunk = urls.by_ref().take(CHUNK).collect::<PyResult<Vec<_>>>()?;
            if chunk.is_empty() {
                return Ok(answers);
            }
            let texts = chunk
                .iter()
                .map(Text::of_url)
                .collect::<PyResult<Vec<_>>>()?;
            if absolute {
                texts.iter().try_for_each(|text| text.refuse_relative(py))?;
            }
            let allowed = |text: &Text<'_>| self.robot.allowed(text.target());
            let mut answer = || answers.extend(texts.iter().map(allowed));
            if texts.len() < FEW_URLS {
                answer();
            } else {
                py.detach(answer);
            }
        }
    }

    /// The preferences of the site about the use of the URL's content. A preference never changes a
    /// verdict.
    #[pyo3(signature = (url, /))]
    fn usage(&self, url: &Bound<'_, PyAny>) -> PyResult<Usage> {
        let text = Text::of_url(url)?;
        let target: Target<'_> = text.target();
        Ok(records::Usage::of(&self.robot, target).into())
    }

    /// Leaves the wildcard groups out: if no group names the agent, nothing applies.
    fn named_only(&self, py: Python<'_>) -> Robot {
        let document = self.document.as_ref();
        let document = document.map(|document| document.clone_ref(py));
        Robot {
            robot: self.robot.clone().named_only(),
            agent: self.agent.clone(),
            document,
        }
    }

    /// The agent that the robot was made for; `None` if it was made for several, or for a whole
    /// site.
    #[getter]
    fn agent(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// `"named"`, `"wildcard"` or `"none"`: the groups that apply to the agent.
    #[getter]
    fn agent_match(&self) -> &'static str {
        self.robot.agent_match().as_str()
    }

    /// The lines of the `User-agent` records by which groups apply.
    #[getter]
    fn group_lines(&self) -> Vec<u32> {
        self.robot.group_lines().collect()
    }

    /// The rules that apply, in precedence order: the first that matches a URL decides about it.
    #[getter]
    fn rules(&self) -> Vec<Rule> {
        self.robot.rules().map(Rule::from).collect()
    }

    /// The values of the `Sitemap` records, as written.
    #[getter]
    fn sitemaps(&self) -> Vec<&str> {
        self.robot.sitemaps().collect()
    }

    /// The licenses for the agent, as absolute URIs.
    #[getter]
    fn licenses(&self) -> Vec<&str> {
        License::of(&self.robot)
            .map(|license| license.uri())
            .collect()
    }

    /// The `Crawl-delay` for the agent, in seconds. It has no upper bound, so cap it.
    #[getter]
    fn crawl_delay(&self) -> Option<f64> {
        self.robot.crawl_delay().map(seconds)
    }

    /// The first `Request-rate` record for the agent.
    #[getter]
    fn request_rate(&self) -> Option<RequestRate> {
        records::RequestRate::of(&self.robot)
            .next()
            .map(RequestRate::from)
    }

    /// The `Request-rate` records for the agent, in the order of the file.
    #[getter]
    fn request_rates(&self) -> Vec<RequestRate> {
        let rates = records::RequestRate::of(&self.robot);
        rates.map(RequestRate::from).collect()
    }

    /// The first `Visit-time` record for the agent.
    #[getter]
    fn visit_time(&self) -> Option<VisitTime> {
        DayWindow::visit_times(&self.robot)
            .next()
            .map(VisitTime::from)
    }

    /// The `Visit-time` records for the agent, in the order of the file.
    #[getter]
    fn visit_times(&self) -> Vec<VisitTime> {
        let times = DayWindow::visit_times(&self.robot);
        times.map(VisitTime::from).collect()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Robot>()
            .is_ok_and(|other| other.get().robot == self.robot)
    }

    fn __hash__(&self) -> u64 {
        hash(&self.robot)
    }

    /// The attributes, as `json` writes them.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        fields(
            slf.as_any(),
            &[
                "agent",
                "agent_match",
                "group_lines",
                "rules",
                "sitemaps",
                "licenses",
                "crawl_delay",
                "request_rates",
                "visit_times",
            ],
        )
    }

    fn __repr__(&self) -> String {
        let agent = self.agent.as_ref().map(|agent| format!(" {agent}"));
        let agent = agent.unwrap_or_default();
        match self.robot.rules().count() {
            0 => format!("<Robot{agent}: {}>", self.robot.check("/")),
            rules => format!(
                "<Robot{agent}: {}, {rules} rules>",
                self.robot.agent_match()
            ),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let robot = slf.get();
        reduce(slf.as_any(), &(&robot.agent, &robot.robot))
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let (agent, robot) = restore(state.as_bytes())?;
        Ok(Robot {
            robot,
            agent,
            document: None,
        })
    }
}
