//! The methods of `RobotsTxt`.

use polite_robots::{Dialect, Options, ProductToken};
use polite_robots_build::{CommentPolicy, canonical};
use polite_robots_lint::Linter;
use polite_robots_records::{CleanParams, Host};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyType, PyWeakrefReference};

use crate::agent::AgentSummary;
use crate::diagnostic::Diagnostic;
use crate::errors::invalid_token;
use crate::fields::fields;
use crate::group::{Group, groups, merged_groups};
use crate::html;
use crate::names::{CauseName, Status, hash, options};
use crate::pickle::{Reduced, reduce, restore};
use crate::record::{Extension, extensions};
use crate::robot::{LONG_DOCUMENT, Robot};
use crate::robots_txt::{GroupObjects, RobotsTxt};
use crate::text::{Text, lossy, strings, unicode};

/// A robot of the document, or the exception of an agent that is not a product token.
fn robot(
    document: &Bound<'_, RobotsTxt>,
    robot: Result<polite_robots::Robot, polite_robots::InvalidToken>,
) -> PyResult<Robot> {
    match robot {
        Ok(robot) => {
            let reference = PyWeakrefReference::new(document.as_any())?;
            Ok(Robot::new(robot, Some(reference.unbind())))
        }
        Err(error) => Err(invalid_token(document.py(), &error)),
    }
}

