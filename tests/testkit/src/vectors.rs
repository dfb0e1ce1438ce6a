//! The committed files.

use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::{Case, Report, Subject, Way, drive_config, drive_text, drive_world};

/// Holds the cases of all vector files.
#[derive(Clone, Debug)]
pub struct Vectors {
    /// The files, in order.
    pub files: Vec<VectorFile>,
    /// The cases whose numbers no `u64` holds, as file/case.
    pub beyond_u64: Vec<String>,
}

/// Holds the cases of one theme.
#[derive(Clone, Debug)]
pub struct VectorFile {
    /// The file's number and name, without its ending.
    pub name: String,
    /// What the file probes.
    pub probes: String,
    /// Its cases.
    pub cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Index {
    files: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    file: String,
    cases: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "name")]
    _name: String,
    probes: String,
    cases: Vec<Value>,
}

impl Vectors {
    /// Reads every file that `tests/vectors/index.json` lists.
    ///
    /// # Errors
    /// A file that cannot be read, is not in the form that `schema.json` describes, or has not as many cases as the
    /// index says.
    pub fn load() -> Result<Vectors> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors");
        let index: Index = read(&folder.join("index.json"))?;
        let mut vectors = Vectors { files: Vec::new(), beyond_u64: Vec::new() };
        for listed in index.files {
            let path = folder.join(&listed.file);
            let written: Written = read(&path)?;
            if written.cases.len() != listed.cases {
                return Err(malformed(&path, "has not as many cases as the index says"));
            }
            vectors.add(&path, listed.file.trim_end_matches(".json"), written)?;
        }
        Ok(vectors)
    }

    fn add(&mut self, path: &Path, name: &str, written: Written) -> Result<()> {
        let mut file = VectorFile { name: name.to_owned(), probes: written.probes, cases: Vec::new() };
        for case in written.cases {
            let called = format!("{name}/{}", case["name"].as_str().unwrap_or("?"));
            if case["beyond_u64"] == true {
                self.beyond_u64.push(called);
                continue;
            }
            file.cases.push(Case::read(case).map_err(|error| malformed(path, format!("{called}: {error}")))?);
        }
        self.files.push(file);
        Ok(())
    }

    /// Runs every case: worlds in each way that fits them, configurations, texts.
    pub fn drive<S: Subject>(&self, subject: &S) -> Report {
        let mut report = Report { files: self.files.len(), ..Report::default() };
        for case in &self.beyond_u64 {
            report.left_out.push(format!("{case}: no u64 holds its numbers"));
        }
        for file in &self.files {
            for case in &file.cases {
                drive(subject, &file.name, case, &mut report);
            }
        }
        report
    }
}

fn drive<S: Subject>(subject: &S, file: &str, case: &Case, report: &mut Report) {
    match case {
        Case::World(world) => {
            for way in Way::ALL.into_iter().filter(|way| way.fits(world.policies.len())) {
                let place = format!("{file}/{} ({})", world.name, way.name());
                report.record(&place, &world.why, drive_world(subject, world, way));
                report.ran_world(way, world.steps.len());
            }
        }
        Case::Config(config) => {
            report.record(&format!("{file}/{}", config.name), &config.why, drive_config(subject, config));
            report.configs += 1;
        }
        Case::Text(text) => {
            let place = format!("{file}/{} {:?}", text.name, text.text);
            report.record(&place, &text.why, drive_text(subject, text));
            report.texts += 1;
        }
    }
}

pub(crate) fn read<T: for<'de> Deserialize<'de>>(path: &PathBuf) -> Result<T> {
    let text = fs::read_to_string(path).map_err(|error| malformed(path, error))?;
    serde_json::from_str(&text).map_err(|error| malformed(path, error))
}

pub(crate) fn malformed(path: &Path, what: impl ToString) -> Error {
    Error::new(ErrorKind::InvalidData, format!("{}: {}", path.display(), what.to_string()))
}
