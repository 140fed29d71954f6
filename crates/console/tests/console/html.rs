//! A page, read by a parser of HTML as browsers have it. Reading one checks what holds for every page.

use std::collections::HashSet;

use axum::http::HeaderMap;
use scraper::{ElementRef, Html, Selector};

/// What the console may load, send and show: only its own.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The most bytes of a page.
const MOST_BYTES: usize = 150 * 1024;

pub(crate) struct Page {
    html: Html,
    /// The path of the public URL, which every address has that stands in the page.
    root: String,
    /// How large it is, before compression.
    pub(crate) bytes: usize,
}

impl Page {
    /// Reads a page, and checks it.
    pub(crate) fn of(root: &str, address: &str, headers: &HeaderMap, text: &str) -> Self {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        assert_eq!(header("content-type"), "text/html; charset=utf-8", "{address}: {text}");
        assert_eq!(header("content-security-policy"), POLICY, "{address}");
        assert_eq!(header("cache-control"), "no-store", "{address}");
        assert_eq!(header("referrer-policy"), "same-origin", "{address}");
        let html = Html::parse_document(text);
        assert!(html.errors.is_empty(), "{address}: {:?}\n{text}", html.errors);
        let page = Self { html, root: root.to_owned(), bytes: text.len() };
        // A form that is kept is as long as what was typed.
        let kept: usize = page.all("input[type='hidden']").iter().map(|field| field.html().len()).sum();
        assert!(text.len().saturating_sub(kept) <= MOST_BYTES, "{address} has {} bytes", text.len());
        page.check(address);
        page
    }

    fn check(&self, address: &str) {
        let mut ids = HashSet::new();
        for element in self.all("[id]") {
            assert!(ids.insert(element.attr("id").unwrap()), "{address} has two {:?}", element.attr("id"));
        }
        for field in self.all("input, select, textarea") {
            let is_labelled = field.attr("type") == Some("hidden")
                || field.attr("aria-label").is_some()
                || field.ancestors().filter_map(ElementRef::wrap).any(|it| it.value().name() == "label")
                || field.attr("id").is_some_and(|id| !self.all(&format!("label[for='{id}']")).is_empty());
            assert!(is_labelled, "{address} has a field without a label: {}", field.html());
        }
        let inline = self.all("[style], style, script:not([src])");
        assert!(inline.is_empty(), "{address} has something inline: {}", inline[0].html());
        for button in self.all("button, a[href]") {
            let name: String = button.text().collect();
            let is_named = !name.trim().is_empty() || button.attr("aria-label").is_some();
            assert!(is_named, "{address} has a button or a link without a name: {}", button.html());
        }
        for attribute in ["href", "src", "action", "formaction", "data-watch"] {
            for element in self.all(&format!("[{attribute}^='/']")) {
                let to = element.attr(attribute).unwrap();
                let path = to.strip_prefix(&self.root);
                assert!(path.is_some_and(|path| path.starts_with('/') || path.is_empty()), "{address}: {to}");
            }
        }
        for form in self.all("form[method='post'][action]") {
            assert!(form.attr("action").unwrap().starts_with('/'), "{address}: {}", form.html());
        }
        self.check_directions(address);
        assert_eq!(self.all("h1").len(), 1, "{address} has one heading");
        assert!(!self.text_of("title").is_empty(), "{address} has a title");
    }

