//! What may listen where a URL says that PostgreSQL does.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The same database at other ports of this machine, with a query.
pub(crate) fn url_of(url: &str, ports: &[u16], query: &str) -> String {
    let (start, rest) = url.split_once('@').unwrap();
    let database = rest.split_once('/').unwrap().1;
    let hosts: Vec<String> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
    format!("{start}@{}/{database}?{query}", hosts.join(","))
}

/// Nothing listens on the port of a listener that was dropped.
pub(crate) fn refused() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Accepts and never answers; counts how often.
pub(crate) async fn silent(accepted: &Arc<AtomicUsize>) -> u16 {
    let accepted = Arc::clone(accepted);
    listen(move |client| {
        accepted.fetch_add(1, Ordering::SeqCst);
        async move {
            std::future::pending::<()>().await;
            drop(client);
        }
    })
    .await
}

/// Speaks another protocol.
pub(crate) async fn garbage() -> u16 {
    listen(async |mut client: TcpStream| {
        let _ = client.read(&mut [0; 1024]).await;
        let _ = client.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n").await;
    })
    .await
}

/// As much of a standby as a client needs to see that it is one.
pub(crate) async fn standby() -> u16 {
    listen(async |client: TcpStream| drop(serve(client, &[("transaction_read_only", "on")]).await)).await
}

/// As much of a primary as a client needs to connect to it, once; then nothing listens there any more.
pub(crate) async fn primary_once(file: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (client, _) = listener.accept().await.unwrap();
        drop(listener);
        drop(serve(client, &[("transaction_read_only", "off"), ("file", file)]).await);
    });
    port
}

/// Answers each query with one row of one text, as long as there is one.
async fn serve(mut client: TcpStream, rows: &[(&str, &str)]) -> std::io::Result<()> {
    const READY: &[u8] = b"Z\0\0\0\x05I";
    // No TLS; then whoever it is may enter.
    client.read_exact(&mut [0; 8]).await?;
    client.write_all(b"N").await?;
    let length = client.read_u32().await?;
    client.read_exact(&mut vec![0; length as usize - 4]).await?;
    client.write_all(&[b"R\0\0\0\x08\0\0\0\0", READY].concat()).await?;
    for (name, text) in rows {
        if client.read_u8().await? != b'Q' {
            break;
        }
        let length = client.read_u32().await?;
        client.read_exact(&mut vec![0; length as usize - 4]).await?;
        let of_text: &[u8] = b"\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\xff\xff\xff\xff\0\0";
        let column = message(b'T', &[b"\0\x01", name.as_bytes(), of_text].concat());
        let length = u32::try_from(text.len()).unwrap().to_be_bytes();
        let row = message(b'D', &[b"\0\x01", length.as_slice(), text.as_bytes()].concat());
        client.write_all(&[&column, &row, &message(b'C', b"SHOW\0"), READY].concat()).await?;
    }
    Ok(())
}

fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap();
    [&[kind], length.to_be_bytes().as_slice(), body].concat()
}

async fn listen<F>(serve: impl Fn(TcpStream) -> F + Send + 'static) -> u16
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(serve(client));
        }
    });
    port
}
