//! Archives with long names, sparse members and damage.

use std::fs;

use ::tar::{Builder, EntryType, Header};
use tempfile::TempPath;

use crate::batch::Item;
use crate::input::Input;
use crate::input::reader::{Limits, Position};
use crate::interrupt::Interrupt;

#[test]
fn long_names_are_names_in_either_form() {
    let name = format!("robots/{}", "host/".repeat(80));
    let gnu = written(|tar| {
        let mut header = of_size(2);
        tar.append_data(&mut header, &name, &b"a\n"[..]).unwrap();
        tar.append_data(&mut header, "short", &b"b\n"[..]).unwrap();
    });
    assert_eq!(members(gnu), [name.as_str(), "short"]);
    let pax = written(|tar| {
        let mut header = of_size(2);
        tar.append_pax_extensions([("path", name.as_bytes())])
            .unwrap();
        tar.append_data(&mut header, "cut", &b"a\n"[..]).unwrap();
        tar.append_data(&mut of_size(2), "short", &b"b\n"[..])
            .unwrap();
    });
    assert_eq!(members(pax), [name.as_str(), "short"]);
}

#[test]
fn a_name_without_end_is_not_read_to_its_end() {
    for kind in [
        EntryType::GNULongName,
        EntryType::GNULongLink,
        EntryType::XHeader,
    ] {
        let path = written(|tar| {
            tar.append_data(&mut of_size(2), "first", &b"a\n"[..])
                .unwrap();
            let mut header = of_size(3 << 20);
            header.set_entry_type(kind);
            let name = vec![b'a'; 3 << 20];
            tar.append_data(&mut header, "@", &name[..]).unwrap();
            tar.append_data(&mut of_size(2), "second", &b"b\n"[..])
                .unwrap();
        });
        assert_eq!(members(path), ["first", "BrokenRecord"], "{kind:?}");
    }
}

#[test]
fn a_long_member_is_passed_over_however_long() {
    let path = written(|tar| {
        let long = vec![b'#'; 3 << 20];
        tar.append_data(&mut of_size(3 << 20), "first", &long[..])
            .unwrap();
        tar.append_data(&mut of_size(2), "second", &b"b\n"[..])
            .unwrap();
    });
    assert_eq!(members(path), ["first", "second"]);
}

fn of_size(octets: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_size(octets);
    header
}

fn written(write: impl FnOnce(&mut Builder<Vec<u8>>)) -> TempPath {
    let mut tar = Builder::new(Vec::new());
    write(&mut tar);
    let path = tempfile::Builder::new().suffix(".tar").tempfile().unwrap();
    fs::write(&path, tar.into_inner().unwrap()).unwrap();
    path.into_temp_path()
}

/// Their names, or what was passed over.
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
    let name = |item: Item| match item {
        Item::Skipped(passed, _) => format!("{passed:?}"),
        item => item.place().member.clone(),
    };
    chunk.batch.into_parts().1.into_iter().map(name).collect()
}
