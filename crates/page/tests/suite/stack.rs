//! No function recurses on its input: pages with many hostile fields pass through a thread with a
//! very small stack.

use std::thread;

use polite_robots_page::PageControls;

/// 16 bytes of stack per element: the smallest frame of a function that calls itself, as stacks are
/// aligned to 16 bytes.
const STACK: usize = 32 << 10;
const ELEMENTS: usize = 1 << 11;

#[test]
fn hostile_pages_need_no_stack() {
    let shapes = [
        "a,",
        "(",
        "a;",
        "\"\\",
        "noindex:",
        "<a>;",
        "max-snippet:1 ",
        ",,",
        "unavailable_after: 1 ",
    ];
    let read_all = move || shapes.map(|shape| use_everything(&shape.repeat(ELEMENTS)));
    let running = thread::Builder::new()
        .stack_size(STACK)
        .spawn(read_all)
        .unwrap();
    // An overflow ends the whole process.
    assert!(
        running
            .join()
            .unwrap()
            .iter()
            .all(|written| *written > ELEMENTS)
    );
}

/// Reads the text in every place of a page, and returns the number of bytes that `Debug` writes of
/// it.
fn use_everything(text: &str) -> usize {
    let fields = ["X-Robots-Tag", "Content-Usage", "Content-Signal", "Link"];
    let page = fields
        .iter()
        .fold(PageControls::new("a").unwrap(), |page, field| {
            page.with_header(field, text)
        });
    let page = page.with_meta("robots", text);
    let statements = page.statements().count();
    format!("{page:?}{:?}{statements}{}", page.usage(), page.usage()).len()
}
