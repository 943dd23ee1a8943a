//! The records outside of RFC 9309: `Extension`, `RequestRate`, `VisitTime` and `Usage`.

use std::sync::Arc;

use polite_robots::document::{AgentRun, Scope};
use polite_robots_records::{self as records, UsageCategory};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTime, PyType};
use serde::{Deserialize, Serialize};

use crate::fields::fields;
use crate::names::seconds;
use crate::pickle::{Reduced, reduce, restore};
use crate::text::lossy;

/// A record outside of RFC 9309, valid or not.
#[pyclass(frozen, eq, hash, module = "polite_robots")]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Extension {
    field: String,
    value: Vec<u8>,
    line: u32,
    scope: String,
    agents: Arc<[String]>,
}

/// The records of a file. Those of one run of agents share its names: 17,000 records below 17,000
/// agents are 300 million pairs.
pub(crate) fn extensions(robots_txt: &polite_robots::RobotsTxt) -> Vec<Extension> {
    let mut last: Option<(u32, Arc<[String]>)> = None;
    let mut agents_of = |run: AgentRun<'_>| {
        let Some(first) = run.user_agents().next() else {
            return Arc::default();
        };
        match &last {
            Some((line, agents)) if *line == first.line() => agents.clone(),
            _ => {
                let agents = run.user_agents().map(|agent| lossy(agent.value()));
                let agents: Arc<[String]> = agents.collect();
                last = Some((first.line(), agents.clone()));
                agents
            }
        }
    };
    let records = robots_txt.extensions();
    records
        .map(|record| {
            let (scope, agents) = match record.scope() {
                Scope::File => ("file", Arc::default()),
                Scope::Nobody => ("nobody", Arc::default()),
                Scope::Agents(run) => ("agents", agents_of(run)),
            };
            Extension {
                field: record.field().as_str().to_string(),
                value: record.value().to_vec(),
                line: record.line(),
                scope: scope.to_string(),
                agents,
            }
        })
        .collect()
}

#[pymethods]
impl Extension {
    /// The name of the field in its usual spelling: `"Crawl-delay"`, `"Sitemap"`,
    /// `"Content-Signal"`.
    #[getter]
    fn field(&self) -> &str {
        &self.field
    }

    /// The value, with U+FFFD for bytes that are not UTF-8.
    #[getter]
    fn value(&self) -> String {
        lossy(&self.value)
    }

    /// The bytes of the value.
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.value)
    }

    /// The line in the file, from 1.
    #[getter]
    fn line(&self) -> u32 {
        self.line
    }

    /// `"file"`, `"agents"` or `"nobody"`: the agents that the record applies to.
    #[getter]
    fn scope(&self) -> &str {
        &self.scope
    }

    /// The values of the `User-agent` records that the record belongs to.
    #[getter]
    fn agents(&self) -> Vec<String> {
        self.agents.to_vec()
    }

    /// The attributes, as `json` writes them.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        fields(slf.as_any(), &["field", "value", "line", "scope", "agents"])
    }

    fn __repr__(&self) -> String {
        format!(
            "<Extension line {}: {}: {}>",
            self.line,
            self.field,
            lossy(&self.value).escape_debug()
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), slf.get())
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        restore(state.as_bytes())
    }
}

/// A part of the day in UTC, the value of a `Visit-time` record.
#[pyclass(frozen, eq, hash, module = "polite_robots")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(u16, u16)")]
pub(crate) struct VisitTime {
    first_minute: u16,
    last_minute: u16,
}

/// A pickle may hold minutes that no day has.
impl TryFrom<(u16, u16)> for VisitTime {
    type Error = &'static str;

    fn try_from((first_minute, last_minute): (u16, u16)) -> Result<VisitTime, Self::Error> {
        if first_minute.max(last_minute) >= 24 * 60 {
            return Err("a day has 1,440 minutes");
        }
        Ok(VisitTime {
            first_minute,
            last_minute,
        })
    }
}

impl From<records::DayWindow> for VisitTime {
    fn from(window: records::DayWindow) -> VisitTime {
        VisitTime {
            first_minute: window.first_minute(),
            last_minute: window.last_minute(),
        }
    }
}

fn clock(py: Python<'_>, minute: u16) -> PyResult<Bound<'_, PyTime>> {
    let [hour, minute] =
        [minute / 60, minute % 60].map(|part| u8::try_from(part).unwrap_or_default());
    PyTime::new(py, hour, minute, 0, 0, None)
}

#[pymethods]
impl VisitTime {
    /// The first minute, as a `datetime.time`.
    #[getter]
    fn start_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTime>> {
        clock(py, self.first_minute)
    }

    /// The last minute, as a `datetime.time`; before the first one if the part goes over midnight.
    #[getter]
    fn end_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTime>> {
        clock(py, self.last_minute)
    }

    /// The attributes, as `json` writes them.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        fields(slf.as_any(), &["start_time", "end_time"])
    }

    fn __repr__(&self) -> String {
        let clock = |minute: u16| minute / 60 * 100 + minute % 60;
        format!(
            "<VisitTime {:04}-{:04}>",
            clock(self.first_minute),
            clock(self.last_minute)
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), slf.get())
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        restore(state.as_bytes())
    }
}

