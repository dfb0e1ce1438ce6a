//! Measures `ratelimit_check` called from C against the Rust call that takes the same arguments, `check_cost`: the same
//! keys in the same order.
//!
//! The C side is check.c: the C compiler makes a library of it, linked to the installed shared one as a program would
//! be, and it is loaded here; so both sides run in one process, by turns.
#![allow(unsafe_code, reason = "what is loaded is called through pointers")]

use libloading::Library;
use ratelimit_bench::{Ratio, at_most, write};
use ratelimit_core::{Config, Decision, Limiter, Policy};
use std::env;
use std::error::Error;
use std::ffi::c_void;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const MANY: u64 = u32::MAX as u64;
const KEY_BYTES: usize = 40;

type Make = unsafe extern "C" fn() -> *mut c_void;
type CheckAll = unsafe extern "C" fn(*mut c_void, *const u8, usize, usize) -> usize;

fn main() -> Result<(), Box<dyn Error>> {
    let library = load()?;
    let ratios = [compare("c-check-1k-vs-rust", &library, 1_000)?, compare("c-check-1m-vs-rust", &library, 1_000_000)?];
    write("c", &ratios)?;
    Ok(())
}

/// Compares passes over all keys; in the order of their bytes in memory, so at random in both tables.
fn compare(name: &str, library: &Library, count: usize) -> Result<Ratio, Box<dyn Error>> {
    let keys: String = (0..count).map(|number| format!("tenant-7:user:{number:026}")).collect();
    let passes = 2_000_000 / count;
    let operations = u32::try_from(passes * count)?;
    let policy = Policy::fixed_window(MANY, Duration::from_secs(60));
    let limiter = Limiter::from_config(Config::new(policy).max_identities(2_000_000))?;
    // Safe because check.c has a function of this name and type, and the library stays loaded.
    let handle = unsafe { library.get::<Make>(b"bench_make")?() };
    // Safe because check.c has a function of this name and type.
    let check_all = unsafe { library.get::<CheckAll>(b"bench_check_all") }?;
    let from_c = || {
        for _ in 0..passes {
            // Safe because the bytes of `count` keys lie there, and the handle is that of a limiter.
            let allowed = unsafe { check_all(handle, black_box(keys.as_ptr()), KEY_BYTES, count) };
            assert_eq!(allowed, count);
        }
    };
    let from_rust = || {
        for _ in 0..passes {
            let keys = black_box(&keys).as_bytes().chunks_exact(KEY_BYTES);
            let allowed = keys.filter(|key| {
                // Like C's, this compiler is not to know what it asks for, nor to leave out what it is answered.
                let made = limiter.check_cost(black_box(*key), black_box(1));
                black_box(&made).as_ref().is_ok_and(Decision::is_allowed)
            });
            let allowed = allowed.count();
            assert_eq!(allowed, count);
        }
    };
    Ok(at_most(name, 1.15, operations, from_c, from_rust))
}

/// Installs the library below the target folder, compiles the C side against it, and loads that.
fn load() -> Result<Library, Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.join("../..").canonicalize()?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |target| root.join(target));
    let prefix = target.join("c/bench");
    let lib = prefix.join("lib").display().to_string();
    run(Command::new("make").arg("-C").arg(&root).args(["install", "DESTDIR="]).arg(setting("PREFIX=", &prefix)))?;
    let c_side = prefix.join("bench_check.so");
    run(Command::new("cc")
        .args(["-std=c11", "-O2", "-shared", "-fPIC", "-o"])
        .args([&c_side, &here.join("benches/check.c")])
        .arg(setting("-I", &prefix.join("include")))
        .args([&format!("-L{lib}"), "-lratelimit", &format!("-Wl,-rpath,{lib}")]))?;
    // Safe because nothing in either library runs when it is loaded.
    Ok(unsafe { Library::new(c_side)? })
}

fn setting(name: &str, value: &Path) -> String {
    format!("{name}{}", value.display())
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    // A make within a make would wait for the jobs of the outer one.
    let status = command.env_remove("MAKEFLAGS").env_remove("MAKELEVEL").status()?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", command.get_program().display()).into()) }
}
