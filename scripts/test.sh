#!/usr/bin/env bash
# Runs all tests: formatting, lints, unit tests, and every fixture under both java and Lazuli.
source "$(dirname "$0")/setup.sh"
if cargo fmt --version >/dev/null 2>&1; then cargo fmt --all --check; fi
if cargo clippy --version >/dev/null 2>&1; then cargo clippy --release --workspace --all-targets --quiet -- -D warnings; fi
cargo test --release --workspace
