use axum::body::Body;
use hyper::header::{HeaderName, HeaderValue};
use proptest::prelude::*;

use super::*;

const XFF: &str = "x-forwarded-for";
const PROTO: &str = "x-forwarded-proto";

fn nets(texts: &[&str]) -> Vec<IpNet> {
    texts.iter().map(|text| network(text).unwrap()).collect()
}

fn headers(lines: &[(&str, &str)]) -> HeaderMap {
    let name = |name: &str| HeaderName::from_bytes(name.as_bytes()).unwrap();
    lines.iter().map(|(key, value)| (name(key), HeaderValue::from_str(value).unwrap())).collect()
}

/// The client of a plain connection from `from`, with 10.0.0.0/8 and fd00::/8 as trusted proxies.
fn client(from: &str, lines: &[(&str, &str)]) -> (String, bool) {
    let direct = Peer { address: from.parse::<IpAddr>().unwrap().to_canonical(), is_secure: false };
    let peer = direct.behind(&nets(&["10.0.0.0/8", "fd00::/8"]), &headers(lines));
    (peer.address.to_string(), peer.is_secure)
}

#[test]
fn a_trusted_proxy_tells_the_client_and_its_scheme() {
    for (lines, address, secure) in [
        (vec![(XFF, "203.0.113.7"), (PROTO, "https")], "203.0.113.7", true),
        (vec![(XFF, "203.0.113.7"), (PROTO, "HTTPS")], "203.0.113.7", true),
        (vec![(XFF, "203.0.113.7"), (PROTO, "http")], "203.0.113.7", false),
        (vec![(XFF, "203.0.113.7")], "203.0.113.7", false),
        (vec![(XFF, "203.0.113.7:51234")], "203.0.113.7", false),
        (vec![(XFF, "2001:db8::7")], "2001:db8::7", false),
        (vec![(XFF, "[2001:db8::7]")], "2001:db8::7", false),
        (vec![(XFF, "[2001:db8::7]:443")], "2001:db8::7", false),
        (vec![(XFF, "::ffff:203.0.113.7")], "203.0.113.7", false),
        (vec![(PROTO, "https")], "10.0.0.1", true),
        (vec![("forwarded", "for=203.0.113.7;proto=https")], "203.0.113.7", true),
        (vec![("forwarded", "Proto=HTTPS; For=\"[2001:db8::7]:443\" ;by=_x")], "2001:db8::7", true),
        (vec![("forwarded", "for=203.0.113.7;proto=http")], "203.0.113.7", false),
        (vec![("forwarded", "for=203.0.113.7;for=203.0.113.8")], "10.0.0.1", false),
        (vec![], "10.0.0.1", false),
    ] {
        assert_eq!(client("10.0.0.1", &lines), (address.to_owned(), secure), "{lines:?}");
        assert_eq!(client("::ffff:10.0.0.1", &lines), (address.to_owned(), secure), "{lines:?}");
    }
}

#[test]
fn only_what_trusted_proxies_wrote_counts() {
    // The client wrote the first address, the proxy the second.
    let (address, _) = client("10.0.0.1", &[(XFF, "198.51.100.1, 203.0.113.7")]);
    assert_eq!(address, "203.0.113.7");
    // In two lines, and over two proxies.
    let (address, _) = client("10.0.0.1", &[(XFF, "198.51.100.1"), (XFF, "203.0.113.7, 10.9.9.9")]);
    assert_eq!(address, "203.0.113.7");
    let forwarded = "for=198.51.100.1;proto=https, for=203.0.113.7;proto=http, for=10.9.9.9;proto=https";
    assert_eq!(client("10.0.0.1", &[("forwarded", forwarded)]), ("203.0.113.7".to_owned(), false));
    let forwarded = "for=203.0.113.7;proto=https, for=10.9.9.9;proto=http";
    assert_eq!(client("10.0.0.1", &[("forwarded", forwarded)]), ("203.0.113.7".to_owned(), true));
    // All of them are proxies: the farthest one.
    assert_eq!(client("10.0.0.1", &[(XFF, "10.0.0.3, 10.0.0.2")]).0, "10.0.0.3");
    // A hop without an address: the last known one counts.
    for hidden in ["unknown", "_secret", "", "203.0.113.7 x", "\"203.0.113.7\""] {
        assert_eq!(client("10.0.0.1", &[(XFF, &format!("198.51.100.1, {hidden}, 10.0.0.2"))]).0, "10.0.0.2");
    }
    assert!(client("10.0.0.1", &[("forwarded", "for=198.51.100.1, for=unknown;proto=https")]).1);
}

#[test]
fn a_client_hides_nothing_behind_what_is_not_text() {
    // The proxy adds its entry to the line that the client sent.
    for (name, line) in [
        (XFF, &b"\xff, 203.0.113.7"[..]),
        (XFF, "ü, 203.0.113.7".as_bytes()),
        ("forwarded", b"for=\xff, for=203.0.113.7"),
    ] {
        let headers = [(HeaderName::from_static(name), HeaderValue::from_bytes(line).unwrap())];
        let direct = Peer { address: "10.0.0.1".parse().unwrap(), is_secure: false };
        let peer = direct.behind(&nets(&["10.0.0.0/8"]), &headers.into_iter().collect());
        assert_eq!(peer.address.to_string(), "203.0.113.7", "{name}");
    }
    // An entry that is not text is no address.
    assert_eq!(client("10.0.0.1", &[(XFF, "203.0.113.7, ü")]).0, "10.0.0.1");
}

