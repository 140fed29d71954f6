//! Files that take long to make, such as PDF: they are made outside of the threads that serve requests, one at a time, and the
//! latest are kept. And texts that never change: the latest that were read are kept.

use std::sync::Arc;

use bytes::Bytes;
use hyper::header::HeaderValue;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tokio::sync::Semaphore;

use crate::blocking;
use crate::error::Result;

/// How many bytes of files, and of texts, are kept.
const KEPT_BYTES: u64 = 8 * 1024 * 1024;

/// The number of files that the cache expects.
const KEPT_FILES: usize = 64;

/// The files of one process.
pub struct MadeFiles {
    making: Arc<Semaphore>,
    kept: Cache<String, Bytes, Length>,
}

#[derive(Clone)]
struct Length;

impl Weighter<String, Bytes> for Length {
    fn weight(&self, key: &String, file: &Bytes) -> u64 {
        (key.len() + file.len()) as u64
    }
}

impl Default for MadeFiles {
    fn default() -> Self {
        Self {
            making: Arc::new(Semaphore::new(1)),
            kept: Cache::with_weighter(KEPT_FILES, KEPT_BYTES, Length),
        }
    }
}

impl MadeFiles {
    /// The file that has this `key`, a hash of all that is in it. It is made if it is not kept.
    pub async fn get(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<Vec<u8>> + Send + 'static,
    ) -> Result<Bytes> {
        let made = async { blocking::run(&self.making, make).await.map(Bytes::from) };
        self.kept.get_or_insert_async(key, made).await
    }
}

/// A text that never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptText {
    /// The text.
    pub text: Bytes,
    /// Its ETag.
    pub tag: HeaderValue,
}

impl Weighter<String, KeptText> for Length {
    fn weight(&self, key: &String, kept: &KeptText) -> u64 {
        (key.len() + kept.text.len()) as u64
    }
}

/// The texts that one process has read last. Their keys name the organization.
pub struct KeptTexts(Cache<String, KeptText, Length>);

impl Default for KeptTexts {
    fn default() -> Self {
        Self(Cache::with_weighter(KEPT_FILES, KEPT_BYTES, Length))
    }
}

impl KeptTexts {
    /// The text with this key, if it is kept.
    pub fn get(&self, key: &str) -> Option<KeptText> {
        self.0.get(key)
    }

    /// Keeps a text that no later request may find different.
    pub fn keep(&self, key: String, text: KeptText) {
        self.0.insert(key, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[tokio::test]
    async fn a_file_is_made_once_and_a_fault_is_not_kept() {
        let files = MadeFiles::default();
        assert!(files.get("a", || Err(Error::internal("no"))).await.is_err());
        assert_eq!(files.get("a", || Ok(vec![1])).await.unwrap(), vec![1]);
        assert_eq!(files.get("a", || Ok(vec![2])).await.unwrap(), vec![1]);
        assert_eq!(files.get("b", || Ok(vec![3])).await.unwrap(), vec![3]);
    }

    #[test]
    fn the_texts_that_are_kept_have_a_most_length() {
        let (texts, length, tag) = (KeptTexts::default(), 512 * 1024, HeaderValue::from_static("\"1\""));
        for key in 0..64 {
            let text = KeptText { text: vec![key; length].into(), tag: tag.clone() };
            texts.keep(key.to_string(), text.clone());
            let kept = texts.get(&key.to_string());
            assert!(kept.is_none_or(|kept| kept == text), "{key}");
        }
        let kept = (0..64).filter(|key| texts.get(&key.to_string()).is_some()).count();
        assert!((1..=usize::try_from(KEPT_BYTES).unwrap() / length).contains(&kept), "{kept}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_next_waits_for_one_whose_client_is_gone() {
        let files = MadeFiles::default();
        let (begun, has_begun) = std::sync::mpsc::channel();
        let (end, may_end) = std::sync::mpsc::channel::<()>();
        let (ended, has_ended) = std::sync::mpsc::channel();
        let first = files.get("a", move || {
            begun.send(()).unwrap();
            may_end.recv().unwrap();
            ended.send(()).unwrap();
            Ok(vec![1])
        });
        let gone = async { tokio::task::block_in_place(|| has_begun.recv().unwrap()) };
        tokio::select! {
            biased;
            _ = first => panic!("it cannot end"),
            () = gone => {}
        }
        let second = files.get("b", move || {
            assert!(has_ended.try_recv().is_ok(), "the first goes on");
            Ok(vec![2])
        });
        let send = async { end.send(()).unwrap() };
        assert_eq!(tokio::join!(second, send).0.unwrap(), vec![2]);
    }
}
