#!/usr/bin/env bash
# Builds Lazuli, compiles the bundled example with javac, and checks it on every input.
source "$(dirname "$0")/setup.sh"
cargo build --release --quiet
classes=target/examples
mkdir -p "$classes"
javac -g -d "$classes" examples/Chain.java
echo "\$ lazuli check -cp $classes Chain.orderFirstTwo Chain.dropRepeated"
# One of the two methods has a fault, which Lazuli says with exit code 1: for this script, that is success.
target/release/lazuli check -cp "$classes" Chain.orderFirstTwo Chain.dropRepeated "$@" || [ $? -eq 1 ]