    /// What people write has the direction of its own language, in fields and elsewhere: Arabic text shows what is left out. Of a
    /// tip the browser decides.
    fn check_directions(&self, address: &str) {
        for field in self.all("input:not([type]), input[type='text'], input[type='search'], textarea") {
            assert_eq!(field.attr("dir"), Some("auto"), "{address} has a field without: {}", field.html());
        }
        let is_auto = |it: ElementRef<'_>| {
            it.attr("dir") == Some("auto") || ["bdi", "title"].contains(&it.value().name())
        };
        let body = self.all("body");
        for node in body.iter().flat_map(|body| body.descendants()) {
            let Some(text) = node.value().as_text() else { continue };
            let is_arabic = text.chars().any(|it| ('\u{600}'..='\u{6ff}').contains(&it));
            let mut around = node.ancestors().filter_map(ElementRef::wrap);
            assert!(!is_arabic || around.any(is_auto), "{address} has a text without dir=auto: {}", &**text);
        }
    }

    /// The elements that a selector finds.
    pub(crate) fn all(&self, selector: &str) -> Vec<ElementRef<'_>> {
        self.html.select(&Selector::parse(selector).unwrap()).collect()
    }

    /// The text of the first element that a selector finds, with single spaces.
    pub(crate) fn text_of(&self, selector: &str) -> String {
        self.all(selector).first().map(|it| plain(*it)).unwrap_or_default()
    }

    /// The text of every element that a selector finds.
    pub(crate) fn texts(&self, selector: &str) -> Vec<String> {
        self.all(selector).into_iter().map(plain).collect()
    }

    /// All text of the page.
    pub(crate) fn text(&self) -> String {
        self.text_of("body")
    }

    /// The fields of the first form that goes to `action`, or to the page itself.
    pub(crate) fn form(&self, action: &str) -> Vec<(String, String)> {
        let own = self.all(&format!("form[action='{}{action}']", self.root));
        let form = own
            .into_iter()
            .next()
            .or_else(|| self.all("main form[method='post']:not([action])").into_iter().next());
        let form = form.unwrap_or_else(|| panic!("no form goes to {action}"));
        let fields = Selector::parse("input[name], textarea[name], select[name]").unwrap();
        form.select(&fields).filter_map(value).collect()
    }

    /// Every form that is sent by POST: where it goes, and its fields as a browser sends them.
    pub(crate) fn forms(&self, address: &str) -> Vec<SentForm> {
        let fields = Selector::parse("input[name], textarea[name], select[name]").unwrap();
        let typed = "input:not([type]), input[type='text'], input[type='search'], textarea";
        let typed = Selector::parse(typed).unwrap();
        let sent = |form: ElementRef<'_>| SentForm {
            action: form.attr("action").map_or(address, |it| self.path(it)).to_owned(),
            fields: form.select(&fields).filter_map(value).collect(),
            typed: form.select(&typed).filter_map(|it| it.attr("name").map(str::to_owned)).collect(),
        };
        self.all("form[method='post']").into_iter().map(sent).collect()
    }

    /// The addresses that the forms lead to that only ask: as they stand, and with every box ticked.
    pub(crate) fn questions(&self, address: &str) -> Vec<String> {
        let fields = Selector::parse("input[name], select[name]").unwrap();
        let box_of = |field: ElementRef<'_>| {
            (field.attr("type") == Some("checkbox"))
                .then(|| Some((field.attr("name")?.to_owned(), field.attr("value")?.to_owned())))?
        };
        let mut questions = Vec::new();
        for form in self.all("form[method='get']") {
            let own = address.split('?').next().unwrap();
            let action = form.attr("action").map_or(own, |it| self.path(it)).to_owned();
            let standing: Vec<_> = form.select(&fields).filter_map(value).collect();
            let ticked: Vec<_> =
                form.select(&fields).filter_map(|field| box_of(field).or_else(|| value(field))).collect();
            for fields in [standing, ticked] {
                let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
                questions.push(format!("{action}?{query}"));
            }
        }
        questions
    }

    /// The addresses of the links.
    pub(crate) fn links(&self) -> Vec<String> {
        // Downloads are no pages.
        self.all("a[href]:not([download])")
            .iter()
            .filter_map(|link| link.attr("href").map(|it| self.path(it).to_owned()))
            .collect()
    }

    /// The path of the service of an address in the page.
    fn path<'a>(&self, address: &'a str) -> &'a str {
        address.strip_prefix(&self.root).unwrap_or(address)
    }
}

/// A form as it stands in a page.
pub(crate) struct SentForm {
    pub(crate) action: String,
    pub(crate) fields: Vec<(String, String)>,
    /// The fields that people type into.
    pub(crate) typed: Vec<String>,
}

/// The name and the value of a field, as a browser sends it.
fn value(field: ElementRef<'_>) -> Option<(String, String)> {
    let name = field.attr("name")?.to_owned();
    let value = match field.value().name() {
        "textarea" => {
            let text: String = field.text().collect();
            text.strip_prefix('\n').unwrap_or(&text).to_owned()
        }
        "select" => {
            let options = Selector::parse("option").unwrap();
            let chosen = field.select(&options).find(|it| it.attr("selected").is_some());
            chosen.or_else(|| field.select(&options).next())?.attr("value")?.to_owned()
        }
        _ if matches!(field.attr("type"), Some("checkbox" | "radio")) => {
            field.attr("checked")?;
            field.attr("value").unwrap_or("on").to_owned()
        }
        _ => field.attr("value").unwrap_or_default().to_owned(),
    };
    Some((name, value))
}

fn plain(element: ElementRef<'_>) -> String {
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}
