//! The `ratelimit` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    // WASI begins every program at the root, and relative names are meant from where the command was called.
    #[cfg(target_os = "wasi")]
    if let Some(folder) = std::env::var_os("PWD")
        && let Err(error) = std::env::set_current_dir(&folder)
    {
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "error: {}: {error}", folder.display());
        return ExitCode::FAILURE;
    }
    ratelimit_cli::run(std::env::args_os()).into()
}
