//! What answers a request to a page: the page, or the page to which a change leads.

use axum::response::Response;
use domain::incident::Incident;
use domain::record::Record as _;
use http::Error;
use http::answer::Answer;
use http::location;
use hyper::header::SET_COOKIE;

use super::{PageRequest, Result};
use crate::frame::cookie::Cookie;
use crate::frame::display::Display;
use crate::frame::done::Done;
use crate::frame::next;
use crate::frame::open_page::{self, show};
use crate::frame::problems::Problems;

impl PageRequest {
    /// Leads to the page that the answer of a write names, which tells what was done. An answer that was given before is
    /// given again, and cannot be undone by this request.
    pub(crate) fn lead(&self, answer: Answer, done: impl Into<String>, can_undo: bool) -> Response {
        let done = Done::new(done);
        let done = match can_undo && !answer.is_replay {
            true => done.undone_by(self.source.request_id()),
            false => done,
        };
        self.lead_telling(answer, &done)
    }

    /// The same, which tells this.
    pub(crate) fn lead_telling(&self, answer: Answer, done: &Done) -> Response {
        let mut response = location::see_other(&answer.location.unwrap_or_else(|| self.to("/")));
        let cookie = Cookie::Done.set(&done.sealed(), self.open.scope());
        response.headers_mut().extend(cookie.map(|cookie| (SET_COOKIE, cookie)));
        response
    }

    /// The same after a write that may have something of its own to tell.
    pub(crate) fn lead_on(&self, answer: Answer, done: impl Into<String>, can_undo: bool) -> Response {
        match next::told(&answer) {
            Some(told) => self.lead(answer, told, false),
            None => self.lead(answer, done, can_undo),
        }
    }

    /// Leads to a page of the organization, which tells what was done.
    pub(crate) fn lead_to(&self, page: &str, done: &str) -> Response {
        self.lead(Answer::see_other(self.to(page)), done, false)
    }

    /// Leads to a page of the organization, and shows every page like this from now on.
    pub(crate) fn keep_display(&self, display: &Display, address: String, done: &str) -> Response {
        let mut response = self.lead(Answer::see_other(address), done, false);
        let cookie = Cookie::Display.set(&display.sealed(), self.open.scope());
        response.headers_mut().extend(cookie.map(|cookie| (SET_COOKIE, cookie)));
        response
    }

    /// What a person can mend in the form, with the labels of fields, and times as pages show them. Any other error has a page of its own.
    pub(crate) fn problems(&self, error: Error) -> Result<Problems> {
        Ok(Problems::of(error)?.labelled(|name| Some(Incident::field(name)?.label), &self.clock))
    }

    /// Leads on after a change, or shows the page of its form again with what was wrong.
    pub(crate) async fn answer<P: askama::Template>(
        &self,
        changed: Result<Answer>,
        done: (impl Into<String>, bool),
        again: impl AsyncFnOnce(Problems) -> Result<P>,
    ) -> Result {
        match changed {
            Ok(answer) => Ok(self.lead_on(answer, done.0, done.1)),
            Err(error) => self.show_again(&again(self.problems(error)?).await?),
        }
    }

    /// The response with a page. What was done before it is told once.
    pub(crate) fn show(&self, page: &impl askama::Template) -> Result {
        let mut response = show(page)?;
        if self.done.is_some() {
            let cookie = Cookie::Done.remove(self.open.scope());
            response.headers_mut().extend(cookie.map(|cookie| (SET_COOKIE, cookie)));
        }
        Ok(response)
    }

    /// The same page as a refusal of a form.
    pub(crate) fn show_again(&self, page: &impl askama::Template) -> Result {
        open_page::show_again(page)
    }
}
