//! A panic leaves its message with JavaScript, so that a trap without one means that there was no
//! memory.

use std::panic::set_hook;

use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "../src/guard.js")]
extern "C" {
    #[wasm_bindgen(js_name = noteFault)]
    fn js_note_fault(message: &str);
}

#[wasm_bindgen(start)]
fn start() {
    set_hook(Box::new(|panic| js_note_fault(&panic.to_string())));
}
