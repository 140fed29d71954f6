//! The pages: one folder or file for each part of the console.

mod home;
mod incidents;
mod journal;
mod risks;
mod sign_in;
mod undo;

use axum::routing::{MethodRouter, get, post};
use hyper::Method;
use web::http::route::Rules;
use web::{App, Page};

use crate::frame::assets;
use crate::frame::rules::{ASSET, ENTRANCE, PAGE};

/// Every page, with what is declared about it.
pub fn all() -> Vec<Page> {
    let o = |path, handler| page(path, &[Method::GET], PAGE, handler);
    let form = |path, handler| page(path, &[Method::GET, Method::POST], PAGE, handler);
    vec![
        page("/", &[Method::GET], PAGE, get(sign_in::index)),
        page(assets::PATH, &[Method::GET], ASSET, get(assets::asset)),
        page("/sign-in", &[Method::GET, Method::POST], ENTRANCE, get(sign_in::page).post(sign_in::submit)),
        page("/sign-out", &[Method::POST], PAGE, post(sign_in::sign_out)),
        o("/o/{slug}", get(home::page)),
        o("/o/{slug}/incidents", get(incidents::list::page)),
        form("/o/{slug}/incidents/new", get(incidents::declare::page).post(incidents::declare::submit)),
        form("/o/{slug}/incidents/trash", get(incidents::trash::page).post(incidents::trash::restore)),
        page("/o/{slug}/incidents/delete", &[Method::POST], PAGE, post(incidents::delete::submit)),
        form(
            "/o/{slug}/incidents/{id}/severity",
            get(incidents::severity::page).post(incidents::severity::submit),
        ),
        o("/o/{slug}/incidents/{id}", get(incidents::show::page)),
        form("/o/{slug}/incidents/{id}/edit", get(incidents::edit::page).post(incidents::edit::submit)),
        page("/o/{slug}/incidents/{id}/status", &[Method::POST], PAGE, post(incidents::status::submit)),
        page("/o/{slug}/incidents/{id}/notes", &[Method::POST], PAGE, post(incidents::notes::submit)),
        page("/o/{slug}/incidents/{id}/tasks", &[Method::POST], PAGE, post(incidents::tasks::add)),
        page("/o/{slug}/incidents/{id}/tasks/{number}", &[Method::POST], PAGE, post(incidents::tasks::tick)),
        o("/o/{slug}/risks", get(risks::list::page)),
        form("/o/{slug}/risks/new", get(risks::add::page).post(risks::add::submit)),
        o("/o/{slug}/risks/{id}", get(risks::show::page)),
        page("/o/{slug}/risks/{id}/evaluations", &[Method::POST], PAGE, post(risks::evaluate::submit)),
        o("/o/{slug}/journal", get(journal::page)),
        page("/o/{slug}/undo", &[Method::POST], PAGE, post(undo::submit)),
    ]
}

fn page(path: &'static str, methods: &'static [Method], rules: Rules, handler: MethodRouter<App>) -> Page {
    Page { path, methods, rules, handler }
}
