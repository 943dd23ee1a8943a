//! WARC (ISO 28500), plain or with gzip members, as Common Crawl's robotstxt archives are.
//!
//! A record's frame is believed only if it holds: after the block comes what ends it. Otherwise the record is passed
//! over, and reading goes on at the next line that looks like the start of one; a member that does not decode takes
//! its last record with it, and reading goes on at the next bytes that look like the start of a member. Where each
//! record is a member, which is what the format recommends, nothing else is lost.
//!
//! A record does not go over the end of a member.

mod gzip;
mod head;
mod octets;

use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use memchr::memmem;

use self::head::{Extent, Head, Kind};
use self::octets::{Octets, Step};
use crate::batch::Batch;
use crate::content::{BodyEnd, Place, SkipReason};
use crate::input::reader::{Chunk, Limits, Position, Reader};

#[derive(Debug)]
pub(super) struct Warc {
    input: Arc<PathBuf>,
    octets: Octets,
    limits: Limits,
    /// Bytes of this member that are not done with, from `at`.
    buffer: Vec<u8>,
    at: usize,
    /// The bytes of this member before `at`; in a plain file, of the file.
    within: u64,
    /// Where this member starts in the file; 0 of a plain file.
    member: u64,
    end: End,
    /// Whether a record was seen in this member.
    has_record: bool,
    search: Search,
}

/// The kind of end after the bytes in the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    NotSeen,
    OfMember,
    OfInput,
    /// The member does not decode any further.
    Broken,
}

/// Bytes that look like the start of a member may lie within a broken one: then they are no damage of their own, unless
/// it had a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Search {
    Off,
    ForMember,
}

/// The next part of the input.
enum Next {
    Record {
        head: Head,
        block: Range<usize>,
        end: BodyEnd,
        /// Where to go on.
        after: usize,
        /// Bytes of the block that are not in the buffer any more.
        dropped: u64,
    },
    /// No record, or one whose length is wrong.
    Lost {
        /// Where the next may start.
        from: usize,
        dropped: u64,
    },
    /// A record that does not decode to its end, or its member does not.
    Broken,
    End,
}

impl Next {
    fn lost(from: usize) -> Next {
        Next::Lost { from, dropped: 0 }
    }
}

/// The soundness of a block, by its end.
enum Frame {
    Sound,
    Wrong,
    /// The last record of a member that does not decode to its end.
    Broken,
}

impl Reader for Warc {
    fn next(&mut self) -> Chunk {
        let start = self.position();
        let mut batch = Batch::with_room(self.limits.batch);
        let mut result = Ok(true);
        while matches!(result, Ok(true))
            && !self.limits.interrupt.is_raised()
            && (self.search == Search::ForMember || !batch.holds(self.limits.batch))
        {
            result = self.record(&mut batch);
        }
        // A member may decode to anything, and a search may go through all of the file.
        if self.limits.interrupt.is_raised() {
            return Chunk::empty(start);
        }
        Chunk {
            batch,
            position: self.position(),
            octets_read: match &self.octets {
                Octets::Plain(_) => self.within,
                Octets::Gzip(members) => members.member(),
            },
            is_last: !matches!(result, Ok(true)),
            failure: result.err(),
        }
    }
}

impl Warc {
    pub(super) fn open(
        input: Arc<PathBuf>,
        limits: Limits,
        position: Position,
    ) -> io::Result<Warc> {
        let octets = Octets::open(&input, position)?;
        let mut warc = Warc {
            input,
            limits,
            buffer: Vec::new(),
            at: 0,
            within: match octets {
                Octets::Plain(_) => position.at,
                Octets::Gzip(_) => 0,
            },
            member: match octets {
                Octets::Plain(_) => 0,
                Octets::Gzip(_) => position.at,
            },
            octets,
            end: End::NotSeen,
            has_record: false,
            search: Search::Off,
        };
        warc.skip(position.within)?;
        Ok(warc)
    }

