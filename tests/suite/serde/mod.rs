//! Stored forms: serialised values read back unchanged, and hostile forms make no value that a file
//! could not make.

use std::fmt::Debug;

use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

mod forms;
mod laws;

/// Writes the value as JSON and postcard, and reads it back in every way that they have.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    value: &T,
) -> Result<(), TestCaseError> {
    let text = serde_json::to_string(value).unwrap();
    let binary = postcard::to_allocvec(value).unwrap();
    let tree = serde_json::to_value(value).unwrap();
    let ways: [(&str, T); 5] = [
        ("from_str", serde_json::from_str(&text).unwrap()),
        (
            "from_slice",
            serde_json::from_slice(text.as_bytes()).unwrap(),
        ),
        (
            "from_reader",
            serde_json::from_reader(text.as_bytes()).unwrap(),
        ),
        ("from_value", serde_json::from_value(tree).unwrap()),
        ("postcard", postcard::from_bytes(&binary).unwrap()),
    ];
    for (way, again) in ways {
        prop_assert_eq!(&again, value, "{}", way);
        prop_assert_eq!(format!("{again:?}"), format!("{value:?}"), "{}", way);
    }
    Ok(())
}
