//! The module `page`: rules in headers and in elements of a page.

mod answers;
mod cases;
mod laws;
