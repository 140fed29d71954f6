//! The tables as the page at `/docs/errors`.

use std::fmt::Write;

use axum::extract::State;
use axum::response::Response;
use http::App;
use http::error_codes::{Group, Row, groups};

use crate::docs::html;

/// The page.
pub(crate) async fn page(State(app): State<App>) -> Response {
    html::answer(&app.auth().public_url, "Errors", &main(&groups()))
}

fn main(groups: &[Group]) -> String {
    let mut out = String::with_capacity(32 * 1024);
    out.push_str(
        "<h1>Errors</h1>\n<p class=\"lead\">What each error of this service means, and what to do about it. \
         The <code>type</code> of every problem leads here.</p>\n<nav aria-label=\"On this page\"><ul>\n",
    );
    for group in groups {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "<li><a href=\"#{}\">{}</a></li>", section(group), group.title);
    }
    out.push_str("</ul></nav>\n");
    for group in groups {
        let introduction = html::inline(group.introduction);
        let _ = write!(
            out,
            "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{}</h2>\n<p>{introduction}</p>\n<dl>\n",
            group.title,
            id = section(group),
        );
        group.rows.iter().for_each(|row| entry(&mut out, group.prefix, row));
        out.push_str("</dl>\n</section>\n");
    }
    out
}

/// The anchor of a group. It starts with `all-`, which no anchor of a code does.
fn section(group: &Group) -> String {
    format!("all-{}", group.title.to_lowercase().replace(' ', "-"))
}

fn entry(out: &mut String, prefix: &str, row: &Row) {
    let Row { code, status, meaning, remedy } = row;
    let id = format!("{prefix}{code}");
    let _ = write!(out, "<div class=\"entry\" id=\"{id}\">\n<dt><a href=\"#{id}\"><code>{code}</code></a>");
    if let Some(status) = status {
        let _ = write!(out, " <span class=\"status\">{status}</span>");
    }
    let (meaning, remedy) = (html::inline(meaning), html::inline(remedy));
    let _ = write!(out, "</dt>\n<dd>{meaning}</dd>\n<dd class=\"remedy\">{remedy}</dd>\n</div>\n");
}
