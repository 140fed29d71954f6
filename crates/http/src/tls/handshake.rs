//! The start of a connection: the TLS handshake, or a hint for clients that use plain HTTP.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::server::TlsStream;

use crate::limits;
use crate::server::{Activity, Socket};

/// The first byte of a TLS connection: a handshake record (RFC 8446, section 5.1).
const HANDSHAKE: u8 = 22;

/// The response to plain HTTP, of a service whose public URL has this path.
fn speak_https(path: &str) -> String {
    let problem = serde_json::json!({
        "type": format!("{path}/docs/errors#https_required"),
        "title": "HTTPS is required.",
        "status": 403,
        "detail": "This port speaks HTTPS only: use https.",
        "instance": format!("{path}/"),
        "code": "https_required",
    });
    let body = problem.to_string();
    format!(
        "HTTP/1.1 403 Forbidden\r\nContent-Type: application/problem+json\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// How long the client may take to read that, and how much further data is read: closing with unread bytes could
/// destroy the response.
const PARTING_TIME: Duration = Duration::from_secs(1);
const PARTING_BYTES: usize = 64 * 1024;

/// Accepts a connection within [`limits::HANDSHAKE_TIMEOUT`]; `path` is that of the public URL.
pub(crate) async fn handshake(
    config: Arc<ServerConfig>,
    stream: TcpStream,
    activity: &Arc<Activity>,
    path: &str,
) -> io::Result<TlsStream<Socket>> {
    tokio::time::timeout(limits::HANDSHAKE_TIMEOUT, greet(config, stream, activity, path))
        .await
        .map_err(|_| io::Error::new(io::ErrorKind::TimedOut, "the handshake took too long"))?
}

async fn greet(
    config: Arc<ServerConfig>,
    mut stream: TcpStream,
    activity: &Arc<Activity>,
    path: &str,
) -> io::Result<TlsStream<Socket>> {
    let mut first = [0];
    if stream.peek(&mut first).await? > 0 && first != [HANDSHAKE] {
        if first.iter().all(u8::is_ascii_uppercase) {
            part(&mut stream, &speak_https(path)).await;
        }
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it does not speak TLS"));
    }
    TlsAcceptor::from(config).accept(Socket::new(stream, activity)).await
}

async fn part(stream: &mut TcpStream, answer: &str) {
    let parting = async {
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await?;
        let mut rest = vec![0; 4 * 1024];
        let mut left = PARTING_BYTES;
        loop {
            let count = stream.read(&mut rest).await?;
            if count == 0 || count > left {
                return io::Result::Ok(());
            }
            left -= count;
        }
    };
    // It does not matter whether the response arrives.
    let _ = tokio::time::timeout(PARTING_TIME, parting).await;
}

#[cfg(test)]
mod tests {
    use super::speak_https;

    #[test]
    fn the_parting_words_are_a_whole_answer() {
        let answer = speak_https("/x");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())), "{}", body.len());
        let problem: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!((&problem["status"], &problem["code"]), (&403.into(), &"https_required".into()));
        assert_eq!(problem["type"], "/x/docs/errors#https_required");
    }
}
