//! A store on Redis, for the machines of one crawler.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, mem};

use polite_robots_policy::Entry;
use redis::{Client, Connection, Pipeline, RedisResult};
use sha2::{Digest as _, Sha256};

use crate::store::batch::Batch;
use crate::store::interface::Store;
use crate::store::key::Key;
use crate::store::record::decode;
use crate::store::store_error::StoreError;

/// A store on Redis, or on Valkey, which speaks the same protocol: for the machines of one crawler,
/// each of which owns its part of the hosts. A machine that gets the hosts of a dead one finds
/// their memory here.
///
/// Each batch is one transaction. The rules of a robots.txt that many hosts have are stored once,
/// under their hash. A record is dropped [40 days](https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.4)
/// after its last change, when a robots.txt in an outage no longer counts either; let the server
/// keep its data on a disk (`appendonly yes`) and evict nothing (`maxmemory-policy noeviction`).
///
/// [`Store::last_stop`] is always [`LastStop::Crash`](crate::store::LastStop::Crash), as any
/// machine may have died a moment before. Each host that a client meets waits for one gap, and a
/// record that Redis has lost is no harm: the host waits for a gap, and its robots.txt is fetched
/// again.
///
/// While Redis is away, hosts that the client knows are crawled on, and pages of other hosts get
/// `Error::Store`, to be asked for again later. A call waits for two seconds at most to connect,
/// and as long each time that Redis is silent. One call goes after the other. In the second after a
/// call that failed, calls fail at once. Changes are kept, and are saved when Redis is back.
///
/// ```
/// use polite_robots_client::store::RedisStore;
///
/// // Connects when it is used first.
/// let store = RedisStore::new("redis://127.0.0.1/", "news-crawl")?;
/// # Ok::<(), polite_robots_client::store::StoreError>(())
/// ```
pub struct RedisStore {
    client: Client,
    crawl: String,
    link: Mutex<Link>,
}

/// The way to the server.
#[derive(Default)]
enum Link {
    #[default]
    Closed,
    Open(Connection),
    /// The server does not answer, and is left alone until then.
    Failed(Instant),
}

/// The error of a call shortly after one that failed.
#[derive(Debug, thiserror::Error)]
#[error("Redis failed less than a second ago")]
struct Resting;

impl RedisStore {
    /// The store of a crawl at a server. `address` is a URL such as `redis://user:password@host/`
    /// or `redis+unix:///run/redis.sock`; `crawl` names the crawl, and begins all keys.
    ///
    /// It connects when it is used first, so that a crawler can start while Redis is away. For
    /// `rediss:` turn on a feature for TLS of the crate `redis`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Address`] if `address` is no such URL.
    pub fn new(address: &str, crawl: &str) -> Result<RedisStore, StoreError> {
        let client = Client::open(address).map_err(|error| StoreError::Address(error.into()))?;
        Ok(RedisStore {
            client,
            crawl: crawl.to_string(),
            link: Mutex::default(),
        })
    }

    /// The name of a record at the server.
    fn name(&self, key: &Key) -> Vec<u8> {
        format!("{}:{}", self.crawl, key.as_str()).into_bytes()
    }

    /// The name of a part that records share.
    fn shared_name(&self, hash: &Hash) -> Vec<u8> {
        [self.crawl.as_bytes(), b":shared ", hash].concat()
    }

    /// Calls the server, unless it failed a moment ago.
    fn call<T>(
        &self,
        call: impl Fn(&mut Connection) -> RedisResult<T>,
    ) -> Result<T, Box<dyn Error + Send + Sync>> {
        // No call panics under the lock; the connection of one that did would be gone.
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        let open = match mem::take(&mut *link) {
            Link::Failed(until) if Instant::now() < until => {
                *link = Link::Failed(until);
                return Err(Resting.into());
            }
            Link::Open(connection) => Some(connection),
            Link::Failed(_) | Link::Closed => None,
        };
        match self.call_by(open, call) {
            Ok((connection, value)) => {
                *link = Link::Open(connection);
                Ok(value)
            }
            Err(error) => {
                *link = Link::Failed(Instant::now() + REST);
                Err(error.into())
            }
        }
    }

    /// Makes a call on the connection, or on a new one if the server has closed it. A transaction
    /// that was done before that is done once more, which changes nothing.
    fn call_by<T>(
        &self,
        open: Option<Connection>,
        call: impl Fn(&mut Connection) -> RedisResult<T>,
    ) -> RedisResult<(Connection, T)> {
        if let Some(mut connection) = open {
            match call(&mut connection) {
                Err(error) if error.is_connection_dropped() => {}
                result => return result.map(|value| (connection, value)),
            }
        }
        let mut connection = self.client.get_connection_with_timeout(PATIENCE)?;
        connection.set_read_timeout(Some(PATIENCE))?;
        connection.set_write_timeout(Some(PATIENCE))?;
        let value = call(&mut connection)?;
        Ok((connection, value))
    }

