//! The web console: pages for people, rendered by the server. They read and write by the same functions as the API, and
//! work without JavaScript.

mod frame;
mod pages;
mod texts;

pub use pages::all as pages;
pub use pages::begin::link as first_run_link;
