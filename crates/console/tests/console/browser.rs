//! A browser: it keeps cookies, follows redirects, sends forms as they stand in the page, and checks every page. Tests
//! speak of paths of the service: the path of the public URL is added to each, and must be in whatever the service says.

use std::collections::BTreeMap;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{COOKIE, HOST, LOCATION, SET_COOKIE};
use axum::http::response::Parts;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use testkit::{TestApp, TestPerson};
use tower::ServiceExt as _;

use crate::html::Page;

/// The host of every request.
const HOST_NAME: &str = "bailiwick.test";

/// A browser of one person.
pub(crate) struct Browser {
    router: Router,
    /// The path of the public URL.
    root: String,
    cookies: BTreeMap<String, String>,
    /// `Accept-Language`.
    pub(crate) languages: &'static str,
}

/// A response that is no redirect.
pub(crate) struct Shown {
    pub(crate) status: StatusCode,
    /// The path and query that it came from.
    pub(crate) address: String,
    pub(crate) page: Page,
}

impl Browser {
    pub(crate) fn new(app: &TestApp) -> Self {
        Self {
            root: app.app().auth().public_url.path().to_owned(),
            router: TestApp::routes().with_console(console::pages(app.app())).router(app.app().clone()),
            cookies: BTreeMap::new(),
            languages: "en-GB,en;q=0.5",
        }
    }

    /// A browser in which this person is signed in.
    pub(crate) async fn of(app: &TestApp, person: &TestPerson) -> Self {
        let mut browser = Self::new(app);
        let shown = browser.sign_in(&person.email, &person.password).await;
        assert_eq!(shown.status, StatusCode::OK, "{}", shown.page.text());
        browser
    }

    pub(crate) async fn sign_in(&mut self, email: &str, password: &str) -> Shown {
        let page = self.get("/sign-in").await.page;
        self.submit(&page, "/sign-in", &[("email", email), ("password", password)]).await
    }

    /// Opens an address, and follows redirects.
    pub(crate) async fn get(&mut self, address: &str) -> Shown {
        self.follow(Method::GET, address.to_owned(), None, true).await
    }

    /// Sends the form of a page that goes to `action`, with these fields changed.
    pub(crate) async fn submit(&mut self, page: &Page, action: &str, changed: &[(&str, &str)]) -> Shown {
        let mut fields = page.form(action);
        for (name, value) in changed {
            fields.retain(|(known, _)| known != name);
            fields.push(((*name).to_owned(), (*value).to_owned()));
        }
        self.post(action, &fields).await
    }

    /// Sends a file as the form does that has a field for files.
    pub(crate) async fn upload(&mut self, address: &str, name: &str, file: &[u8]) -> Shown {
        self.upload_all(address, "", &[(name, file)]).await
    }

    /// The same with several files, and the key that makes the form act once.
    pub(crate) async fn upload_all(&mut self, address: &str, once: &str, files: &[(&str, &[u8])]) -> Shown {
        let part = "--xyz\r\nContent-Disposition: form-data; name=";
        let mut body = format!("{part}\"once\"\r\n\r\n{once}\r\n").into_bytes();
        for (name, file) in files {
            let head = format!("{part}\"file\"; filename=\"{name}\"\r\n\r\n");
            body.extend([head.as_bytes(), file, b"\r\n"].concat());
        }
        body.extend(b"--xyz--\r\n");
        let sent = Some(("multipart/form-data; boundary=xyz", body));
        self.follow(Method::POST, address.to_owned(), sent, true).await
    }

    /// Sends these fields.
    pub(crate) async fn post(&mut self, address: &str, fields: &[(String, String)]) -> Shown {
        self.follow(Method::POST, address.to_owned(), Some(encoded(fields)), true).await
    }