    /// Makes the shared parts that the server has last, and adds the others to a transaction.
    fn share(
        &self,
        shared: &BTreeMap<Hash, &[u8]>,
        changes: &mut Pipeline,
        connection: &mut Connection,
    ) -> RedisResult<()> {
        if shared.is_empty() {
            return Ok(());
        }
        let mut renewals = redis::pipe();
        for hash in shared.keys() {
            let name = self.shared_name(hash);
            renewals.cmd("EXPIRE").arg(name).arg(SHARED_LIFETIME);
        }
        let are_there: Vec<bool> = renewals.query(connection)?;
        for ((hash, bytes), is_there) in shared.iter().zip(are_there) {
            if !is_there {
                changes.set_ex(self.shared_name(hash), *bytes, SHARED_LIFETIME);
            }
        }
        Ok(())
    }
}

impl Store for RedisStore {
    fn load(&self, key: &Key) -> Result<Option<Vec<u8>>, StoreError> {
        let loaded = self.call(|connection| {
            let Some(stored) = get(connection, self.name(key))? else {
                return Ok(None);
            };
            Ok(match stored.split_first() {
                Some((&WITH_SHARED, rest)) => match rest.split_first_chunk() {
                    Some((hash, own)) => get(connection, self.shared_name(hash))?
                        .map(|shared| [own, &shared].concat()),
                    None => Some(Vec::new()),
                },
                Some((&WHOLE, record)) => Some(record.to_vec()),
                // This store did not write it. An empty record counts as corrupt.
                _ => Some(Vec::new()),
            })
        });
        loaded.map_err(StoreError::Load)
    }

    fn save(&self, batch: &Batch) -> Result<(), StoreError> {
        let mut records = redis::pipe();
        let mut shared = BTreeMap::new();
        for (key, record) in batch.changes() {
            let Some(record) = record else {
                records.del(self.name(key));
                continue;
            };
            let (own, rules) = record.split_at(own_len(key, record));
            let stored = if rules.is_empty() {
                [&[WHOLE], own].concat()
            } else {
                let hash: Hash = Sha256::digest(rules).into();
                shared.insert(hash, rules);
                [&[WITH_SHARED], &hash[..], own].concat()
            };
            records.set_ex(self.name(key), stored, LIFETIME);
        }
        let saved = self.call(|connection| {
            let mut changes = records.clone();
            self.share(&shared, changes.atomic(), connection)?;
            changes.exec(connection)
        });
        saved.map_err(StoreError::Save)
    }
}

impl fmt::Debug for RedisStore {
    /// Without the address, which may have a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut this = f.debug_struct("RedisStore");
        this.field("crawl", &self.crawl).finish_non_exhaustive()
    }
}

fn get(connection: &mut Connection, name: Vec<u8>) -> RedisResult<Option<Vec<u8>>> {
    redis::cmd("GET").arg(name).query(connection)
}

/// The length of the part of a record that belongs to its host alone: all of it, without the rules
/// of a robots.txt at its end.
fn own_len(key: &Key, record: &[u8]) -> usize {
    let entry = key.is_entry().then(|| decode::<Entry>(record));
    let rules = match &entry {
        Some(Ok(entry)) => postcard::to_allocvec(&entry.content()).unwrap_or_default(),
        _ => Vec::new(),
    };
    if rules.len() >= LEAST_SHARED && record.ends_with(&rules) {
        record.len() - rules.len()
    } else {
        record.len()
    }
}

/// SHA-256, as sites choose the content of their files.
type Hash = [u8; 32];

/// The first byte of a stored record.
const WHOLE: u8 = 1;
/// The first byte of a stored record whose end is stored under the hash that follows.
const WITH_SHARED: u8 = 2;

/// Rules of fewer bytes are no longer than twice their hash.
const LEAST_SHARED: usize = 64;

/// The seconds after which a record is dropped that did not change: more than the 30 days of RFC
/// 9309 §2.3.1.4.
const LIFETIME: u64 = 40 * 86_400;
/// A shared part outlives the records that point to it.
const SHARED_LIFETIME: u64 = LIFETIME + 86_400;