    /// To where an earlier run stopped within a member.
    fn skip(&mut self, mut octets: u64) -> io::Result<()> {
        // It stopped after a record.
        self.has_record = octets > 0;
        while octets > 0 {
            if self.rest().is_empty() && !self.more()? {
                return Err(io::Error::other(
                    "it ends before the place where the survey stopped",
                ));
            }
            let here = usize::try_from(octets)
                .unwrap_or(usize::MAX)
                .min(self.buffer.len());
            self.go_to(here, 0);
            octets -= here as u64;
        }
        Ok(())
    }

    fn position(&self) -> Position {
        match &self.octets {
            Octets::Plain(_) => Position {
                at: self.within,
                ..Position::default()
            },
            Octets::Gzip(members) if self.end == End::OfMember && self.rest().is_empty() => {
                Position {
                    at: members.member(),
                    within: 0,
                    gone_back: members.gone_back(),
                }
            }
            Octets::Gzip(members) => Position {
                at: self.member,
                within: self.within,
                gone_back: members.gone_back(),
            },
        }
    }

    /// Reads one record, or passes over what is not one. False at the end of the input.
    fn record(&mut self, batch: &mut Batch) -> io::Result<bool> {
        let next = self.find()?;
        let place = self.place();
        match next {
            Next::Record {
                head,
                block,
                end,
                after,
                dropped,
            } => {
                self.search = Search::Off;
                let block = self.buffer.get(block).unwrap_or_default();
                push(batch, place, head, block, end);
                self.go_to(after, dropped);
            }
            Next::Lost { from, dropped } => {
                self.within += dropped;
                self.find_start(from)?;
                // Bytes that decode to nonsense before they do not decode at all.
                if self.end == End::Broken && self.rest().is_empty() {
                    return self.leave_broken(batch, place);
                }
                batch.push_skipped(SkipReason::BrokenRecord, place);
            }
            Next::Broken => return self.leave_broken(batch, place),
            Next::End if self.end == End::OfInput => return Ok(false),
            Next::End => {
                self.search = Search::Off;
                self.start_member();
            }
        }
        Ok(true)
    }

    fn place(&self) -> Place {
        Place {
            input: Arc::clone(&self.input),
            member: String::new(),
            offset: match self.octets {
                Octets::Plain(_) => self.within,
                Octets::Gzip(_) => self.member,
            },
        }
    }

    fn find(&mut self) -> io::Result<Next> {
        self.skip_line_ends()?;
        if !self.require(RECORD.len())? && self.rest().is_empty() {
            return Ok(match self.end {
                End::Broken => Next::Broken,
                _ => Next::End,
            });
        }
        if !self.rest().starts_with(RECORD) {
            return Ok(Next::lost(self.at));
        }
        self.has_record = true;
        let Some(head_length) = self.head_length()? else {
            return Ok(match self.end {
                End::Broken => Next::Broken,
                _ => Next::lost(self.at),
            });
        };
        let head = self.rest().get(..head_length).and_then(head::parse);
        let Some(head) = head else {
            return Ok(Next::lost(self.at));
        };
        let block = self.at + head_length;
        match usize::try_from(head.length) {
            Ok(length) if length <= self.most() => self.block(head, block..block + length),
            _ => self.long_block(head, block),
        }
    }

    fn skip_line_ends(&mut self) -> io::Result<()> {
        loop {
            let line_ends = count_line_ends(self.rest());
            self.go_to(self.at + line_ends, 0);
            if !self.rest().is_empty() || !self.grow()? {
                return Ok(());
            }
        }
    }

    fn head_length(&mut self) -> io::Result<Option<usize>> {
        loop {
            match Extent::of(self.rest()) {
                Extent::Whole(length) => return Ok(Some(length)),
                Extent::Wrong => return Ok(None),
                Extent::Cut => {}
            }
            if self.rest().len() > LONGEST_HEAD || !self.grow()? {
                return Ok(None);
            }
        }
    }

