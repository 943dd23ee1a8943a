//! The C ABI of `polite-robots`.
