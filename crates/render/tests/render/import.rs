//! Documents that people have, and the Markdown that they become.

mod corpus;
mod hostile;
mod outline;
mod pasted;
mod same;