    /// A record whose block fits in memory.
    fn block(&mut self, head: Head, block: Range<usize>) -> io::Result<Next> {
        let is_whole = self.require(block.end - self.at)?;
        let end = if is_whole && !head.is_truncated {
            BodyEnd::Complete
        } else {
            BodyEnd::CutShort
        };
        let in_buffer = block.start..block.end.min(self.buffer.len());
        let frame = if is_whole {
            self.frame(block.end)?
        } else if self.find_signature(block.start - 1..block.end).is_some() {
            Frame::Wrong
        } else if self.end == End::Broken {
            Frame::Broken
        } else {
            Frame::Sound
        };
        Ok(match frame {
            Frame::Wrong => Next::lost(block.start - 1),
            Frame::Broken => Next::Broken,
            Frame::Sound => Next::Record {
                head,
                after: in_buffer.end,
                block: in_buffer,
                end,
                dropped: 0,
            },
        })
    }

    /// Whether a block ends here: the two line ends of the format come after it, or at least the next record or the end.
    /// Looks as far as the end of a member whose last record it is, where a wrong checksum shows.
    fn frame(&mut self, end: usize) -> io::Result<Frame> {
        let mut from = end;
        loop {
            let most = self.buffer.len().min(end.saturating_add(MOST_LINE_ENDS));
            from += count_line_ends(self.buffer.get(from..most).unwrap_or_default());
            let length = self.buffer.len() - from;
            if length < RECORD.len() {
                if self.grow()? {
                    continue;
                }
                if self.end == End::Broken {
                    return Ok(Frame::Broken);
                }
            }
            let after = self.buffer.get(end..).unwrap_or_default();
            let rest = self.buffer.get(from..).unwrap_or_default();
            let is_sound =
                after.starts_with(END_OF_BLOCK) || rest.is_empty() || rest.starts_with(RECORD);
            return Ok(if is_sound { Frame::Sound } else { Frame::Wrong });
        }
    }

    /// A record longer than what is read of one: the rest is dropped as it comes. So long a length may well be wrong,
    /// and by the time that shows, what it leapt over is gone: the start of a record within the block ends it.
    fn long_block(&mut self, head: Head, block: usize) -> io::Result<Next> {
        let kept = block.saturating_add(self.most());
        let is_long = self.require(kept - self.at)?;
        // The line end of the head may be what stands before the next record.
        if let Some(start) = self.find_signature(block - 1..kept) {
            return Ok(Next::lost(start));
        }
        if !is_long && self.end == End::Broken {
            return Ok(Next::Broken);
        }
        if !is_long {
            let block = block..self.buffer.len();
            return Ok(Next::Record {
                head,
                after: block.end,
                block,
                end: BodyEnd::CutShort,
                dropped: 0,
            });
        }
        let mut dropped = 0;
        let mut rest = head.length - self.most() as u64;
        loop {
            let beyond = self.buffer.len() - kept;
            let end = usize::try_from(rest).map_or(usize::MAX, |rest| kept.saturating_add(rest));
            if let Some(from) = self.find_signature(kept..end) {
                return Ok(Next::Lost { from, dropped });
            }
            if beyond as u64 >= rest {
                break;
            }
            let done = beyond.saturating_sub(SIGNATURE.len());
            self.buffer.drain(kept..kept + done);
            dropped += done as u64;
            rest -= done as u64;
            if !self.grow()? {
                rest = (self.buffer.len() - kept) as u64;
                break;
            }
        }
        let after = kept + usize::try_from(rest).unwrap_or_default();
        Ok(match self.frame(after)? {
            Frame::Wrong => Next::Lost {
                from: after,
                dropped,
            },
            Frame::Broken => Next::Broken,
            Frame::Sound => Next::Record {
                head,
                block: block..kept,
                end: BodyEnd::LimitReached,
                after,
                dropped,
            },
        })
    }

    /// Goes to the next line that looks like the start of a record, or to the end.
    fn find_start(&mut self, mut from: usize) -> io::Result<()> {
        loop {
            if let Some(line_end) = self.find_signature(from..usize::MAX) {
                self.go_to(line_end + 1, 0);
                return Ok(());
            }
            let seen = self.buffer.len().saturating_sub(SIGNATURE.len() - 1);
            self.go_to(seen.max(from), 0);
            from = self.at;
            if !self.grow()? {
                self.go_to(self.buffer.len(), 0);
                return Ok(());
            }
        }
    }

