#!/usr/bin/env bash
# Installs what `scripts/release.sh` has made on a fresh Debian below target/clean, once from the package and once from the tarball, and checks an example there.
# Needs root, debootstrap and a mirror of Debian: MIRROR=URL names one.
source "$(dirname "$0")/setup.sh"
need debootstrap debootstrap
[ "$(id -u)" = 0 ] || { echo "only root may make a root file system" >&2; exit 1; }
dist=$PWD/target/dist
ls "$dist"/lazuli_*.deb "$dist"/lazuli-*.tar.gz >/dev/null || { echo "scripts/release.sh makes what is installed" >&2; exit 1; }
clean=$PWD/target/clean
mirror=${MIRROR:-$(sed -n 's/^URIs: *\([^ ]*debian\)\/*$/\1/p; s/^deb \([^ ]*debian\)\/* .*/\1/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 || true)}
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
trap 'umount "$clean/proc" 2>/dev/null || true' EXIT

for way in package tarball; do
    umount "$clean/proc" 2>/dev/null || true
    rm -rf --one-file-system "$clean"
    debootstrap --variant=minbase "$suite" "$clean" "${mirror:-http://deb.debian.org/debian}" >/dev/null
    mount -t proc proc "$clean/proc"
    [ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$clean/etc/resolv.conf"
    cp "$dist"/lazuli_*.deb "$dist"/lazuli-*.tar.gz examples/Chain.java "$clean/tmp"
    chroot "$clean" env DEBIAN_FRONTEND=noninteractive LC_ALL=C way="$way" bash -euc '
        cd /tmp
        apt-get update -qq
        if [ "$way" = package ]; then
            apt-get install -y -qq --no-install-recommends ./lazuli_*.deb >/dev/null 2>&1
            program=lazuli
        else
            tar xzf lazuli-*.tar.gz
            program=$(echo "$PWD"/lazuli-*/lazuli)
            ! ls /usr/lib/*/libz3* 2>/dev/null # it must be that of the tarball
        fi
        $program --version
        # Without a JDK, it says what to install.
        told=$($program check Chain 2>&1) && exit 1
        case "$told" in *openjdk-17-jdk-headless*) ;; *) echo "$told"; exit 1 ;; esac
        apt-get install -y -qq --no-install-recommends openjdk-17-jdk-headless >/dev/null 2>&1
        javac -g -d classes Chain.java
        code=0
        $program check -cp classes Chain.orderFirstTwo Chain.dropRepeated -q || code=$?
        [ "$code" = 1 ] # one of the two methods has a fault
        code=0
        $program tests -cp classes Chain.orderFirstTwo Chain.dropRepeated -o tests -q || code=$?
        ls tests/ChainLazuliTest.java'
    echo "the $way works on a clean $suite"
done
umount "$clean/proc"
rm -rf --one-file-system "$clean"
