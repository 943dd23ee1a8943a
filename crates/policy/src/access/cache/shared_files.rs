//! The files of all origins, compiled once for each content.

use alloc::vec::Vec;
use core::hash::{Hash as _, Hasher as _};

use polite_robots::{Access, Cause, Robot, RobotsTxt};
use siphasher::sip::SipHasher24;

use crate::access::cache::weight::weight_of_file;
use crate::keyed_table::KeyedTable;

/// Compiled files by number. Origins whose files compile to equal rules, on equal lines, share one.
///
/// Files are compared, not only their hashes: a collision would let a stranger replace the rules of
/// another site.
#[derive(Debug, Default)]
pub(super) struct SharedFiles {
    files: Vec<Option<SharedFile>>,
    free: Vec<u32>,
    /// Numbers by the hash of their file.
    numbers: KeyedTable<u32>,
    weight: usize,
    /// Robots for whole sites: a crawl has few causes.
    blankets: Vec<(Access, Cause, Robot)>,
}

#[derive(Debug)]
struct SharedFile {
    robot: Robot,
    /// `None` unless the cache keeps documents.
    document: Option<RobotsTxt>,
    hash: u64,
    /// The origins that have it.
    users: u32,
    weight: u32,
}

impl SharedFiles {
    pub(super) fn robot(&self, number: u32) -> Option<&Robot> {
        Some(&self.get(number)?.robot)
    }

    pub(super) fn document(&self, number: u32) -> Option<&RobotsTxt> {
        self.get(number)?.document.as_ref()
    }

    pub(super) fn weight_of(&self, number: u32) -> usize {
        self.get(number).map_or(0, |file| file.weight as usize)
    }

    /// The sum of the weights.
    pub(super) fn weight(&self) -> usize {
        self.weight
    }

    /// Counts one more origin with this file.
    pub(super) fn insert(&mut self, robot: Robot, document: Option<RobotsTxt>) -> u32 {
        let mut hasher = SipHasher24::new();
        robot.hash(&mut hasher);
        let hash = hasher.finish();
        let is_same = |number: &u32| {
            let file = self.files.get(*number as usize).and_then(Option::as_ref);
            file.is_some_and(|file| file.robot == robot && file.document == document)
        };
        if let Some(number) = self.numbers.find(hash, is_same).copied() {
            if let Some(file) = self.get_mut(number) {
                file.users = file.users.saturating_add(1);
            }
            return number;
        }
        let weight = weight_of_file(&robot, document.as_ref());
        let file = SharedFile {
            robot,
            document,
            hash,
            users: 1,
            weight: u32::try_from(weight).unwrap_or(u32::MAX),
        };
        self.weight = self.weight.saturating_add(file.weight as usize);
        let number = self.place(file);
        let files = &self.files;
        self.numbers.insert_unique(hash, number, |number| {
            let file = files.get(*number as usize).and_then(Option::as_ref);
            file.map_or(0, |file| file.hash)
        });
        number
    }

    /// Counts one origin less with this file, and drops the file with the last one.
    pub(super) fn release(&mut self, number: u32) {
        let Some(file) = self.get_mut(number) else {
            return;
        };
        file.users = file.users.saturating_sub(1);
        if file.users > 0 {
            return;
        }
        let (hash, weight) = (file.hash, file.weight);
        self.weight = self.weight.saturating_sub(weight as usize);
        if let Some(place) = self.files.get_mut(number as usize) {
            *place = None;
        }
        self.free.push(number);
        if let Ok(entry) = self.numbers.find_entry(hash, |found| *found == number) {
            entry.remove();
        }
    }

    /// The robot for a whole site.
    pub(super) fn blanket(&mut self, access: Access, cause: Cause) -> Robot {
        let mut known = self.blankets.iter();
        if let Some((_, _, robot)) = known.find(|known| (known.0, known.1) == (access, cause)) {
            return robot.clone();
        }
        let robot = match access {
            Access::Allow => Robot::allow_all(cause),
            Access::Disallow => Robot::disallow_all(cause),
        };
        // A hostile fleet may answer with every status there is.
        if self.blankets.len() < MOST_BLANKETS {
            self.blankets.push((access, cause, robot.clone()));
        }
        robot
    }

    fn get(&self, number: u32) -> Option<&SharedFile> {
        self.files.get(number as usize)?.as_ref()
    }

    fn get_mut(&mut self, number: u32) -> Option<&mut SharedFile> {
        self.files.get_mut(number as usize)?.as_mut()
    }

    fn place(&mut self, file: SharedFile) -> u32 {
        if let Some(number) = self.free.pop() {
            if let Some(place) = self.files.get_mut(number as usize) {
                *place = Some(file);
            }
            return number;
        }
        let len = self.files.len();
        if len == self.files.capacity() {
            self.files.reserve_exact(len / 8 + 8);
        }
        self.files.push(Some(file));
        u32::try_from(len).unwrap_or(u32::MAX)
    }
}

const MOST_BLANKETS: usize = 32;
