//! Notifications to the service manager.

use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};

use crate::service::{Installation, PATIENCE};

fn notification(socket: &UnixDatagram) -> String {
    let mut text = [0; 100];
    let length = socket.recv(&mut text).expect("no notification");
    String::from_utf8_lossy(&text[..length]).into_owned()
}

fn a_whole_life(socket: &UnixDatagram, name: &str) {
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let installation = Installation::new().with("NOTIFY_SOCKET", name);
    let mut service = installation.serve();
    assert_eq!(notification(socket), "READY=1");
    service.terminate();
    assert_eq!(notification(socket), "STOPPING=1");
    assert_eq!(service.wait(), Some(0));
}

#[test]
fn a_service_manager_hears_of_the_start_and_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    a_whole_life(&UnixDatagram::bind(&path).unwrap(), path.to_str().unwrap());
}

#[test]
fn it_may_listen_at_a_name_without_a_file() {
    let name = format!("bailiwick-test-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    a_whole_life(&UnixDatagram::bind_addr(&address).unwrap(), &format!("@{name}"));
}

#[test]
fn a_notify_socket_without_a_listener_does_not_stop_the_service() {
    let installation = Installation::new().with("NOTIFY_SOCKET", "/nowhere/notify");
    let mut service = installation.serve();
    service.terminate();
    assert_eq!(service.wait(), Some(0));
    assert!(service.log().contains("the service manager cannot be notified"), "{}", service.log());
}
