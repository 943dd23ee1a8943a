//! Tests of the tar reader: archives with long names, very long descriptions and long members.

use std::fs;

use ::tar::{Builder, EntryType, Header};
use tempfile::TempPath;

use crate::batch::{Item, Record};
use crate::input::Input;
use crate::input::reader::{Limits, Position};
use crate::interrupt::Interrupt;

#[test]
fn long_names_are_read_in_gnu_and_pax_form() {
    let name = format!("robots/{}", "host/".repeat(80));
    let gnu = write_tar(|tar| {
        let mut header = header_of_size(2);
        tar.append_data(&mut header, &name, &b"a\n"[..]).unwrap();
        tar.append_data(&mut header, "short", &b"b\n"[..]).unwrap();
    });
    assert_eq!(members(gnu), [name.as_str(), "short"]);
    let pax = write_tar(|tar| {
        let mut header = header_of_size(2);
        tar.append_pax_extensions([("path", name.as_bytes())])
            .unwrap();
        tar.append_data(&mut header, "cut", &b"a\n"[..]).unwrap();
        tar.append_data(&mut header_of_size(2), "short", &b"b\n"[..])
            .unwrap();
    });
    assert_eq!(members(pax), [name.as_str(), "short"]);
}

#[test]
fn an_overlong_name_is_a_broken_record() {
    for kind in [
        EntryType::GNULongName,
        EntryType::GNULongLink,
        EntryType::XHeader,
    ] {
        let path = write_tar(|tar| {
            tar.append_data(&mut header_of_size(2), "first", &b"a\n"[..])
                .unwrap();
            let mut header = header_of_size(3 << 20);
            header.set_entry_type(kind);
            let name = vec![b'a'; 3 << 20];
            tar.append_data(&mut header, "@", &name[..]).unwrap();
            tar.append_data(&mut header_of_size(2), "second", &b"b\n"[..])
                .unwrap();
        });
        assert_eq!(members(path), ["first", "BrokenRecord"], "{kind:?}");
    }
}

#[test]
fn a_member_over_the_limit_does_not_hide_the_next() {
    let path = write_tar(|tar| {
        let long = vec![b'#'; 3 << 20];
        tar.append_data(&mut header_of_size(3 << 20), "first", &long[..])
            .unwrap();
        tar.append_data(&mut header_of_size(2), "second", &b"b\n"[..])
            .unwrap();
    });
    assert_eq!(members(path), ["first", "second"]);
}

fn header_of_size(bytes: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_size(bytes);
    header
}

fn write_tar(write: impl FnOnce(&mut Builder<Vec<u8>>)) -> TempPath {
    let mut tar = Builder::new(Vec::new());
    write(&mut tar);
    let path = tempfile::Builder::new().suffix(".tar").tempfile().unwrap();
    fs::write(&path, tar.into_inner().unwrap()).unwrap();
    path.into_temp_path()
}

/// Reads the archive and returns the names of its members, or the reasons why they are skipped.
fn members(path: TempPath) -> Vec<String> {
    let limits = Limits {
        batch: usize::MAX,
        max_bytes: 2000,
        interrupt: Interrupt::default(),
    };
    let input = Input::find(&path).remove(0);
    let mut reader = input.open(&limits, Position::default()).unwrap();
    let chunk = reader.next();
    assert!(chunk.is_last && chunk.failure.is_none(), "{chunk:?}");
    let name = |item: Item| match item.record {
        Record::Skipped(reason) => format!("{reason:?}"),
        _ => item.place.member,
    };
    chunk.batch.items.into_iter().map(name).collect()
}
