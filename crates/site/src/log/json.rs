//! A line of JSON: the fields of a request under the names that servers and services give them.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::log::combined;
use crate::log::time::LogTime;

/// The fields of a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Line<'l> {
    pub(super) user_agent: Cow<'l, str>,
    pub(super) host: Option<Cow<'l, str>>,
    pub(super) time: Option<LogTime>,
    target: Cow<'l, str>,
    /// A target without the query, where no field has both.
    path: Cow<'l, str>,
    /// `GET /a HTTP/1.1`.
    request: Cow<'l, str>,
}

impl<'l> Line<'l> {
    pub(super) fn parse(line: &'l [u8]) -> Option<Line<'l>> {
        let mut fields = Line::default();
        // One check of the whole line: a reader of bytes would check each string.
        let line = std::str::from_utf8(line).ok()?;
        let mut reader = serde_json::Deserializer::from_str(line);
        Fields {
            line: &mut fields,
            depth: 0,
        }
        .deserialize(&mut reader)
        .ok()?;
        reader.end().ok()?;
        let has_target = !fields.target().is_empty();
        (has_target && !fields.user_agent.is_empty()).then_some(fields)
    }

    pub(super) fn target(&self) -> &[u8] {
        match (&*self.target, &*self.path) {
            ("", "") => combined::target(self.request.as_bytes()),
            ("", path) => path.as_bytes(),
            (target, _) => target.as_bytes(),
        }
    }
}

/// The fields of an object, and those of the objects in it that hold a request or its headers.
struct Fields<'a, 'l> {
    line: &'a mut Line<'l>,
    depth: usize,
}

/// A field by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    UserAgent,
    Target,
    Path,
    Request,
    Host,
    Time,
    Nested,
    Other,
}

impl Field {
    /// The names in Cloudflare's Logpush, Caddy, Traefik, and in the JSON formats that nginx and
    /// Apache are usually given.
    fn new(name: &str) -> Field {
        match name {
            "ClientRequestUserAgent"
            | "http_user_agent"
            | "user_agent"
            | "userAgent"
            | "user-agent"
            | "User-Agent"
            | "agent"
            | "request_User-Agent"
            | "cs(User-Agent)"
            | "ua" => Field::UserAgent,
            "ClientRequestURI" | "request_uri" | "requestUri" | "uri" | "url" | "requestUrl"
            | "request_url" => Field::Target,
            "ClientRequestPath" | "RequestPath" | "path" | "request_path" => Field::Path,
            "request" => Field::Request,
            "ClientRequestHost" | "RequestHost" | "host" | "http_host" | "vhost"
            | "server_name" => Field::Host,
            "EdgeStartTimestamp" | "time" | "timestamp" | "@timestamp" | "time_iso8601"
            | "time_local" | "ts" | "msec" | "StartUTC" | "datetime" => Field::Time,
            "headers" | "httpRequest" => Field::Nested,
            _ => Field::Other,
        }
    }
}

impl<'l> DeserializeSeed<'l> for Fields<'_, 'l> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for Fields<'_, 'l> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<CowKey<'l>>()? {
            let field = Field::new(&name.0);
            let depth = self.depth.saturating_add(1);
            match field {
                Field::Other => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
                Field::Nested | Field::Request if self.depth < DEEPEST => {
                    let line = &mut *self.line;
                    let text = map.next_value_seed(Nested {
                        fields: Fields { line, depth },
                    })?;
                    if let (Field::Request, Some(text)) = (field, text) {
                        self.line.request = text;
                    }
                    continue;
                }
                _ => {}
            }
            let Some(value) = map.next_value_seed(Scalar)? else {
                continue;
            };
            match field {
                Field::UserAgent => self.line.user_agent = value,
                Field::Target => self.line.target = value,
                Field::Path => self.line.path = value,
                Field::Host => self.line.host = Some(value),
                Field::Time => self.line.time = LogTime::parse(value.as_bytes()),
                Field::Request | Field::Nested | Field::Other => {}
            }
        }
        Ok(())
    }
}

/// A name of a field.
struct CowKey<'l>(Cow<'l, str>);

impl<'l> serde::Deserialize<'l> for CowKey<'l> {
    fn deserialize<D: Deserializer<'l>>(deserializer: D) -> Result<CowKey<'l>, D::Error> {
        let text = deserializer.deserialize_str(Scalar)?;
        Ok(CowKey(text.unwrap_or_default()))
    }
}

/// A value as text: a string, a number, or the first string of a list; nothing of another value.
struct Scalar;

impl<'l> DeserializeSeed<'l> for Scalar {
    type Value = Option<Cow<'l, str>>;

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for Scalar {
    type Value = Option<Cow<'l, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_borrowed_str<E>(self, text: &'l str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(text.to_owned())))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(number.to_string())))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(number.to_string())))
    }

    /// Caddy has seconds with a fraction.
    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(format!("{number:.3}"))))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'l>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let first = list.next_element_seed(Scalar)?;
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(first.flatten())
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

/// An object whose fields count too, or a text.
struct Nested<'a, 'l> {
    fields: Fields<'a, 'l>,
}

impl<'l> DeserializeSeed<'l> for Nested<'_, 'l> {
    type Value = Option<Cow<'l, str>>;

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for Nested<'_, 'l> {
    type Value = Option<Cow<'l, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'l>>(self, map: A) -> Result<Self::Value, A::Error> {
        self.fields.visit_map(map)?;
        Ok(None)
    }

    fn visit_borrowed_str<E>(self, text: &'l str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(text.to_owned())))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'l>>(self, list: A) -> Result<Self::Value, A::Error> {
        Scalar.visit_seq(list)
    }
}

/// Caddy's user agent is in `request.headers`.
const DEEPEST: usize = 3;
