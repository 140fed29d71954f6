//! The addresses of the documents below `/.well-known/`.

use auth::Issuer;

/// The path of a URL without a trailing slash; empty if it has none.
pub fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').and_then(|start| rest.get(start..)).unwrap_or_default().trim_end_matches('/')
}

/// The URL of the API's metadata (RFC 9728): the well-known part goes between host and path.
pub(crate) fn resource_metadata_url(issuer: &Issuer) -> String {
    let path = path_of(issuer.api());
    let origin = issuer.api().strip_suffix(path).unwrap_or(issuer.api());
    format!("{origin}/.well-known/oauth-protected-resource{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_well_known_part_goes_between_host_and_path() {
        for (url, expected) in [
            ("https://a.example", "https://a.example/.well-known/oauth-protected-resource/v1"),
            ("https://a.example/", "https://a.example/.well-known/oauth-protected-resource/v1"),
            ("http://[::1]:8080/x/y", "http://[::1]:8080/.well-known/oauth-protected-resource/x/y/v1"),
            ("https://v1.example/v1", "https://v1.example/.well-known/oauth-protected-resource/v1/v1"),
        ] {
            assert_eq!(resource_metadata_url(&Issuer::new(url)), expected);
        }
    }
}
