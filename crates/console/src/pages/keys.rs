//! `GET /o/{slug}/keys`: what the keyboard does.

use askama::Template;

use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};

#[derive(Template)]
#[template(path = "keys.html")]
struct KeysPage {
    frame: Layout,
}

/// `GET /o/{slug}/keys`
pub(crate) async fn page(request: PageRequest) -> Result {
    let mut tx = request.read().await?;
    let frame = Layout::of(&request, &mut tx, "Keyboard", Section::Account).await?;
    request.show(&KeysPage { frame })
}

impl KeysPage {
    /// Keys and what they do.
    fn keys(&self) -> [(&'static [&'static str], &'static str); 17] {
        [
            (&["C"], "Declare an incident"),
            (&["Ctrl", "K"], "Go to anything"),
            (&["G", "H"], "Home"),
            (&["G", "I"], "Incidents"),
            (&["G", "R"], "Risks"),
            (&["G", "D"], "Documents"),
            (&["G", "J"], "Journal"),
            (&["G", "S"], "Settings"),
            (&["J"], "The next row of a list"),
            (&["K"], "The row before it"),
            (&["X"], "Choose the row"),
            (&["E"], "Edit, or evaluate"),
            (&["A"], "Take the incident"),
            (&["R"], "The next step of the incident"),
            (&["Z"], "Take back what was just done"),
            (&["Ctrl", "Enter"], "Send the form that you type in"),
            (&["?"], "This list"),
        ]
    }
}
