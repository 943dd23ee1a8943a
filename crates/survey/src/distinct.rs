//! The check that no input is given under two names, such as a path and a link to it. The input
//! would count twice.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::error::SurveyError;
use crate::input::Input;
use crate::input::kind::Kind;

/// Compares the inputs by their canonical paths. A path that does not exist is not checked.
pub(crate) fn check<'i>(inputs: impl Iterator<Item = &'i Input>) -> Result<(), SurveyError> {
    let mut places: BTreeMap<PathBuf, &Input> = BTreeMap::new();
    for input in inputs.filter(|input| !input.is_standard_input()) {
        let Ok(place) = input.path.canonicalize() else {
            continue;
        };
        if let Some(other) = places.insert(place, input) {
            return Err(same(other, input));
        }
    }
    for (place, input) in &places {
        // An archive in a folder is an input of its own; every other file there belongs to the
        // input of the folder.
        let mut above = place.ancestors().skip(1);
        let folder = above.find_map(|above| places.get(above));
        if let Some(folder) = folder
            && input.kind == Kind::Files
        {
            return Err(same(folder, input));
        }
    }
    Ok(())
}

fn same(one: &Input, other: &Input) -> SurveyError {
    SurveyError::Same {
        one: one.path.clone(),
        other: other.path.clone(),
    }
}
