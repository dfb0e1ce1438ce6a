//! Imports point down: kernel, machine, facade within core, and core, backends, bindings between crates.

use std::collections::BTreeMap;

use crate::finding::Finding;
use crate::rust;
use crate::tree::{SourceFile, Tree};

/// The modules of core from the bottom up; each may import its own layer and those below.
const LAYERS: [(&str, &[&str]); 3] = [
    ("kernel", &["algorithm", "decimal", "decision", "error", "key", "policy"]),
    ("machine", &["clock", "hash", "sync", "table"]),
    ("facade", &["config", "http", "limiter", "stats", "store", "waiters"]),
];

/// What core never touches, whatever the layer: it does no I/O and starts nothing.
const OUTSIDE: [&str; 6] = ["env", "fs", "io", "net", "process", "thread"];
/// The one that may name threads: a lock gives its turn away.
const LOCK_MODULE: &str = "sync";

/// What reads the time, and the one module that may.
const TIME: [&str; 3] = ["SystemTime", "Instant", "rustix"];
const TIME_MODULE: &str = "clock";

/// The crates of the workspace from the bottom up, by path; one may depend on those below its own. The command is
/// a library too, which other bindings hand on; those for JavaScript share a part.
const FLOORS: [&str; 5] = ["core/Cargo.toml", "backends/", "bindings/cli/", "bindings/javascript/", "bindings/"];

const CORE: &str = "core/src/";

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let exports = tree.get("core/src/lib.rs").map(|file| exports(&file.text)).unwrap_or_default();
    let mut found = Vec::new();
    for file in tree.under("core/src").filter(|file| file.extension() == "rs" && file.path != "core/src/lib.rs") {
        found.extend(check_module(file, &exports));
    }
    found.extend(check_crates(tree));
    found
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|(_, modules)| modules.contains(&module))
}

/// `core/src/table/sweep.rs` is `[table, sweep]`, `core/src/table/mod.rs` is `[table]`.
fn module_of(path: &str) -> Vec<String> {
    let stem = path.trim_start_matches(CORE).trim_end_matches(".rs");
    stem.split('/').filter(|part| *part != "mod").map(str::to_owned).collect()
}

/// Reads which module each name that lib.rs hands on comes from.
fn exports(lib: &str) -> BTreeMap<String, String> {
    let Ok(stream) = rust::tokens(lib) else {
        return BTreeMap::new();
    };
    let handed_on = rust::paths(stream, &[]).into_iter().map(|path| path.segments);
    handed_on
        .map(|segments| if segments[0] == "crate" { segments[1..].to_vec() } else { segments })
        .filter(|segments| segments.len() > 1 && layer(&segments[0]).is_some())
        .filter_map(|segments| Some((segments.last()?.clone(), segments[0].clone())))
        .collect()
}

fn check_module(file: &SourceFile, exports: &BTreeMap<String, String>) -> Vec<Finding> {
    let module = module_of(&file.path);
    let Some(own) = layer(&module[0]) else {
        let says = format!("module {} has no layer: give it one in ARCHITECTURE.md and in the arrows rule", module[0]);
        return vec![Finding::new(&file.path, 0, says)];
    };
    let Ok(stream) = rust::tokens(&file.text) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for path in rust::paths(stream, &module) {
        let tests = path.inside.iter().any(|name| name == "tests");
        let (first, second) = (path.segments[0].as_str(), path.segments[1].as_str());
        let target = exports.get(second).map_or(second, String::as_str);
        let says = if first == "crate" && layer(target).is_some_and(|other| other > own) {
            format!("{} ({}) imports {target} from above it", module[0], LAYERS[own].0)
        } else if first == "std"
            && OUTSIDE.contains(&second)
            && !tests
            && (module[0].as_str(), second) != (LOCK_MODULE, "thread")
        {
            format!("core does no I/O and starts nothing, but std::{second} is used")
        } else if path.segments.iter().any(|part| TIME.contains(&part.as_str())) && module[0] != TIME_MODULE && !tests {
            "time is an argument: only the clock reads it".to_owned()
        } else {
            continue;
        };
        found.push(Finding::new(&file.path, path.line, says));
    }
    found
}

