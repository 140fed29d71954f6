//! A body that was sent: its value, and how a typed value is read from it. Every fault is collected with its pointer
//! instead of stopping at the first.

mod fields;
mod from_json;
mod pointer;
mod value;

pub use fields::Fields;
pub use from_json::{
    FromJson, array, body, checked, checked_text, items_of, nested, nested_with, parsed, within, wrong_type,
};
pub use pointer::Pointer;
pub use value::Json;
