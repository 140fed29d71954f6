//! Texts of the pages about saved views.

pub(crate) const VIEWS: &str = "Views";
pub(crate) const SAVE_VIEW: &str = "Save view";
pub(crate) const VIEW_SAVED: &str = "The view is saved.";
pub(crate) const VIEW_CHANGED: &str = "The view is changed.";

pub(crate) fn view_replaced(name: &str, is_shared: bool) -> String {
    let others = if is_shared { ", for everybody" } else { "" };
    format!("“{name}” shows this list now{others}.")
}
pub(crate) const VIEW_DELETED: &str = "The view is deleted.";