/// A server on the same network answers in milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);
/// The time for which a server that failed is not asked, so that callers do not queue for it.
const REST: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use polite_robots::RobotsTxt;
    use polite_robots_policy::fetch::{BodyEnd, Freshness, Validators};
    use polite_robots_policy::{Origin, Outcome, Pacer, Profile, Timestamp};

    use super::*;
    use crate::store::laws::assert_is_a_map;
    use crate::store::records::{Loaded, Records};
    use crate::store::redis_server::RedisServer;

    fn origin(host: usize) -> Origin {
        Origin::of(&format!("https://h{host}.example")).unwrap()
    }

    /// The entry of a site that answered with a file.
    fn entry(host: usize, file: &str) -> Entry {
        let mut entry = Entry::for_origin(&origin(host));
        let outcome = Outcome::Parsed {
            robots_txt: RobotsTxt::parse(file.as_bytes()),
            freshness: Freshness::default(),
            validators: Validators::default(),
            end: BodyEnd::Complete,
        };
        let now = Timestamp::from_millis(1_767_225_600_000 + host as u64);
        entry.handle(outcome, &Profile::rfc9309(), now);
        entry
    }

    fn keys(store: &RedisStore) -> Vec<Vec<u8>> {
        store
            .call(|connection| redis::cmd("KEYS").arg("*").query(connection))
            .unwrap()
    }

    #[test]
    fn the_store_is_a_map() {
        let Some(server) = RedisServer::start() else {
            return;
        };
        let store = RedisStore::new(server.address(), "a").unwrap();
        assert_is_a_map(&store);
        // Another crawl at the same server is another map.
        assert_is_a_map(&RedisStore::new(server.address(), "b").unwrap());
    }

    #[test]
    fn rules_that_hosts_share_are_stored_once() {
        const HOSTS: usize = 300;
        let Some(server) = RedisServer::start() else {
            return;
        };
        let store = RedisStore::new(server.address(), "crawl").unwrap();
        let file = format!("User-agent: *\n{}", "Disallow: /private\n".repeat(1_000));
        for half in [0..HOSTS / 2, HOSTS / 2..HOSTS] {
            let mut batch = Batch::new();
            for host in half {
                let entry = entry(host, &file);
                batch.insert_entry(&origin(host), &entry).unwrap();
            }
            store.save(&batch).unwrap();
            for (key, bytes) in batch.changes() {
                assert_eq!(store.load(key).unwrap().as_deref(), bytes);
            }
        }
        let keys = keys(&store);
        assert_eq!(keys.len(), HOSTS + 1);
        for key in &keys {
            let (length, lifetime): (usize, u64) = store
                .call(|connection| {
                    let mut both = redis::pipe();
                    both.strlen(key).ttl(key).query(connection)
                })
                .unwrap();
            let is_shared = key.starts_with(b"crawl:shared ");
            assert_eq!(length > 300, is_shared, "{length}");
            assert!(lifetime > 39 * 86_400, "{lifetime}");
        }

        // Without the shared part, its hosts count as those whose robots.txt is not known.
        let shared = keys.iter().find(|key| key.starts_with(b"crawl:shared "));
        let remove = |connection: &mut Connection| redis::cmd("DEL").arg(shared).exec(connection);
        store.call(remove).unwrap();
        assert_eq!(store.load(&Key::entry(&origin(0))).unwrap(), None);
    }

    #[test]
    fn a_foreign_value_is_a_corrupt_record() {
        let Some(server) = RedisServer::start() else {
            return;
        };
        let store = RedisStore::new(server.address(), "crawl").unwrap();
        for value in ["", "\u{1}", "\u{2}", "\u{2}short", "text"] {
            let plant = |connection: &mut Connection| {
                redis::cmd("SET")
                    .arg("crawl:pacer a.example")
                    .arg(value)
                    .exec(connection)
            };
            store.call(plant).unwrap();
            let records = Records::new(RedisStore::new(server.address(), "crawl").unwrap());
            let loaded = records.pacer("a.example").unwrap();
            assert!(
                matches!(loaded, Loaded::Corrupt(_)),
                "{value:?}: {loaded:?}"
            );
            assert_eq!(records.pacer("a.example").unwrap(), Loaded::Missing);
        }
    }

    #[test]
    fn a_server_that_comes_back_has_what_was_saved() {
        let Some(mut server) = RedisServer::start() else {
            return;
        };
        let store = RedisStore::new(server.address(), "crawl").unwrap();
        let (mut batch, key) = (Batch::new(), Key::pacer("a.example"));
        batch.insert_pacer("a.example", &Pacer::new()).unwrap();
        store.save(&batch).unwrap();
        // The old connection is broken.
        server.kill();
        server.restart();
        assert!(store.load(&key).unwrap().is_some());

        server.kill();
        let away = store.load(&key).unwrap_err();
        assert!(matches!(away, StoreError::Load(_)), "{away}");
        server.restart();
        // Until the rest is over.
        while let Err(error) = store.save(&batch) {
            assert_eq!(error.source().unwrap().to_string(), Resting.to_string());
        }
        assert!(store.load(&key).unwrap().is_some());
    }

    /// It accepts connections and answers nothing, as a machine that swaps does.
    #[test]
    fn a_server_that_hangs_holds_up_nobody_for_long() {
        let Some(server) = RedisServer::start() else {
            return;
        };
        let store = RedisStore::new(server.address(), "crawl").unwrap();
        let key = Key::pacer("a.example");
        assert_eq!(store.load(&key).unwrap(), None);
        server.signal("STOP");
        let began = Instant::now();
        assert!(store.load(&key).is_err());
        assert!(began.elapsed() >= PATIENCE);
        let refused = store.load(&key).unwrap_err();
        assert_eq!(refused.source().unwrap().to_string(), Resting.to_string());
        server.signal("CONT");
    }

    #[test]
    fn an_address_that_is_none_is_refused_and_a_password_is_not_shown() {
        let refused = RedisStore::new("no address", "crawl").unwrap_err();
        assert!(matches!(refused, StoreError::Address(_)), "{refused}");
        let store = RedisStore::new("redis://bot:secret@127.0.0.1/", "crawl").unwrap();
        assert!(!format!("{store:?}").contains("secret"));
    }
}
