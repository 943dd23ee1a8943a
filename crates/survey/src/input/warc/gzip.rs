//! The header and trailer of a gzip member (RFC 1952 §2.3).
//!
//! `flate2` reads both too, but creates a decompressor for each member and clears its window. That
//! takes a tenth of the time of a survey in which each record is a member.

use flate2::Crc;

/// The result of reading the header of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Header {
    /// The header has this many bytes.
    Whole(usize),
    /// The header is longer than the bytes given.
    Cut,
    /// The header has this many bytes, and its checksum is wrong.
    Damaged(usize),
    /// The bytes do not begin a member.
    Wrong,
}

impl Header {
    /// Reads the header at the start of `bytes`.
    pub(super) fn read(bytes: &[u8]) -> Header {
        let Some(fixed) = bytes.first_chunk::<FIXED>() else {
            let length = bytes.len().min(MAGIC.len());
            return match bytes.get(..length) {
                Some(start) if MAGIC.starts_with(start) => Header::Cut,
                _ => Header::Wrong,
            };
        };
        let [.., flags, _, _, _, _, _, _] = *fixed;
        if !fixed.starts_with(MAGIC) || flags & RESERVED_FLAGS != 0 {
            return Header::Wrong;
        }
        match read_fields(bytes, flags) {
            Header::Whole(end) if flags & CHECKSUM != 0 => check_checksum(bytes, end),
            header => header,
        }
    }
}

/// Finds the end of the optional fields before the checksum.
fn read_fields(bytes: &[u8], flags: u8) -> Header {
    let mut end = FIXED;
    if flags & EXTRA != 0 {
        let Some(length) = bytes.get(end..).and_then(<[u8]>::first_chunk) else {
            return Header::Cut;
        };
        end += 2 + usize::from(u16::from_le_bytes(*length));
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            let rest = bytes.get(end..).unwrap_or_default();
            let text = rest.get(..LONGEST_TEXT).unwrap_or(rest);
            match memchr::memchr(0, text) {
                Some(at) => end += at + 1,
                None if text.len() < LONGEST_TEXT => return Header::Cut,
                None => return Header::Wrong,
            }
        }
    }
    if end <= bytes.len() {
        Header::Whole(end)
    } else {
        Header::Cut
    }
}

/// Compares the checksum that follows `end` with that of the header.
fn check_checksum(bytes: &[u8], end: usize) -> Header {
    let (header, rest) = bytes.split_at_checked(end).unwrap_or_default();
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
pub(super) fn trailer(content: &Crc) -> [u8; TRAILER] {
    let [a, b, c, d] = content.sum().to_le_bytes();
    let [e, f, g, h] = content.amount().to_le_bytes();
    [a, b, c, d, e, f, g, h]
}

/// The bytes of a trailer.
pub(super) const TRAILER: usize = 8;

/// The magic number with the only compression method, deflate.
pub(super) const MAGIC: &[u8] = b"\x1f\x8b\x08";

/// The bytes that every header has.
const FIXED: usize = 10;

/// The most bytes of a name or comment. Without a limit, bytes that only look like a header could
/// go on for ever.
const LONGEST_TEXT: usize = 4 * 1024;

/// The flags of a header.
const CHECKSUM: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;

/// The flags that every writer leaves at zero.
pub(super) const RESERVED_FLAGS: u8 = 0b1110_0000;

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, GzBuilder};

    use super::Header;

    #[test]
    fn headers_have_the_length_that_flate2_writes() {
        let plain = GzBuilder::new();
        let named = GzBuilder::new().filename("robots.warc").comment("a crawl");
        let extra = GzBuilder::new().extra(vec![0; 300]).filename("x");
        for (header, builder) in [(10, plain), (30, named), (314, extra)] {
            let mut writer = builder.write(Vec::new(), Compression::fast());
            writer.write_all(b"robots").unwrap();
            let member = writer.finish().unwrap();
            assert_eq!(Header::read(&member), Header::Whole(header));
            for length in 0..header {
                assert_eq!(Header::read(&member[..length]), Header::Cut, "{length}");
            }
        }
    }

    #[test]
    fn the_checksum_of_a_header_is_compared() {
        let mut header = vec![0x1f, 0x8b, 8, 2, 0, 0, 0, 0, 0, 3];
        let mut checksum = flate2::Crc::new();
        checksum.update(&header);
        header.extend(&checksum.sum().to_le_bytes()[..2]);
        assert_eq!(Header::read(&header), Header::Whole(12));
        header[11] ^= 1;
        assert_eq!(Header::read(&header), Header::Damaged(12));
        assert_eq!(Header::read(&header[..11]), Header::Cut);
    }

    #[test]
    fn bytes_that_are_not_a_header_are_refused() {
        for bytes in [
            &b"W"[..],
            b"\x1f\x8c",
            b"\x1f\x8b\x07",
            b"\x1f\x8b\x08\x80\0\0\0\0\0\0",
        ] {
            assert_eq!(Header::read(bytes), Header::Wrong);
        }
        let mut endless = b"\x1f\x8b\x08\x08\0\0\0\0\0\x03".to_vec();
        endless.resize(10 + 4 * 1024, b'a');
        assert_eq!(Header::read(&endless), Header::Wrong);
        assert_eq!(Header::read(&endless[..1000]), Header::Cut);
        assert_eq!(Header::read(b""), Header::Cut);
    }
}
