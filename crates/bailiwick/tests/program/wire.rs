//! HTTP by hand, for what no well-behaved client does.

use std::io;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use crate::service::{Api, PATIENCE, Service};

/// A connection to the service.
pub(crate) async fn connect(service: &Service) -> TcpStream {
    TcpStream::connect(address(service)).await.unwrap()
}

/// One whose receiver has little room.
pub(crate) async fn connect_narrow(service: &Service) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.connect(address(service).parse().unwrap()).await.unwrap()
}

fn address(service: &Service) -> &str {
    service.base.strip_prefix("http://").unwrap()
}

/// The head of a request without the line that ends it.
pub(crate) fn head(api: &Api, method: &str, path: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n", api.token)
}

/// Reads one answer with its body.
pub(crate) async fn answer(stream: &mut TcpStream) -> io::Result<String> {
    let mut read = Vec::new();
    while !read.ends_with(b"\r\n\r\n") {
        read.push(stream.read_u8().await?);
    }
    let head = String::from_utf8(read).unwrap();
    let length = head.to_lowercase();
    let length = length.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    stream.read_exact(&mut body).await?;
    Ok(head + &String::from_utf8_lossy(&body))
}

/// Sends `bytes` again and again until the connection breaks or so many were sent; how many that was.
pub(crate) async fn pour(stream: &mut tokio::net::tcp::OwnedWriteHalf, bytes: &[u8], most: u64) -> u64 {
    let mut sent = 0;
    while sent < most {
        match stream.write(bytes).await {
            Ok(count) => sent += count as u64,
            Err(_) => break,
        }
    }
    sent
}

/// Reads until the service closes the connection, and throws it away: how long that took and how much it was.
pub(crate) async fn until_closed(stream: &mut TcpStream) -> (Duration, u64) {
    let (from, mut count) = (Instant::now(), 0);
    let mut space = vec![0; 64 * 1024];
    let read = async {
        while let Ok(read @ 1..) = stream.read(&mut space).await {
            count += read as u64;
        }
    };
    tokio::time::timeout(PATIENCE, read).await.expect("the service closes the connection");
    (from.elapsed(), count)
}

/// Whether the service still holds its end of this connection.
pub(crate) fn is_held(service: &Service, stream: &TcpStream) -> bool {
    let port = |address: &str| u16::from_str_radix(address.rsplit(':').next().unwrap(), 16).unwrap();
    let ours = stream.local_addr().unwrap().port();
    // One that was reset has no other end.
    let Ok(theirs) = stream.peer_addr() else { return false };
    let all = std::fs::read_to_string(format!("/proc/{}/net/tcp", service.pid())).unwrap();
    all.lines().skip(1).any(|line| {
        let fields: Vec<_> = line.split_whitespace().collect();
        // Without an inode no process has it any more.
        port(fields[1]) == theirs.port() && port(fields[2]) == ours && fields[9] != "0"
    })
}
