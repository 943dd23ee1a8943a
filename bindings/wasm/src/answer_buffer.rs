//! A place in the module's memory where it writes the answers about many URLs: a list that is
//! passed costs JavaScript an allocation and a copy, and the module one more.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

/// The answers that the place holds, a byte each.
const ANSWERS: usize = 4_096;

thread_local! {
    // Never grown or replaced, so the address that JavaScript keeps stays right.
    static BUFFER: Box<[Cell<u8>]> = vec![Cell::new(0); ANSWERS].into_boxed_slice();
}

/// The address of the place in the module's memory.
#[wasm_bindgen(js_name = answerBuffer)]
pub fn answer_buffer() -> usize {
    BUFFER.with(|buffer| buffer.as_ptr() as usize)
}

/// The number of answers at [`answer_buffer`].
#[wasm_bindgen(js_name = answerBufferBytes)]
pub fn answer_buffer_bytes() -> usize {
    ANSWERS
}

/// Writes 1 for each `true`, and returns the number of answers.
pub(crate) fn write_answers(answers: impl Iterator<Item = bool>) -> usize {
    BUFFER.with(|buffer| {
        let places = buffer.iter().zip(answers);
        places
            .map(|(place, answer)| place.set(answer.into()))
            .count()
    })
}
