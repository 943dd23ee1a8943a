//! The extension module `polite_robots._native`: converts arguments, calls the library, converts
//! the answer.

mod agent;
mod diagnostic;
mod document;
mod errors;
mod fields;
mod functions;
mod group;
mod html;
mod names;
mod pickle;
mod policy;
mod record;
mod robot;
mod robots_txt;
mod rule;
mod text;
mod verdict;

use pyo3::prelude::*;

/// robots.txt: may this agent fetch this URL, and which line decides?
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pymodule_export]
    use crate::agent::AgentSummary;
    #[pymodule_export]
    use crate::diagnostic::Diagnostic;
    #[pymodule_export]
    use crate::functions::{product_token, robots_url};
    #[pymodule_export]
    use crate::group::Group;
    #[pymodule_export]
    use crate::policy::cache::{Cache, Lookup, Ticket};
    #[pymodule_export]
    use crate::policy::check::Check;
    #[pymodule_export]
    use crate::policy::crawl::Crawl;
    #[pymodule_export]
    use crate::policy::entry::Entry;
    #[pymodule_export]
    use crate::policy::fetch::{Event, Fetch, Outcome, Step};
    #[pymodule_export]
    use crate::policy::origin::Origin;
    #[pymodule_export]
    use crate::policy::pace::{HostRule, Pacer, Reply};
    #[pymodule_export]
    use crate::policy::profile::Profile;
    #[pymodule_export]
    use crate::policy::scheduler::{HostId, Scheduler};
    #[pymodule_export]
    use crate::record::{Extension, RequestRate, Usage, VisitTime};
    #[pymodule_export]
    use crate::robot::Robot;
    #[pymodule_export]
    use crate::robots_txt::RobotsTxt;
    #[pymodule_export]
    use crate::rule::Rule;
    #[pymodule_export]
    use crate::verdict::Verdict;
}
