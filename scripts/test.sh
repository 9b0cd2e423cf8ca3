#!/usr/bin/env bash
# Runs all tests: formatting, lints, unit tests, and every fixture under both java and Lazuli.
source "$(dirname "$0")/setup.sh"
[ -f /usr/share/java/junit-platform-console-standalone.jar ] || install_package "JUnit 5 (the tests that Lazuli writes are run)" junit5
need redis-server redis-server # the cache is tested on a real server
# The HTML report is tested in a real browser, where there is one or one may be installed.
command -v chromium >/dev/null 2>&1 || (install_package "\`chromium\`, to test the HTML report," chromium) || echo "no Chromium: crates/cli/tests/browser.rs will be skipped" >&2
# The modules for Java builds are built with Maven, where there is one or one may be installed, and a repository can be reached.
command -v mvn >/dev/null 2>&1 || (install_package "\`mvn\`, to test the modules for Java builds," maven) || echo "no Maven: a part of crates/cli/tests/java_modules.rs will be skipped" >&2
command -v gradle >/dev/null 2>&1 || (install_package "\`gradle\`, to test the script for Gradle," gradle) || echo "no Gradle: a part of crates/cli/tests/java_modules.rs will be skipped" >&2
need git git # \`--since\` asks it
# More than a dozen test programs are linked: optimising each of them as a whole would take longer than running them.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
if cargo fmt --version >/dev/null 2>&1; then cargo fmt --all --check; fi
if cargo clippy --version >/dev/null 2>&1; then cargo clippy --release --workspace --all-targets --quiet -- -D warnings; fi
if cargo deny --version >/dev/null 2>&1; then cargo deny --offline check bans licenses sources; fi # crates/cli/tests/dependencies.rs checks the same
cargo test --release --workspace --no-fail-fast