impl RobotsTxt {
    fn group_objects(
        &self,
        py: Python<'_>,
        known: &GroupObjects,
        make: fn(Python<'_>, &polite_robots::RobotsTxt) -> PyResult<Vec<Group>>,
    ) -> PyResult<Vec<Py<Group>>> {
        let objects = known.get_or_try_init(py, || {
            let groups = make(py, &self.robots_txt)?.into_iter();
            groups
                .map(|group| Py::new(py, group))
                .collect::<PyResult<_>>()
        })?;
        Ok(objects.iter().map(|group| group.clone_ref(py)).collect())
    }
}

/// The interpreter is released for longer documents when their agents are walked through.
const SHORT_DOCUMENT: usize = 4 * 1024;

#[pymethods]
impl RobotsTxt {
    #[new]
    #[pyo3(signature = (robots_txt, /, *, dialect = "rfc9309", max_bytes = None))]
    fn py_new(
        py: Python<'_>,
        robots_txt: &Bound<'_, PyAny>,
        dialect: &str,
        max_bytes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<RobotsTxt> {
        let options = options(dialect, max_bytes)?;
        let text = Text::of(robots_txt)?;
        let bytes = text.bytes();
        let parse = || polite_robots::RobotsTxt::parse_with(bytes, &options);
        let parsed = if bytes.len() > LONG_DOCUMENT {
            py.detach(parse)
        } else {
            parse()
        };
        Ok(RobotsTxt::new(parsed, options.dialect))
    }

    /// Compiles the rules of one agent.
    ///
    /// Raises `InvalidToken` if `agent` is neither a product token nor `*`.
    #[pyo3(signature = (agent, /))]
    fn robot(slf: &Bound<'_, Self>, agent: &Bound<'_, PyString>) -> PyResult<Robot> {
        let agent = unicode(agent)?;
        let made = robot(slf, slf.get().robots_txt.robot(&agent))?;
        Ok(made.with_agent(&agent))
    }

    /// Reads a response to `GET /robots.txt` by its status: the rules of `body` count for 200
    /// to 299 but 206; nothing is forbidden for 400 to 499 but 429, and everything for any other.
    ///
    /// `body` is whole, and decoded from gzip and the like. Follow redirects first. For no response
    /// at all, as after a time-out, there is `RobotsTxt.disallow_all("unreachable")`. When to ask
    /// again, and bodies that break off, are questions for a `RobotsCache`.
    #[staticmethod]
    #[pyo3(signature = (status, body, /, *, dialect = "rfc9309", max_bytes = None))]
    fn from_status(
        status: Status,
        body: &Bound<'_, PyAny>,
        dialect: &str,
        max_bytes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<RobotsTxt> {
        let options = options(dialect, max_bytes)?;
        let text = Text::of(body)?;
        let file = polite_robots::RobotsTxt::from_status_with(status.0, text.bytes(), &options);
        Ok(RobotsTxt::new(file, options.dialect))
    }

    /// Allows everything to every agent, for a site without a robots.txt. `cause` is an HTTP status
    /// or the name of a cause.
    #[staticmethod]
    #[pyo3(signature = (cause = CauseName::configured()), text_signature = "(cause='configured')")]
    fn allow_all(cause: CauseName) -> PyResult<RobotsTxt> {
        let file = polite_robots::RobotsTxt::allow_all(cause.cause()?);
        Ok(RobotsTxt::new(file, Dialect::Rfc9309))
    }

    /// Disallows everything but `/robots.txt` to every agent. `cause` is an HTTP status or the name
    /// of a cause.
    #[staticmethod]
    #[pyo3(signature = (cause = CauseName::configured()), text_signature = "(cause='configured')")]
    fn disallow_all(cause: CauseName) -> PyResult<RobotsTxt> {
        let file = polite_robots::RobotsTxt::disallow_all(cause.cause()?);
        Ok(RobotsTxt::new(file, Dialect::Rfc9309))
    }

    /// Compiles the rules of the agent that a whole `User-Agent` header names, such as `ExampleBot`
    /// in `ExampleBot/1.0 (+https://example.com)`, or those of `*` if it names none.
    #[pyo3(signature = (user_agent, /))]
    fn robot_of_header_or_wildcard(
        slf: &Bound<'_, Self>,
        user_agent: &Bound<'_, PyString>,
    ) -> PyResult<Robot> {
        let header = unicode(user_agent)?;
        let agent = ProductToken::of_header_or_wildcard(&header);
        let made = robot(slf, slf.get().robots_txt.robot(agent))?;
        Ok(made.with_agent(agent))
    }

    /// Compiles the rules of the first agent that the file names, else those of `*`.
    ///
    /// Raises `InvalidToken` for the first of `agents` that is not a product token.
    #[pyo3(name = "robot_first", signature = (agents, /))]
    fn robot_first(slf: &Bound<'_, Self>, agents: &Bound<'_, PyAny>) -> PyResult<Robot> {
        let names = strings(agents)?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        robot(slf, slf.get().robots_txt.robot_first(&names))
    }

    /// Compiles the rules of several agents as one set.
    ///
    /// Raises `InvalidToken` for the first of `agents` that is not a product token.
    #[pyo3(signature = (agents, /))]
    fn robot_merged(slf: &Bound<'_, Self>, agents: &Bound<'_, PyAny>) -> PyResult<Robot> {
        let names = strings(agents)?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        robot(slf, slf.get().robots_txt.robot_merged(&names))
    }

    /// The groups as the file has them. They are made once, and kept with the document.
    #[getter]
    fn groups(&self, py: Python<'_>) -> PyResult<Vec<Py<Group>>> {
        self.group_objects(py, &self.groups, groups)
    }

    /// The groups as they apply: one for each agent that the file names. They are kept as `groups`
    /// are.
    #[getter]
    fn merged_groups(&self, py: Python<'_>) -> PyResult<Vec<Py<Group>>> {
        self.group_objects(py, &self.merged_groups, merged_groups)
    }

    /// How much each agent may fetch: of `agents`, or of those that the file names, in its order.
    /// A use such as `__usage_ai-training` is no agent.
    ///
    /// Raises `InvalidToken` for the first of `agents` that is not a product token.
    #[pyo3(signature = (agents = None, /))]
    fn agents(
        &self,
        py: Python<'_>,
        agents: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<AgentSummary>> {
        let names = agents.map(strings).transpose()?;
        let summaries = || match &names {
            Some(names) => AgentSummary::of(names, &self.robots_txt),
            None => Ok(AgentSummary::of_named(&self.robots_txt)),
        };
        // A walk may take long where rules meet in many ways, and a document of one group is quick.
        let found: Result<_, polite_robots::InvalidToken> =
            if self.robots_txt.as_bytes().len() > SHORT_DOCUMENT {
                py.detach(summaries)
            } else {
                summaries()
            };
        found.map_err(|error| invalid_token(py, &error))
    }

    /// The values of the `Sitemap` records, as written.
    #[getter]
    fn sitemaps(&self) -> Vec<&str> {
        self.robots_txt.sitemaps().collect()
    }

    /// The records outside of RFC 9309, valid or not, in the order of the file.
    #[getter]
    fn extensions(&self) -> Vec<Extension> {
        extensions(&self.robots_txt)
    }

    /// The preferred host: the first valid `Host` record.
    #[getter]
    fn host(&self) -> Option<String> {
        Host::of(&self.robots_txt).map(|host| host.to_string())
    }

    /// The number of bytes that were read, if the file was cut at `max_bytes`.
    #[getter]
    fn truncated_at(&self) -> Option<usize> {
        self.robots_txt.truncated_at()
    }

    /// `"rfc9309"` or `"google"`.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.dialect.as_str()
    }

    /// The URL without the query parameters that, by the `Clean-param` records, do not change the
    /// page.
    #[pyo3(signature = (url, /))]
    fn clean_url(&self, url: &Bound<'_, PyString>) -> PyResult<String> {
        let url = unicode(url)?;
        let clean_params = || CleanParams::of(&self.robots_txt);
        let clean_params = self.clean_params.get_or_init(clean_params);
        Ok(clean_params.clean(&url).into_owned())
    }

    /// The findings about the file, in the order of its lines.
    ///
    /// A file that was cut at `max_bytes` is linted up to there. With `opinions` there are also
    /// findings that many owners would not share, such as a file without a sitemap.
    #[pyo3(signature = (*, opinions = false))]
    fn lint(&self, py: Python<'_>, opinions: bool) -> Vec<Diagnostic> {
        let options = Options::new(self.dialect);
        let found = py.detach(|| {
            let linter = match opinions {
                true => Linter::new().with_opinions(),
                false => Linter::new(),
            };
            // The whole file that is here: that it was cut is for `truncated_at` to say.
            linter.lint(&polite_robots::RobotsTxt::parse_with(
                self.robots_txt.as_bytes(),
                &options,
            ))
        });
        found.iter().map(Diagnostic::from).collect()
    }

    /// The file in canonical form, with its comments. It answers every question as the file does.
    fn to_canonical(&self, py: Python<'_>) -> String {
        py.detach(|| lossy(&canonical(&self.robots_txt, CommentPolicy::Keep)))
    }

    /// The attributes, as `json` writes them.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        fields(
            slf.as_any(),
            &[
                "dialect",
                "truncated_at",
                "groups",
                "sitemaps",
                "extensions",
                "host",
            ],
        )
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.robots_txt.as_bytes())
    }

    fn __str__(&self) -> String {
        self.robots_txt.to_string()
    }

    fn __repr__(&self) -> String {
        format!(
            "<RobotsTxt: {} bytes, {} groups>",
            self.robots_txt.as_bytes().len(),
            self.robots_txt.groups().count()
        )
    }

    /// The file with line numbers.
    fn _repr_html_(&self) -> String {
        html::document(&self.robots_txt, None)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<RobotsTxt>()
            .is_ok_and(|other| other.get().robots_txt == self.robots_txt)
    }

    fn __hash__(&self) -> u64 {
        hash(&self.robots_txt)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let document = slf.get();
        reduce(
            slf.as_any(),
            &(document.dialect.as_str(), &document.robots_txt),
        )
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let (dialect, robots_txt): (String, polite_robots::RobotsTxt) = restore(state.as_bytes())?;
        Ok(RobotsTxt::new(robots_txt, options(&dialect, None)?.dialect))
    }
}
