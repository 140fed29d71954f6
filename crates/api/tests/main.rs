//! The API through the whole service, on both engines. One test binary: each further one would be linked with everything again.

#[macro_use]
mod all;
mod api;
mod contract;
mod model;
mod tokens;
mod upgrade;
