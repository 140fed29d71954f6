//! The risk performance of an organization. The figure is read from sums that every change updates, so it takes the
//! same time for a hundred risks as for a hundred thousand.

mod contributions;
mod figure;
mod sums;
mod verify;
mod worse;

pub use contributions::contributions;
pub use figure::{Performance, get};
pub(crate) use sums::{evaluated, follow};
pub(crate) use verify::check as verify;
pub use worse::{Worse, worse};