/// A number of requests in a time, the value of a `Request-rate` record.
#[pyclass(frozen, eq, hash, module = "polite_robots")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct RequestRate {
    requests: u64,
    seconds: u64,
    interval: u64,
    window: Option<VisitTime>,
}

impl From<records::RequestRate> for RequestRate {
    fn from(rate: records::RequestRate) -> RequestRate {
        RequestRate {
            requests: rate.documents(),
            seconds: rate.per().as_secs(),
            interval: seconds(rate.interval()).to_bits(),
            window: rate.window().map(VisitTime::from),
        }
    }
}

#[pymethods]
impl RequestRate {
    /// The number of requests.
    #[getter]
    fn requests(&self) -> u64 {
        self.requests
    }

    /// The time for them, in seconds.
    #[getter]
    fn seconds(&self) -> u64 {
        self.seconds
    }

    /// The seconds from one request to the next.
    #[getter]
    fn interval(&self) -> f64 {
        f64::from_bits(self.interval)
    }

    /// The first minute of the part of the day in which the rate holds, if it names one.
    #[getter]
    fn start_time<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTime>>> {
        let window = self.window.map(|window| clock(py, window.first_minute));
        window.transpose()
    }

    /// The last minute of that part.
    #[getter]
    fn end_time<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTime>>> {
        let window = self.window.map(|window| clock(py, window.last_minute));
        window.transpose()
    }

    /// The attributes, as `json` writes them.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        fields(
            slf.as_any(),
            &["requests", "seconds", "interval", "start_time", "end_time"],
        )
    }

    fn __repr__(&self) -> String {
        format!("<RequestRate {}/{}s>", self.requests, self.seconds)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), slf.get())
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        restore(state.as_bytes())
    }
}

/// The preferences of a site about the use of a page's content: `"unstated"`, `"allowed"` or
/// `"disallowed"`.
#[pyclass(frozen, eq, hash, module = "polite_robots")]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Usage {
    search: Stated,
    ai_input: Stated,
    ai_training: Stated,
    content_uses: Vec<(String, u32)>,
    text: String,
}

/// A preference, and the line that states it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Stated {
    preference: String,
    line: Option<u32>,
}

impl From<records::Usage<'_>> for Usage {
    fn from(usage: records::Usage<'_>) -> Usage {
        let stated = |category| Stated {
            preference: usage.preference(category).as_str().to_string(),
            line: usage.record(category).map(|record| record.line()),
        };
        let content_uses = usage.content_uses();
        Usage {
            search: stated(UsageCategory::Search),
            ai_input: stated(UsageCategory::AiInput),
            ai_training: stated(UsageCategory::AiTraining),
            content_uses: content_uses
                .map(|(content_use, record)| (lossy(content_use.as_bytes()), record.line()))
                .collect(),
            text: usage.to_string(),
        }
    }
}

#[pymethods]
impl Usage {
    /// The preference about search.
    #[getter]
    fn search(&self) -> &str {
        &self.search.preference
    }

    /// The preference about input of AI models at the time of an answer.
    #[getter]
    fn ai_input(&self) -> &str {
        &self.ai_input.preference
    }

    /// The preference about the training of AI models.
    #[getter]
    fn ai_training(&self) -> &str {
        &self.ai_training.preference
    }

    /// The line that states the preference about search.
    #[getter]
    fn search_line(&self) -> Option<u32> {
        self.search.line
    }

    /// The line that states the preference about AI input.
    #[getter]
    fn ai_input_line(&self) -> Option<u32> {
        self.ai_input.line
    }

    /// The line that states the preference about AI training.
    #[getter]
    fn ai_training_line(&self) -> Option<u32> {
        self.ai_training.line
    }

    /// The values of the key `use` of `Content-Signal`, each with its line.
    #[getter]
    fn content_uses(&self) -> Vec<(String, u32)> {
        self.content_uses.clone()
    }

    /// The attributes, as `json` writes them.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        fields(
            slf.as_any(),
            &[
                "search",
                "ai_input",
                "ai_training",
                "search_line",
                "ai_input_line",
                "ai_training_line",
                "content_uses",
            ],
        )
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Usage {}>", self.text)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), slf.get())
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        restore(state.as_bytes())
    }
}