    /// Sends these fields, and returns where the response leads.
    pub(crate) async fn location(&mut self, address: &str, fields: &[(&str, &str)]) -> (StatusCode, String) {
        let fields: Vec<_> =
            fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let (parts, _) = self.send(&Method::POST, address, Some(encoded(&fields)), true).await;
        let to = parts.headers.get(LOCATION).map(|to| to.to_str().unwrap().to_owned());
        (parts.status, to.unwrap_or_default())
    }

    /// Sends these fields as a page of another site would.
    pub(crate) async fn post_from_elsewhere(&mut self, address: &str, fields: &[(String, String)]) -> Shown {
        self.follow(Method::POST, address.to_owned(), Some(encoded(fields)), false).await
    }

    pub(crate) fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.get(name).map(String::as_str)
    }

    /// Has a cookie of another program of the same host.
    pub(crate) fn set_cookie(&mut self, name: &str, value: &str) {
        self.cookies.insert(name.to_owned(), value.to_owned());
    }

    /// Loads a file: its headers and its text.
    pub(crate) async fn file(&mut self, address: &str) -> (HeaderMap, String) {
        let (parts, text) = self.send(&Method::GET, address, None, true).await;
        assert_eq!(parts.status, StatusCode::OK, "{address}: {text}");
        (parts.headers, text)
    }

    async fn send(
        &mut self,
        method: &Method,
        address: &str,
        form: Option<Sent>,
        is_own: bool,
    ) -> (Parts, String) {
        let mut request = Request::builder()
            .method(method.clone())
            .uri(format!("{}{address}", self.root))
            .header(HOST, HOST_NAME)
            .header("accept", "text/html,application/xhtml+xml,*/*;q=0.8")
            .header("accept-language", self.languages)
            .header("sec-fetch-site", if is_own { "same-origin" } else { "cross-site" });
        if !self.cookies.is_empty() {
            let pairs: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header(COOKIE, pairs.join("; "));
        }
        if let Some((media_type, _)) = form {
            request = request.header("content-type", media_type);
        }
        let body = form.map_or_else(Body::empty, |(_, body)| Body::from(body));
        let response = self.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        self.keep(&parts.headers);
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        let is_text = parts.headers.get("content-type").is_none_or(|it| it.as_bytes().starts_with(b"text/"));
        let text = String::from_utf8_lossy(&bytes);
        assert!(!is_text || text.as_bytes() == bytes, "{address} is no UTF-8");
        (parts, text.into_owned())
    }

    async fn follow(&mut self, method: Method, address: String, form: Option<Sent>, is_own: bool) -> Shown {
        let (mut method, mut address, mut form) = (method, address, form);
        for _ in 0..10 {
            let (parts, text) = self.send(&method, &address, form.take(), is_own).await;
            let Some(to) = parts.headers.get(LOCATION).filter(|_| parts.status.is_redirection()) else {
                let page = Page::of(&self.root, &address, &parts.headers, &text);
                return Shown { status: parts.status, address, page };
            };
            let to = to.to_str().unwrap();
            let to =
                to.strip_prefix(&self.root).unwrap_or_else(|| panic!("a redirect to another service: {to}"));
            assert!(to.starts_with('/') && !to.starts_with("//"), "a redirect to another site: {to}");
            (method, address) = (Method::GET, to.split('#').next().unwrap().to_owned());
        }
        panic!("{address} leads nowhere");
    }

    fn keep(&mut self, headers: &HeaderMap) {
        for cookie in headers.get_all(SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            let path = if self.root.is_empty() { "/" } else { &self.root };
            assert!(cookie.contains(&format!("; Path={path}; HttpOnly; SameSite=Lax")), "{cookie}");
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            match cookie.contains("Max-Age=0") {
                true => self.cookies.remove(name),
                false => self.cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
    }
}

/// A body with its media type.
type Sent = (&'static str, Vec<u8>);

fn encoded(fields: &[(String, String)]) -> Sent {
    let fields = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    ("application/x-www-form-urlencoded", fields.into_bytes())
}
