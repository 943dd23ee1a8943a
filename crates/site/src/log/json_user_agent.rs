//! The user agent of a line of JSON, found without reading the line: most lines are of browsers,
//! and all lines of a log have the same form.

use memchr::memmem::{self, Finder};
use memchr::{memchr2, memrchr};

/// The name of the field, learnt from a line that was read whole.
#[derive(Debug)]
pub(crate) struct JsonUserAgent {
    /// The text from the quote before the name to the quote before the value: `"user_agent":"`. It
    /// cannot stand within a string, where its quotes have backslashes.
    start: Finder<'static>,
}

impl JsonUserAgent {
    /// Learns the form from a line and the user agent in it, which has no escapes. `None` if the
    /// line has that text twice: the first may be of another field.
    pub(crate) fn learn(line: &[u8], user_agent: &[u8]) -> Option<JsonUserAgent> {
        let quoted = [b"\"", user_agent, b"\""].concat();
        let mut places = memmem::find_iter(line, &quoted);
        let value_quote = places.next().filter(|_| places.next().is_none())?;
        let name_end = memrchr(b'"', line.get(..value_quote)?)?;
        let name_start = memrchr(b'"', line.get(..name_end)?)?;
        let start = line.get(name_start..=value_quote)?;
        (!start.contains(&b'\\')).then(|| JsonUserAgent {
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
