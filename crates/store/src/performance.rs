//! The risk performance of an organization. The figure is read from sums that every change updates, so it takes the
//! same time for a hundred risks as for a hundred thousand. That of some risks, or of the past, is computed.

mod basis;
mod computed;
mod contributions;
mod figure;
mod parts;
mod period;
mod series;
mod sums;
mod verify;
mod worse;

pub use basis::basis;
pub use computed::{Computed, Coverage, compute};
pub use contributions::contributions;
pub use figure::{Performance, get};
pub use parts::{Part, count_parts, parts};
pub use period::{Period, period, previous};
pub use series::{Point, series};
pub(crate) use sums::{evaluated, follow};
pub(crate) use verify::check as verify;
pub use worse::{Graded, Worse, worse};
