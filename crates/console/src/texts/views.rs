//! Texts of the pages about saved views.

pub(crate) const VIEWS: &str = "Views";
pub(crate) const SAVE_VIEW: &str = "Save view";
pub(crate) const VIEW_SAVED: &str = "View saved.";
pub(crate) const VIEW_UPDATED: &str = "View updated.";

pub(crate) fn view_replaced(name: &str, is_shared: bool) -> String {
    let others = if is_shared { " for everyone" } else { "" };
    format!("View “{name}” updated{others}.")
}
pub(crate) const VIEW_DELETED: &str = "View deleted.";
