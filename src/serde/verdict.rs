//! Verdicts, which can be written but not read: they borrow from their robot.

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::rules::rule::Rule;
use crate::verdict::Verdict;

impl Serialize for Verdict<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut form = serializer.serialize_struct("Verdict", 6)?;
        form.serialize_field("allowed", &self.is_allowed())?;
        form.serialize_field("agent_match", &self.agent_match())?;
        form.serialize_field("group_line", &self.group_line())?;
        form.serialize_field("reason", &self.reason())?;
        form.serialize_field("overruled", &self.overruled())?;
        form.serialize_field("explanation", &format_args!("{self}"))?;
        form.end()
    }
}

impl Serialize for Rule<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut form = serializer.serialize_struct("Rule", 5)?;
        form.serialize_field("access", &self.access())?;
        form.serialize_field("pattern", self.pattern())?;
        form.serialize_field("line", &self.line())?;
        form.serialize_field("length", &self.length())?;
        form.serialize_field("tier", &self.tier())?;
        form.end()
    }
}
