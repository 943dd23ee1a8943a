//! `robots lint --format`: the documents for programs, colours, and files that are hostile.