    /// The line end before what looks like the start of a record.
    fn find_signature(&self, within: Range<usize>) -> Option<usize> {
        let from = within.start;
        let within = from..within.end.min(self.buffer.len());
        memmem::find(self.buffer.get(within)?, SIGNATURE).map(|at| from + at)
    }

    /// Leaves a member that does not decode, for what looks like the next one.
    fn leave_broken(&mut self, batch: &mut Batch, place: Place) -> io::Result<bool> {
        if self.search == Search::Off || self.has_record {
            batch.push_skipped(SkipReason::BrokenCompression, place);
        }
        if let Octets::Gzip(members) = &mut self.octets {
            members.next_candidate()?;
        }
        self.search = Search::ForMember;
        self.start_member();
        Ok(true)
    }

    fn start_member(&mut self) {
        self.buffer.clear();
        self.at = 0;
        self.end = End::NotSeen;
        self.has_record = false;
        if let Octets::Gzip(members) = &self.octets {
            self.within = 0;
            self.member = members.member();
        }
    }

    fn rest(&self) -> &[u8] {
        self.buffer.get(self.at..).unwrap_or_default()
    }

    /// Whether so many bytes are there.
    fn require(&mut self, octets: usize) -> io::Result<bool> {
        while self.rest().len() < octets {
            if !self.grow()? {
                return Ok(self.rest().len() >= octets);
            }
        }
        Ok(true)
    }

    /// Adds bytes of this member to the buffer, if there are any more and it is not time to stop.
    fn grow(&mut self) -> io::Result<bool> {
        Ok(!self.limits.interrupt.is_raised() && self.more()?)
    }

    fn more(&mut self) -> io::Result<bool> {
        if self.end != End::NotSeen {
            return Ok(false);
        }
        let length = self.buffer.len();
        self.end = match self.octets.more(&mut self.buffer)? {
            Step::Some => End::NotSeen,
            Step::MemberEnd => End::OfMember,
            Step::InputEnd => End::OfInput,
            Step::Broken => End::Broken,
        };
        Ok(self.buffer.len() > length)
    }

    fn go_to(&mut self, at: usize, dropped: u64) {
        let at = at.min(self.buffer.len());
        self.within += (at - self.at) as u64 + dropped;
        self.at = at;
        // Seldom, as it moves what is left.
        if self.at == self.buffer.len() || self.at > ROOM {
            self.buffer.drain(..self.at);
            self.at = 0;
        }
    }

    /// Bytes of a block that are kept.
    fn most(&self) -> usize {
        self.limits.max_bytes.saturating_add(LONGEST_HEAD)
    }
}

fn push(batch: &mut Batch, place: Place, head: Head, block: &[u8], end: BodyEnd) {
    match head.kind {
        Kind::Http if is_robots_txt(&head.url) => {
            batch.push_http(place, head.url, block, end);
        }
        Kind::Http => batch.push_skipped(SkipReason::OtherPath, place),
        Kind::OtherProtocol => batch.push_skipped(SkipReason::NotHttp, place),
        Kind::NoResponse => batch.push_skipped(SkipReason::NotAResponse, place),
    }
}

fn is_robots_txt(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else {
        return false;
    };
    let Some((authority, path)) = rest.split_once('/') else {
        return false;
    };
    !authority.contains(['?', '#']) && path.split(['?', '#']).next() == Some("robots.txt")
}

fn count_line_ends(octets: &[u8]) -> usize {
    octets
        .iter()
        .take_while(|octet| matches!(octet, b'\r' | b'\n'))
        .count()
}

const RECORD: &[u8] = b"WARC/";

const END_OF_BLOCK: &[u8] = b"\r\n\r\n";

/// Bytes of line ends between two records. Without a limit, many records may lead to the same endless run of them.
const MOST_LINE_ENDS: usize = 1024;

const SIGNATURE: &[u8] = b"\nWARC/1.";

/// Bytes of the head of a record, and of the HTTP response in it: several times the heads that servers send.
const LONGEST_HEAD: usize = 64 * 1024;

/// Bytes that are done with and still in the buffer.
const ROOM: usize = 1024 * 1024;

#[cfg(test)]
mod generator;
#[cfg(test)]
mod tests;
