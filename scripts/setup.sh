# Makes sure that what Lazuli needs is installed. Sourced by the other scripts; installs with apt-get where it may.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

need() { # need COMMAND PACKAGE
    command -v "$1" >/dev/null 2>&1 || install_package "\`$1\`" "$2"
}

need_library() { # need_library HEADER PACKAGE
    echo "#include <$1>" | cc -E -x c - >/dev/null 2>&1 || install_package "the library of <$1>" "$2"
}

install_package() { # install_package WHAT PACKAGE
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "installing $2 (for $1) …"
        if [ -z "${apt_is_fresh:-}" ]; then
            apt-get update -qq
            apt_is_fresh=1
        fi
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >/dev/null
    else
        echo "Lazuli needs $1. Install it, for example with: sudo apt-get install $2" >&2
        exit 1
    fi
}

if ! command -v cargo >/dev/null 2>&1; then
    if [ -x "$HOME/.cargo/bin/cargo" ]; then
        PATH="$HOME/.cargo/bin:$PATH"
    else
        echo "Lazuli needs a Rust toolchain (cargo, 1.95 or later). Install it with rustup." >&2
        exit 1
    fi
fi
need cc gcc
need c++ g++
need javac openjdk-17-jdk-headless
need_library z3.h libz3-dev
