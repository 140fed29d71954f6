//! Reports readiness to the service manager by `sd_notify(3)`: systemd then starts dependent units only once requests
//! are answered. Nothing happens where there is no service manager.

use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// Where the service manager listens: a path, or a name after `@`.
const SOCKET: &str = "NOTIFY_SOCKET";

/// Connections are accepted.
pub(crate) fn ready() {
    tell("READY=1");
}

/// The service finishes what runs, and ends.
pub(crate) fn stopping() {
    tell("STOPPING=1");
}

fn tell(state: &str) {
    let Some(socket) = std::env::var_os(SOCKET).filter(|name| !name.is_empty()) else { return };
    let address = match socket.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name),
        None => SocketAddr::from_pathname(&socket),
    };
    let told = address.and_then(|address| UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address));
    if let Err(error) = told {
        tracing::warn!(%error, state, "the service manager cannot be notified");
    }
}
