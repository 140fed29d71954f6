//! The layout that the HTML pages share.

use auth::PublicUrl;
use axum::response::{IntoResponse, Response};
use hyper::header::CONTENT_TYPE;

const STYLE: &str = include_str!("page.css");

/// The address of the icon of every page.
pub(crate) const ICON_PATH: &str = "/icon.svg";

/// The sign beside the name.
const LOGO: &str = "<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\"><rect x=\"1\" y=\"1\" width=\"22\" height=\"22\" rx=\"6\" \
                    fill=\"var(--ink)\"/><path d=\"M7 18V6h6.2a3 3 0 0 1 1.3 5.7A3.3 3.3 0 0 1 13.6 18H7zM7 11.9h6\" fill=\"none\" \
                    stroke=\"var(--on-ink)\" stroke-width=\"2\"/></svg>";

/// The icon.
pub(crate) async fn icon() -> Response {
    ([(CONTENT_TYPE, "image/svg+xml")], include_str!("icon.svg")).into_response()
}

/// A page of the service at this URL, with this title and content.
pub(crate) fn answer(public_url: &PublicUrl, title: &str, main: &str) -> Response {
    let root = public_url.path();
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · Bailiwick</title>\n<link rel=\"icon\" href=\"{root}{ICON_PATH}\" type=\"image/svg+xml\">\n<style>\n{STYLE}</style>\n\
         <header><a href=\"{root}/\">{LOGO}Bailiwick</a> <nav aria-label=\"Pages\"><a href=\"{root}/docs\">Reference</a> \
         <a href=\"{root}/docs/errors\">Errors</a></nav></header>\n<main>\n{main}</main>\n</html>\n"
    );
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}

/// Text with code between backticks, as HTML.
pub(crate) fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    for (index, part) in text.split('`').enumerate() {
        let is_code = index % 2 == 1;
        out.push_str(if is_code { "<code>" } else { "" });
        escape(part, &mut out);
        out.push_str(if is_code { "</code>" } else { "" });
    }
    out
}

/// Appends text, escaped for HTML.
pub(crate) fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::inline;

    #[test]
    fn code_stands_between_backticks_and_nothing_is_markup() {
        assert_eq!(inline("a `b<c>` & \"d\""), "a <code>b&lt;c&gt;</code> &amp; &quot;d&quot;");
        assert_eq!(inline("`x`"), "<code>x</code>");
    }
}
