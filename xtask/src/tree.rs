//! The source files of the project as text.

use std::io;
use std::path::Path;
use std::process::Command;

/// A file: its path from the root with forward slashes, and its text (empty where it is no UTF-8).
#[derive(Debug)]
pub(crate) struct SourceFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl SourceFile {
    /// Gives what follows the last dot of the name, or nothing.
    pub(crate) fn extension(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

/// All files that git carries or would carry, in the order of their paths.
#[derive(Debug)]
pub(crate) struct Tree {
    files: Vec<SourceFile>,
}

impl Tree {
    /// Reads the files under `root` that git does not ignore.
    pub(crate) fn load(root: &Path) -> io::Result<Tree> {
        let listed = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root)
            .output()?;
        if !listed.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&listed.stderr).into_owned()));
        }
        let mut paths: Vec<String> =
            String::from_utf8_lossy(&listed.stdout).split_terminator('\0').map(str::to_owned).collect();
        paths.sort();
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            match std::fs::read(root.join(&path)) {
                Ok(bytes) => files.push(SourceFile { path, text: String::from_utf8(bytes).unwrap_or_default() }),
                // Removed from the folder, not yet from the index.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Tree { files })
    }

    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Tree {
        let file = |(path, text): &(&str, &str)| SourceFile { path: (*path).into(), text: (*text).into() };
        Tree { files: files.iter().map(file).collect() }
    }

    pub(crate) fn files(&self) -> &[SourceFile] {
        &self.files
    }

    pub(crate) fn get(&self, path: &str) -> Option<&SourceFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Says whether `path` is a file, or a folder that holds one.
    pub(crate) fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.files.iter().any(|file| match file.path.strip_prefix(path) {
            Some(rest) => rest.is_empty() || rest.starts_with('/') || path.is_empty(),
            None => false,
        })
    }

    /// Lists the files whose name ends in one of these extensions.
    pub(crate) fn ending<'a>(&'a self, extensions: &'a [&str]) -> impl Iterator<Item = &'a SourceFile> {
        self.files.iter().filter(move |file| extensions.contains(&file.extension()))
    }

    /// Lists the files in a folder and below it.
    pub(crate) fn under<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a SourceFile> {
        self.files.iter().filter(move |file| file.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_is_that_of_the_name_not_of_the_path() {
        let file = |path: &str| SourceFile { path: path.into(), text: String::new() };
        assert_eq!(file("a.b/LICENSE").extension(), "");
        assert_eq!(file("a/b.tar.gz").extension(), "gz");
    }

    #[test]
    fn a_folder_is_there_when_a_file_is_in_it() {
        let tree = Tree::of(&[("docs/limits.md", "")]);
        assert!(tree.has("docs") && tree.has("docs/") && tree.has("docs/limits.md"));
        assert!(!tree.has("doc") && !tree.has("docs/limits"));
    }

    #[test]
    fn under_lists_a_folder_and_not_one_whose_name_begins_alike() {
        let tree = Tree::of(&[("core/src/lib.rs", ""), ("core2/src/lib.rs", "")]);
        assert_eq!(tree.under("core").count(), 1);
    }

    #[test]
    fn loading_the_project_finds_this_file() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        assert!(Tree::load(root).unwrap().has("xtask/src/tree.rs"));
    }
}
