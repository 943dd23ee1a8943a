//! The user agent of a line of JSON, found without reading the line: most lines are of browsers, and all lines of a log have
//! the same form.

use memchr::memmem::Finder;
use memchr::{memchr2, memrchr};

/// The name of the field, learnt from a line that was read whole.
#[derive(Debug)]
pub(crate) struct JsonUserAgent {
    /// The text from the quote before the name to the quote before the value: `"user_agent":"`. It cannot stand within a
    /// string, where its quotes have backslashes.
    start: Finder<'static>,
}

impl JsonUserAgent {
    /// Learns the form from a line and the user agent in it. `None` if the user agent has escapes, so that it is not there
    /// as it is.
    pub(crate) fn learn(line: &[u8], user_agent: &[u8]) -> Option<JsonUserAgent> {
        let place = (user_agent.as_ptr() as usize).checked_sub(line.as_ptr() as usize)?;
        let before = line.get(..place)?;
        let is_in_line = line.get(place..)?.starts_with(user_agent);
        let value_quote = memrchr(b'"', before)?;
        let name_end = memrchr(b'"', before.get(..value_quote)?)?;
        let name_start = memrchr(b'"', before.get(..name_end)?)?;
        let start = before.get(name_start..)?;
        let is_plain =
            is_in_line && value_quote.checked_add(1) == Some(place) && !start.contains(&b'\\');
        is_plain.then(|| JsonUserAgent {
            start: Finder::new(start).into_owned(),
        })
    }

    /// The user agent of another line. `None` if it has to be read whole.
    pub(crate) fn find<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
        let at = self.start.find(line)?;
        let value = line.get(at.checked_add(self.start.needle().len())?..)?;
        let end = memchr2(b'"', b'\\', value)?;
        let is_whole = value.get(end) == Some(&b'"') && line.ends_with(b"}");
        is_whole.then(|| value.get(..end)).flatten()
    }
}