#[test]
fn headers_of_an_untrusted_peer_are_ignored() {
    for lines in [
        vec![(XFF, "198.51.100.1"), (PROTO, "https")],
        vec![("forwarded", "for=198.51.100.1;proto=https")],
        vec![(XFF, "10.0.0.1")],
    ] {
        assert_eq!(client("203.0.113.7", &lines), ("203.0.113.7".to_owned(), false));
        assert_eq!(client("::1", &lines), ("::1".to_owned(), false));
    }
}

#[test]
fn two_kinds_of_headers_that_differ_are_both_ignored() {
    let forwarded = ("forwarded", "for=198.51.100.1;proto=https");
    let lines = [(XFF, "203.0.113.7"), (PROTO, "https"), forwarded];
    assert_eq!(client("10.0.0.1", &lines), ("0.0.0.0".to_owned(), false));
    let lines = [(XFF, "198.51.100.1"), (PROTO, "https"), forwarded];
    assert_eq!(client("10.0.0.1", &lines), ("198.51.100.1".to_owned(), true));
}

#[test]
fn a_scheme_is_https_only_if_every_word_says_so() {
    assert!(client("10.0.0.1", &[(PROTO, "https,https")]).1);
    for wrong in ["https,http", "http,https", "httpss", "", "https, ", "wss"] {
        assert!(!client("10.0.0.1", &[(PROTO, wrong)]).1, "{wrong}");
    }
}

#[test]
fn a_proxy_that_speaks_tls_and_says_nothing_is_secure() {
    let direct = Peer { address: "10.0.0.1".parse().unwrap(), is_secure: true };
    let trusted = nets(&["10.0.0.0/8"]);
    assert!(direct.behind(&trusted, &headers(&[(XFF, "203.0.113.7")])).is_secure);
    assert!(!direct.behind(&trusted, &headers(&[(XFF, "203.0.113.7"), (PROTO, "http")])).is_secure);
}

#[test]
fn a_request_is_private_if_it_was_encrypted_or_stayed_here() {
    let peer = |address: &str, is_secure| Peer { address: address.parse().unwrap(), is_secure };
    assert!(peer("127.0.0.1", false).is_private() && peer("::1", false).is_private());
    assert!(peer("203.0.113.7", true).is_private());
    assert!(!peer("203.0.113.7", false).is_private() && !peer("10.0.0.1", false).is_private());
}

#[test]
fn the_client_is_left_in_the_request() {
    let mut request = Request::new(Body::empty());
    request.headers_mut().extend(headers(&[(XFF, "203.0.113.7"), (PROTO, "https")]));
    request.extensions_mut().insert(Peer { address: "10.0.0.1".parse().unwrap(), is_secure: false });
    let peer = resolve(&mut request, &nets(&["10.0.0.1"]));
    assert_eq!(peer, Peer { address: "203.0.113.7".parse().unwrap(), is_secure: true });
    assert_eq!(Peer::of(&request), peer);
}

#[test]
fn a_network_is_a_range_or_one_address() {
    for (text, same) in [
        ("10.0.0.0/8", "10.0.0.0/8"),
        ("10.1.2.3/8", "10.0.0.0/8"),
        ("10.1.2.3", "10.1.2.3/32"),
        ("fd00::/8", "fd00::/8"),
        ("::1", "::1/128"),
        ("::ffff:10.0.0.0/104", "10.0.0.0/8"),
        ("::ffff:10.1.2.3", "10.1.2.3/32"),
        ("::/0", "::/0"),
    ] {
        assert_eq!(network(text).map(|net| net.to_string()).as_deref(), Some(same), "{text}");
    }
    for wrong in ["", "10.0.0.0/33", "proxy.example", "10.0.0", "10.0.0.0/", "*"] {
        assert_eq!(network(wrong), None, "{wrong}");
    }
}

fn address() -> impl Strategy<Value = IpAddr> {
    prop_oneof![any::<[u8; 4]>().prop_map(IpAddr::from), any::<[u8; 16]>().prop_map(IpAddr::from)]
        .prop_map(|address| address.to_canonical())
}

proptest! {
    /// No header causes a panic, and the headers of an untrusted peer do not change its address.
    #[test]
    fn no_header_of_an_untrusted_peer_changes_its_address(
        from in address(), list in "[ -~]{0,60}", scheme in "[ -~]{0,12}", forwarded in "[ -~]{0,60}",
    ) {
        let lines = headers(&[(XFF, &list), (PROTO, &scheme), ("forwarded", &forwarded)]);
        let direct = Peer { address: from, is_secure: false };
        let trusted = nets(&["192.0.2.1"]);
        prop_assume!(!contains(&trusted, from));
        prop_assert_eq!(direct.behind(&trusted, &lines), direct);
        let proxy = Peer { address: "192.0.2.1".parse().unwrap(), is_secure: false };
        let _ = proxy.behind(&trusted, &lines);
    }

    /// Elements that a client puts in front of the list that its proxy writes have no effect.
    #[test]
    fn a_client_cannot_choose_its_address(sent in "[ -+\\--~]{0,60}", seen in address()) {
        let trusted = nets(&["192.0.2.0/24"]);
        prop_assume!(!contains(&trusted, seen));
        let proxy = Peer { address: "192.0.2.1".parse().unwrap(), is_secure: false };
        let honest = proxy.behind(&trusted, &headers(&[(XFF, &seen.to_string())]));
        let lied = proxy.behind(&trusted, &headers(&[(XFF, &format!("{sent}, {seen}"))]));
        prop_assert_eq!(honest.address, seen);
        prop_assert_eq!(lied, honest);
        let element = format!("for=\"{}\";proto=https", if seen.is_ipv6() { format!("[{seen}]") } else { seen.to_string() });
        let told = proxy.behind(&trusted, &headers(&[("forwarded", &format!("{sent}, {element}"))]));
        prop_assert_eq!(told, Peer { address: seen, is_secure: true });
    }
}
