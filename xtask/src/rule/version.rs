//! One version number: what the root manifest says, every other manifest and the change log say too.

use crate::finding::Finding;
use crate::tree::{SourceFile, Tree};

const ROOT: &str = "Cargo.toml";
const LOG: &str = "CHANGELOG.md";
const PACKAGE: &str = "node/package.json";

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(version) = tree.get(ROOT).and_then(|file| root_version(&file.text)) else {
        return vec![Finding::new(ROOT, 0, "has no workspace.package.version")];
    };
    let mut found = Vec::new();
    for file in tree.files().iter().filter(|file| file.path == ROOT || file.path.ends_with("/Cargo.toml")) {
        match file.text.parse::<toml::Table>() {
            Ok(manifest) => found.extend(check_manifest(file, &manifest, &version)),
            Err(error) => found.push(Finding::new(&file.path, 0, error.to_string())),
        }
    }
    if let Some(package) = tree.get(PACKAGE)
        && !package.text.contains(&format!("\n  \"version\": \"{version}\","))
    {
        found.push(Finding::new(PACKAGE, 0, format!("its version is another, the project's is {version}")));
    }
    let heading = format!("## [{version}]");
    if !tree.get(LOG).is_some_and(|log| log.text.lines().any(|line| line.starts_with(&heading))) {
        found.push(Finding::new(LOG, 0, format!("has no heading for {version}")));
    }
    for page in tree.ending(&["md"]) {
        found.extend(check_page(page, &version));
    }
    found
}

fn root_version(text: &str) -> Option<String> {
    let manifest = text.parse::<toml::Table>().ok()?;
    Some(manifest.get("workspace")?.get("package")?.get("version")?.as_str()?.to_owned())
}

/// A member takes its version from the workspace; a dependency inside the workspace asks for that one.
fn check_manifest(file: &SourceFile, manifest: &toml::Table, version: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Some(own) = manifest.get("package").and_then(|package| package.get("version")) {
        let inherited = own.get("workspace").and_then(toml::Value::as_bool) == Some(true);
        if !inherited && own.as_str() != Some(version) {
            let own = own.as_str().unwrap_or("no text");
            found.push(Finding::new(&file.path, 0, format!("its version is {own}, the project's is {version}")));
        }
    }
    let shared = manifest.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let own =
        ["dependencies", "dev-dependencies", "build-dependencies"].into_iter().filter_map(|kind| manifest.get(kind));
    for (name, dependency) in shared.into_iter().chain(own).filter_map(toml::Value::as_table).flatten() {
        let asked = dependency.get("version").and_then(toml::Value::as_str);
        if dependency.get("path").is_some() && asked.is_some_and(|asked| asked.trim_start_matches('=') != version) {
            found.push(Finding::new(
                &file.path,
                0,
                format!("{name} is asked for as {asked:?}, the project is {version}"),
            ));
        }
    }
    found
}

/// A page that shows how to depend on the crate shows this version.
fn check_page(page: &SourceFile, version: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for (at, line) in page.text.lines().enumerate() {
        let Some((name, asked)) = line.split_once(" = \"").filter(|(name, _)| name.starts_with("ratelimit")) else {
            continue;
        };
        let asked = asked.trim_end_matches('"');
        if !format!("{version}.").starts_with(&format!("{asked}.")) {
            found.push(Finding::new(&page.path, at + 1, format!("shows {name} {asked}, the project is {version}")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT_TEXT: &str = "[workspace.package]\nversion = \"1.2.3\"\n";
    const LOG_TEXT: &str = "# Changes\n\n## [1.2.3] - unreleased\n";

    fn with(path: &str, text: &str) -> usize {
        check(&Tree::of(&[(ROOT, ROOT_TEXT), (LOG, LOG_TEXT), (path, text)])).len()
    }

    #[test]
    fn a_manifest_with_another_version_is_found() {
        assert_eq!(with("core/Cargo.toml", "[package]\nversion = \"1.2.4\"\n"), 1);
        assert_eq!(with("core/Cargo.toml", "[package]\nversion.workspace = true\n"), 0);
    }

    #[test]
    fn a_dependency_in_the_workspace_on_another_version_is_found() {
        let asks = |version: &str| format!("[dependencies]\nx = {{ path = \"../x\", version = \"{version}\" }}\n");
        assert_eq!(with("cli/Cargo.toml", &asks("1.2.2")), 1);
        assert_eq!(with("cli/Cargo.toml", &asks("1.2.3")), 0);
        assert_eq!(with("cli/Cargo.toml", "[dependencies]\nsha2 = \"0.11\"\n"), 0);
    }

    #[test]
    fn a_change_log_without_the_version_is_found() {
        assert_eq!(check(&Tree::of(&[(ROOT, ROOT_TEXT), (LOG, "## [1.2.2]\n")])).len(), 1);
    }

    #[test]
    fn an_npm_package_of_another_version_is_found() {
        assert_eq!(with(PACKAGE, "{\n  \"name\": \"x\",\n  \"version\": \"1.2.4\",\n}\n"), 1);
        assert_eq!(with(PACKAGE, "{\n  \"name\": \"x\",\n  \"version\": \"1.2.3\",\n}\n"), 0);
    }

    #[test]
    fn a_page_that_shows_another_version_is_found() {
        assert_eq!(with("README.md", "ratelimit-core = \"1.1\"\n"), 1);
        assert_eq!(with("README.md", "ratelimit-core = \"1.2\"\n"), 0);
    }
}
