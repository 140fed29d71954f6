//! Compresses the assets, and writes a table of them: the service sends each as it is needed, without work.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// The best quality of Brotli, and its largest window.
const BROTLI: (u32, u32) = (11, 22);

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=assets");
    println!("cargo::rerun-if-changed=templates");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?);
    let mut files: Vec<PathBuf> =
        fs::read_dir("assets")?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    files.sort();
    let mut hash = Sha256::new();
    let mut rows = String::new();
    for file in &files {
        let (name, bytes) = (name_of(file)?, fs::read(file)?);
        hash.update(name);
        hash.update(&bytes);
        fs::write(out.join(format!("{name}.br")), brotli(&bytes)?)?;
        fs::write(out.join(format!("{name}.gz")), gzip(&bytes)?)?;
        let file = fs::canonicalize(file)?;
        writeln!(
            rows,
            "    Asset {{ name: {name:?}, media_type: {:?}, plain: include_bytes!({file:?}), \
             brotli: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.br\")), \
             gzip: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.gz\")) }},",
            media_type(name)?
        )
        .map_err(io::Error::other)?;
    }
    let hash = hex::encode(hash.finalize());
    let hash = hash.get(..16).unwrap_or(&hash);
    fs::write(
        out.join("assets.rs"),
        format!(
            "/// Stands for the contents of all assets: their addresses change with them.\n\
             pub(crate) const HASH: &str = {hash:?};\n\nconst ASSETS: &[Asset] = &[\n{rows}];\n"
        ),
    )
}

fn name_of(file: &Path) -> io::Result<&str> {
    file.file_name().and_then(|name| name.to_str()).ok_or_else(|| io::Error::other("an asset without a name"))
}

fn media_type(name: &str) -> io::Result<&'static str> {
    match name.rsplit('.').next() {
        Some("css") => Ok("text/css; charset=utf-8"),
        Some("js") => Ok("text/javascript; charset=utf-8"),
        Some("svg") => Ok("image/svg+xml"),
        _ => Err(io::Error::other(format!("{name} has no known media type"))),
    }
}

fn brotli(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let (quality, window) = BROTLI;
    brotli::CompressorWriter::new(&mut out, 4096, quality, window).write_all(bytes)?;
    Ok(out)
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}
