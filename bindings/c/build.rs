//! Names the shared library to the linker, so that programs ask for one of this ABI and not for any file of the name.

/// The same number as `RATELIMIT_ABI_VERSION`; a test compares them.
const ABI_VERSION: u32 = 0;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    match target.as_str() {
        "macos" | "ios" => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libratelimit.{ABI_VERSION}.dylib");
        }
        "windows" => {}
        _ => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libratelimit.so.{ABI_VERSION}"),
    }
}
