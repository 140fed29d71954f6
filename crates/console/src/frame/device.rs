//! What people call a browser, from how it names itself. It is no more than a hint: a browser may say what it likes.

use crate::texts;

/// `Firefox on Linux`; a name that says nothing known is shown as it is.
pub(crate) fn name(user_agent: &str) -> String {
    // Chromium names every browser before it, and Edge and Opera name Chromium too: the more special come first.
    let browsers = [
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    let systems = [
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("Linux", "Linux"),
    ];
    let find = |known: &[(&str, &'static str)]| {
        known.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    match (find(&browsers), find(&systems)) {
        (Some(browser), Some(system)) => texts::browser_on(browser, system),
        (Some(browser), None) => browser.to_owned(),
        _ if user_agent.is_empty() => texts::UNKNOWN_BROWSER.to_owned(),
        _ => user_agent.chars().take(60).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_known_by_their_names() {
        let edge = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0";
        assert_eq!(name(edge), "Edge on Windows");
        assert_eq!(
            name("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
            "Firefox on Linux"
        );
        let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604";
        assert_eq!(name(phone), "Safari on iPhone");
        assert_eq!((name(""), name("curl/8")), ("Unknown browser".into(), "curl/8".into()));
    }
}
