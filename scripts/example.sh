#!/usr/bin/env bash
# Builds Lazuli, compiles the bundled example with javac, and runs it in Lazuli's interpreter.
source "$(dirname "$0")/setup.sh"
cargo build --release --quiet
classes=target/examples
mkdir -p "$classes"
javac -d "$classes" examples/Inventory.java
echo "\$ lazuli run -cp $classes Inventory"
exec target/release/lazuli run -cp "$classes" Inventory "$@"