fn check_crates(tree: &Tree) -> Vec<Finding> {
    let manifests: Vec<(&SourceFile, toml::Table)> = tree
        .files()
        .iter()
        .filter(|file| file.path.ends_with("/Cargo.toml"))
        .filter_map(|file| Some((file, file.text.parse().ok()?)))
        .collect();
    // What fuzzes a crate stands above it, within its folder.
    let of_fuzzers = |path: &str| path.ends_with("/fuzz/Cargo.toml");
    let floor_of = |path: &str| FLOORS.iter().position(|floor| path.starts_with(floor) && !of_fuzzers(path));
    let name_of = |manifest: &toml::Table| manifest.get("package")?.get("name")?.as_str().map(str::to_owned);
    let floors: BTreeMap<String, usize> =
        manifests.iter().filter_map(|(file, manifest)| Some((name_of(manifest)?, floor_of(&file.path)?))).collect();
    let mut found = Vec::new();
    for (file, manifest) in &manifests {
        let Some(own) = floor_of(&file.path) else {
            continue;
        };
        let needed =
            ["dependencies", "build-dependencies"].into_iter().filter_map(|kind| manifest.get(kind)?.as_table());
        for name in needed.flat_map(|table| table.keys()) {
            if floors.get(name).is_some_and(|other| *other >= own) {
                found.push(Finding::new(&file.path, 0, format!("depends on {name}, which does not lie below it")));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIB: (&str, &str) =
        ("core/src/lib.rs", "mod limiter; pub use crate::limiter::Limiter; pub use policy::Policy;");

    fn says(path: &str, source: &str) -> Vec<String> {
        check(&Tree::of(&[LIB, (path, source)])).into_iter().map(|finding| finding.says).collect()
    }

    #[test]
    fn the_kernel_may_not_import_the_machine_nor_the_facade() {
        let expected = ["algorithm (kernel) imports table from above it"];
        assert_eq!(says("core/src/algorithm/fixed_window.rs", "use crate::table::Row;"), expected);
        assert_eq!(says("core/src/algorithm/mod.rs", "use super::{error::Error, table::Row};"), expected);
        assert_eq!(says("core/src/policy/mod.rs", "fn f(a: crate::limiter::Limiter) {}").len(), 1);
    }

    #[test]
    fn a_name_handed_on_by_lib_counts_as_its_module() {
        assert_eq!(
            says("core/src/table/mod.rs", "use crate::Limiter;"),
            ["table (machine) imports limiter from above it"]
        );
        assert!(says("core/src/table/mod.rs", "use crate::Policy;").is_empty());
    }

    #[test]
    fn imports_down_and_sideways_pass() {
        assert!(says("core/src/limiter.rs", "use crate::{clock::Clock, policy::Policy, table::Table};").is_empty());
        assert!(says("core/src/table/row.rs", "use super::stripe::Stripe; use crate::hash::HashSeed;").is_empty());
    }

    #[test]
    fn a_module_without_a_layer_is_found() {
        assert_eq!(says("core/src/cache.rs", "").len(), 1);
    }

    #[test]
    fn io_threads_and_the_time_are_found_outside_their_places() {
        assert_eq!(says("core/src/limiter.rs", "use std::thread;").len(), 1);
        assert_eq!(says("core/src/sync.rs", "use std::fs;").len(), 1);
        assert!(says("core/src/sync.rs", "use std::thread;").is_empty());
        assert_eq!(says("core/src/limiter.rs", "let now = std::time::Instant::now();").len(), 1);
        assert!(says("core/src/clock.rs", "use std::time::{Instant, SystemTime};").is_empty());
        assert!(says("core/src/limiter.rs", "mod tests { use std::thread; }").is_empty());
    }

    #[test]
    fn core_may_not_depend_on_a_binding_and_a_binding_may_on_core() {
        let manifest =
            |name: &str, needs: &str| format!("[package]\nname = \"{name}\"\n[dependencies]\n{needs} = \"1\"\n");
        let (core, cli) = (manifest("the-core", "the-cli"), manifest("the-cli", "the-core"));
        let tree = Tree::of(&[("core/Cargo.toml", &core), ("bindings/cli/Cargo.toml", &cli)]);
        let found: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["core/Cargo.toml:0: depends on the-cli, which does not lie below it"]);
    }
}
