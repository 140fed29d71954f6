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
    let frame = Layout::of(&request, &mut tx, texts::KEYBOARD, Section::Account).await?;
    request.show(&KeysPage { frame })
}

impl KeysPage {
    /// Keys and what they do.
    fn keys(&self) -> [(&'static [&'static str], &'static str); 18] {
        [
            (&["C"], texts::DECLARE_AN_INCIDENT),
            (&["Ctrl", "K"], texts::GO_TO_ANYTHING),
            (&["G", "H"], texts::HOME),
            (&["G", "I"], texts::INCIDENTS),
            (&["G", "R"], texts::RISKS),
            (&["G", "D"], texts::DOCUMENTS),
            (&["G", "J"], texts::JOURNAL),
            (&["G", "S"], texts::SETTINGS),
            (&["/"], texts::SEARCH_THE_LIST),
            (&["J"], texts::NEXT_ROW),
            (&["K"], texts::PREVIOUS_ROW),
            (&["X"], texts::CHOOSE_THE_ROW),
            (&["E"], texts::EDIT_OR_EVALUATE),
            (&["A"], texts::TAKE_THE_INCIDENT),
            (&["R"], texts::NEXT_STEP),
            (&["Z"], texts::TAKE_IT_BACK),
            (&["Ctrl", "Enter"], texts::SEND_THE_FORM),
            (&["?"], texts::THIS_LIST),
        ]
    }
}
