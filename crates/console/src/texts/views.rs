//! Texts of the pages about saved views.

pub(crate) const VIEWS: &str = "Views";
pub(crate) const SAVE_VIEW: &str = "Save view";
pub(crate) const VIEW_SAVED: &str = "The view is saved.";
pub(crate) const VIEW_CHANGED: &str = "The view is changed.";
pub(crate) const VIEW_DELETED: &str = "The view is deleted.";
