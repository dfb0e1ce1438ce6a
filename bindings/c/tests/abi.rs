//! What programs that are already compiled rely on: names, layouts and numbers. `abi.txt` lists them, so that no change
//! to them is made unseen.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a library that cannot be read fails its tests")]
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

use object::elf::{DT_SONAME, FileHeader64};
use object::read::elf::{Dyn, ElfFile64, FileHeader};
use object::{Endianness, Object, ObjectSymbol};
use ratelimit::*;
use std::fmt::Write;
use std::mem::offset_of;
use std::path::{Path, PathBuf};

/// Writes a struct's size and its fields' places. A field that is left out does not compile.
macro_rules! layout {
    ($text:expr, $name:ident { $($field:ident),* }) => {{
        let _every_field = |$name { $($field: _),* }: $name| ();
        let (bytes, aligned) = (size_of::<$name>(), align_of::<$name>());
        writeln!($text, "\nstruct {}: {bytes} bytes, aligned to {aligned}", stringify!($name))?;
        $(writeln!($text, "  {:3} {}", offset_of!($name, $field), stringify!($field))?;)*
    }};
}

/// Writes an enum's numbers. A name that is left out does not compile.
macro_rules! numbers {
    ($text:expr, $name:ident { $($variant:ident),* }) => {{
        let _every_variant = |value: $name| match value { $($name::$variant => ()),* };
        writeln!($text, "\nenum {}: {} bytes", stringify!($name), size_of::<$name>())?;
        $(writeln!($text, "  {:3} {}", $name::$variant as i32, stringify!($variant))?;)*
    }};
}

/// The library that was built for this test, beside it.
fn library() -> Vec<u8> {
    let beside = std::env::current_exe().unwrap().with_file_name("libratelimit.so");
    std::fs::read(&beside).unwrap_or_else(|error| panic!("{}: {error}", beside.display()))
}

fn symbols(library: &[u8]) -> Vec<String> {
    let file = ElfFile64::<Endianness>::parse(library).unwrap();
    let defined = file.dynamic_symbols().filter(|symbol| symbol.is_definition());
    let mut names: Vec<String> = defined.map(|symbol| symbol.name().unwrap().to_owned()).collect();
    names.sort();
    names
}

fn soname(library: &[u8]) -> String {
    let header = FileHeader64::<Endianness>::parse(library).unwrap();
    let endian = header.endian().unwrap();
    let sections = header.sections(endian, library).unwrap();
    let (entries, link) = sections.dynamic(endian, library).unwrap().unwrap();
    let strings = sections.strings(endian, library, link).unwrap();
    let entry = entries.iter().find(|entry| entry.tag(endian) == DT_SONAME).unwrap();
    String::from_utf8(entry.string(endian, strings).unwrap().to_vec()).unwrap()
}

fn abi(library: &[u8]) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let out = &mut text;
    writeln!(out, "ABI {RATELIMIT_ABI_VERSION} of 64-bit Linux: {}", soname(library))?;
    writeln!(out, "\nsymbols")?;
    for symbol in symbols(library) {
        writeln!(out, "      {symbol}")?;
    }
    layout!(
        out,
        ratelimit_config {
            size,
            policies,
            policy_count,
            max_identities,
            clock,
            clock_context,
            warning,
            warning_context
        }
    );
    layout!(out, ratelimit_policy { algorithm, limit, window_ms, refill });
    layout!(out, ratelimit_key { bytes, length, kind });
    layout!(out, ratelimit_part { bytes, length });
    layout!(
        out,
        ratelimit_decision { kind, policy, limit, remaining, cost, reserved, reset_after_ms, retry_after_ms, at_ms }
    );
    layout!(
        out,
        ratelimit_http_client_options {
            size,
            trusted_hops,
            trusted_networks,
            trusted_network_count,
            forwarding_field,
            forwarding_field_length,
            ipv6_prefix
        }
    );
    layout!(
        out,
        ratelimit_http_limit { size, policies, policy_count, names, name_count, fields, saturated_status, decision }
    );
    layout!(out, ratelimit_http_statuses { first, last });
    layout!(out, ratelimit_stats_t { allowed, denied, saturated, exceeds_limit });
    numbers!(out, ratelimit_algorithm { RATELIMIT_FIXED_WINDOW, RATELIMIT_TOKEN_BUCKET, RATELIMIT_SLIDING_WINDOW });
    numbers!(out, ratelimit_key_kind { RATELIMIT_KEY_PLAIN, RATELIMIT_KEY_PARTS });
    numbers!(out, ratelimit_http_style { RATELIMIT_HTTP_STANDARD, RATELIMIT_HTTP_LEGACY, RATELIMIT_HTTP_OFF });
    numbers!(out, ratelimit_kind { RATELIMIT_ALLOWED, RATELIMIT_DENIED, RATELIMIT_SATURATED, RATELIMIT_EXCEEDS_LIMIT });
    numbers!(
        out,
        ratelimit_status {
            RATELIMIT_OK,
            RATELIMIT_OUT_OF_RANGE,
            RATELIMIT_NOT_WHOLE_MILLISECONDS,
            RATELIMIT_BUCKET_TOO_LARGE,
            RATELIMIT_SLIDING_LOG_TOO_LONG,
            RATELIMIT_POLICY_COUNT,
            RATELIMIT_POLICY_SYNTAX,
            RATELIMIT_NOT_AN_INTEGER,
            RATELIMIT_MALFORMED,
            RATELIMIT_NULL_POINTER,
            RATELIMIT_UNKNOWN_VALUE,
            RATELIMIT_CONFIG_SIZE,
            RATELIMIT_TOO_LONG,
            RATELIMIT_BUFFER_TOO_SMALL,
            RATELIMIT_FREED,
            RATELIMIT_NOT_A_LIMITER,
            RATELIMIT_PANICKED
        }
    );
    numbers!(out, ratelimit_warning { RATELIMIT_WARNING_FORKED });
    Ok(text)
}

#[test]
fn names_layouts_and_numbers_are_those_that_are_listed() {
    let listed = Path::new(env!("CARGO_MANIFEST_DIR")).join("abi.txt");
    let is = abi(&library()).unwrap();
    if std::fs::read_to_string(&listed).unwrap_or_default() != is {
        let other = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("abi.txt");
        std::fs::write(&other, is).unwrap();
        panic!(
            "the ABI is not the one that is listed. See: diff {} {}\nIf programs compiled before can still run, copy \
             the second over the first; if not, raise the ABI version in src/version.rs and build.rs too.",
            listed.display(),
            other.display()
        );
    }
}

#[test]
fn the_library_exports_nothing_but_its_own_names() {
    let foreign = |name: &String| !name.starts_with("ratelimit_");
    assert_eq!(symbols(&library()).into_iter().find(foreign), None);
}

#[test]
fn the_library_is_named_after_its_abi_version() {
    assert_eq!(soname(&library()), format!("libratelimit.so.{}", ratelimit_abi_version()));
}
