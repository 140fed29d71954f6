//! The pages: one folder or file for each part of the console, which lists its own pages.

mod account;
pub(crate) mod begin;
mod documents;
mod go;
mod home;
mod imports;
mod incidents;
mod invitation;
mod journal;
mod keys;
mod listed;
mod records;
mod reset_password;
mod risks;
mod search;
mod settings;
mod sign_in;
mod tags;
mod undo;
mod views;
mod watch;

use auth::secret_link;
use axum::middleware;
use axum::routing::{MethodRouter, get, post};
use domain::ResourceKind;
use http::route::Rules;
use http::{App, Error, Page};
use hyper::Method;

use crate::frame::page_request::{PageRequest, Result};
use crate::frame::rules::{ASSET, ENTRANCE, PAGE};
use crate::frame::{assets, in_frame};

/// Every page, with what is declared about it.
pub fn all(app: &App) -> Vec<Page> {
    let in_frame = middleware::from_fn_with_state(app.clone(), in_frame::attach);
    let framed = |page: Page| match page.path.starts_with("/o/") {
        true => Page { handler: page.handler.layer(in_frame.clone()), ..page },
        false => page,
    };
    unframed().into_iter().map(framed).collect()
}

fn unframed() -> Vec<Page> {
    let mut pages = vec![
        shown("/", get(sign_in::index)),
        page(assets::PATH, &[Method::GET], ASSET, get(assets::asset)),
        page("/sign-in", BOTH, ENTRANCE, get(sign_in::page).post(sign_in::submit)),
        page(secret_link::INVITATION, BOTH, ENTRANCE, get(invitation::page).post(invitation::submit)),
        page(secret_link::RESET, BOTH, ENTRANCE, get(reset_password::page).post(reset_password::submit)),
        page("/begin", BOTH, ENTRANCE, get(begin::page).post(begin::submit)),
        sent("/sign-out", post(sign_in::sign_out)),
        shown("/o/{slug}", get(home::page)),
        shown("/o/{slug}/account", get(account::page)),
        sent("/o/{slug}/account/password", post(account::password)),
        sent("/o/{slug}/account/display", post(account::display)),
        sent("/o/{slug}/account/devices", post(account::sign_out)),
        sent("/o/{slug}/account/deputy", post(account::deputy::submit)),
        sent("/o/{slug}/account/job-title", post(account::job_title::submit)),
        shown("/o/{slug}/go", get(go::page)),
        shown("/o/{slug}/search", get(search::page)),
        shown("/o/{slug}/keys", get(keys::page)),
        shown("/o/{slug}/watch/{kind}/{id}", get(watch::version)),
        sent("/o/{slug}/undo", post(undo::submit)),
        shown("/o/{slug}/{*rest}", get(no_such_page)),
    ];
    pages.extend(incidents::pages());
    pages.extend(risks::pages());
    pages.extend(imports::pages());
    pages.extend(documents::pages());
    pages.extend(journal::pages());
    pages.extend(settings::pages());
    pages.extend(tags::pages());
    pages.extend(views::pages());
    pages
}

/// Any other address of an organization.
async fn no_such_page(_: PageRequest) -> Result {
    Err(Error::not_found(ResourceKind::Path))
}

/// The methods of a page with a form that goes to the same address.
const BOTH: &[Method] = &[Method::GET, Method::POST];

/// A page that is only shown.
fn shown(path: &'static str, handler: MethodRouter<App>) -> Page {
    page(path, &[Method::GET], PAGE, handler)
}

/// A page with a form that goes to the same address.
fn form(path: &'static str, handler: MethodRouter<App>) -> Page {
    page(path, BOTH, PAGE, handler)
}

/// An address that forms are sent to.
fn sent(path: &'static str, handler: MethodRouter<App>) -> Page {
    page(path, &[Method::POST], PAGE, handler)
}

fn page(path: &'static str, methods: &'static [Method], rules: Rules, handler: MethodRouter<App>) -> Page {
    Page { path, methods, rules, handler }
}
