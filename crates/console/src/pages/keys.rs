//! `GET /o/{slug}/keys`: what the keyboard does.

use askama::Template;

use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

#[derive(Template)]
#[template(path = "keys.html")]
struct KeysPage {
    frame: Layout,
}

/// `GET /o/{slug}/keys`
pub(crate) async fn page(request: PageRequest) -> Result {
    let mut tx = request.read().await?;
    let frame = Layout::of(&request, &mut tx, texts::KEYBOARD_SHORTCUTS, Section::Account).await?;
    request.show(&KeysPage { frame })
}

impl KeysPage {
    /// Keys and what they do.
    fn keys(&self) -> [(&'static [&'static str], &'static str); 25] {
        [
            (&["C"], texts::DECLARE_INCIDENT),
            (&["Ctrl", "K"], texts::GO_TO_ANYTHING),
            (&["G", "H"], texts::HOME),
            (&["G", "I"], texts::INCIDENTS),
            (&["G", "R"], texts::RISKS),
            (&["G", "D"], texts::DOCUMENTS),
            (&["G", "J"], texts::AUDIT_LOG),
            (&["G", "S"], texts::SETTINGS),
            (&["/"], texts::SEARCH_LIST),
            (&["J"], texts::NEXT_ROW),
            (&["K"], texts::PREVIOUS_ROW),
            (&["Enter"], texts::OPEN_ROW),
            (&["X"], texts::SELECT_ROW),
            (&["E"], texts::EDIT_OR_EVALUATE),
            (&["1 … 5"], texts::RATE),
            (&["N"], texts::WRITE_RATIONALE),
            (&["S"], texts::SKIP_RISK),
            (&["P"], texts::PREVIOUS_RISK),
            (&["A"], texts::ASSIGN_TO_ME),
            (&["R"], texts::NEXT_STEP),
            (&["Z"], texts::UNDO_LAST),
            (&["Ctrl", "Enter"], texts::SUBMIT_FORM),
            (&["Alt", "↑ ↓"], texts::MOVE_TASK),
            (&["Esc"], texts::CLOSE_OR_CLEAR),
            (&["?"], texts::SHOW_SHORTCUTS),
        ]
    }
}
