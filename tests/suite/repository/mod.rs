//! The repository itself: its documents, its comments and its public names.

mod card;
mod documents;
mod figures;
mod links;
mod prose;
mod public_names;
mod switching;
