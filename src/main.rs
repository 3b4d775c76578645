//! The `loopx` binary.

fn main() -> std::process::ExitCode {
    loopx::cli::main()
}
