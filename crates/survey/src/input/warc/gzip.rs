//! The frame of a gzip member (RFC 1952 §2.3), around its deflated bytes.
//!
//! `flate2` reads it too, but begins each member with a decompressor of its own, whose window has to be cleared: a tenth
//! of a survey of records that are members.

use flate2::Crc;

/// The header of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Header {
    /// A header of this many bytes.
    Whole(usize),
    /// There is more of it than is here.
    Cut,
    /// A header of this many bytes, with a checksum that does not fit.
    Damaged(usize),
    /// No member begins so.
    Wrong,
}

impl Header {
    pub(super) fn of(octets: &[u8]) -> Header {
        let Some(fixed) = octets.first_chunk::<FIXED>() else {
            let length = octets.len().min(MAGIC.len());
            return match octets.get(..length) {
                Some(start) if MAGIC.starts_with(start) => Header::Cut,
                _ => Header::Wrong,
            };
        };
        let [.., flags, _, _, _, _, _, _] = *fixed;
        if !fixed.starts_with(MAGIC) || flags & RESERVED_FLAGS != 0 {
            return Header::Wrong;
        }
        match without_checksum(octets, flags) {
            Header::Whole(end) if flags & CHECKSUM != 0 => with_checksum(octets, end),
            header => header,
        }
    }
}

/// With the other fields that may be there.
fn without_checksum(octets: &[u8], flags: u8) -> Header {
    let mut end = FIXED;
    if flags & EXTRA != 0 {
        let Some(length) = octets.get(end..).and_then(<[u8]>::first_chunk) else {
            return Header::Cut;
        };
        end += 2 + usize::from(u16::from_le_bytes(*length));
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            let rest = octets.get(end..).unwrap_or_default();
            let text = rest.get(..LONGEST_TEXT).unwrap_or(rest);
            match memchr::memchr(0, text) {
                Some(at) => end += at + 1,
                None if text.len() < LONGEST_TEXT => return Header::Cut,
                None => return Header::Wrong,
            }
        }
    }
    if end <= octets.len() {
        Header::Whole(end)
    } else {
        Header::Cut
    }
}

fn with_checksum(octets: &[u8], end: usize) -> Header {
    let (header, rest) = octets.split_at_checked(end).unwrap_or_default();
    let Some(written) = rest.first_chunk() else {
        return Header::Cut;
    };
    let mut checksum = Crc::new();
    checksum.update(header);
    let length = end + written.len();
    if checksum.sum() & 0xFFFF == u32::from(u16::from_le_bytes(*written)) {
        Header::Whole(length)
    } else {
        Header::Damaged(length)
    }
}

/// The trailer of a member: the checksum and the length of its content.
pub(super) fn trailer(of: &Crc) -> [u8; TRAILER] {
    let [a, b, c, d] = of.sum().to_le_bytes();
    let [e, f, g, h] = of.amount().to_le_bytes();
    [a, b, c, d, e, f, g, h]
}

pub(super) const TRAILER: usize = 8;

/// With the only method there is.
pub(super) const MAGIC: &[u8] = b"\x1f\x8b\x08";

/// Bytes that every header has.
const FIXED: usize = 10;

/// Bytes of a name or a comment with its end. Without a limit, what only looks like a header could be of any length.
const LONGEST_TEXT: usize = 4 * 1024;

const CHECKSUM: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;
pub(super) const RESERVED_FLAGS: u8 = 0b1110_0000;

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, GzBuilder};

    use super::Header;

    #[test]
    fn headers_end_where_flate2_ends_them() {
        let plain = GzBuilder::new();
        let named = GzBuilder::new().filename("robots.warc").comment("a crawl");
        let extra = GzBuilder::new().extra(vec![0; 300]).filename("x");
        for (header, builder) in [(10, plain), (30, named), (314, extra)] {
            let mut writer = builder.write(Vec::new(), Compression::fast());
            writer.write_all(b"robots").unwrap();
            let member = writer.finish().unwrap();
            assert_eq!(Header::of(&member), Header::Whole(header));
            for length in 0..header {
                assert_eq!(Header::of(&member[..length]), Header::Cut, "{length}");
            }
        }
    }

    #[test]
    fn a_header_may_have_a_checksum() {
        let mut header = vec![0x1f, 0x8b, 8, 2, 0, 0, 0, 0, 0, 3];
        let mut checksum = flate2::Crc::new();
        checksum.update(&header);
        header.extend(&checksum.sum().to_le_bytes()[..2]);
        assert_eq!(Header::of(&header), Header::Whole(12));
        header[11] ^= 1;
        assert_eq!(Header::of(&header), Header::Damaged(12));
        assert_eq!(Header::of(&header[..11]), Header::Cut);
    }

    #[test]
    fn what_is_no_header_is_wrong_at_once() {
        for octets in [
            &b"W"[..],
            b"\x1f\x8c",
            b"\x1f\x8b\x07",
            b"\x1f\x8b\x08\x80\0\0\0\0\0\0",
        ] {
            assert_eq!(Header::of(octets), Header::Wrong);
        }
        let mut endless = b"\x1f\x8b\x08\x08\0\0\0\0\0\x03".to_vec();
        endless.resize(10 + 4 * 1024, b'a');
        assert_eq!(Header::of(&endless), Header::Wrong);
        assert_eq!(Header::of(&endless[..1000]), Header::Cut);
        assert_eq!(Header::of(b""), Header::Cut);
    }
}
