#!/usr/bin/env bash
# Makes what people install: a stripped program, a tarball and a jar with the libraries that it needs beyond libc, a Debian package, checksums, and a
# list of components (SPDX).
# The same sources, toolchain and SOURCE_DATE_EPOCH make the same files. LAZULI_BINARY=FILE packs a program that is built already.
source "$(dirname "$0")/setup.sh"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1577836800)}
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C
machine=$(uname -m)
case "$machine" in
x86_64) debian=amd64 java=amd64 ;;
aarch64) debian=arm64 java=aarch64 ;;
*) echo "no release is made for $machine" >&2; exit 1 ;;
esac
out=target/dist
rm -rf "$out"
mkdir -p "$out"
binary=${LAZULI_BINARY:-}
if [ -z "$binary" ]; then
    # Where the sources are must not be in the program.
    RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$PWD=lazuli --remap-path-prefix=$HOME/.cargo=cargo" cargo build --release --locked -p lazuli
    binary=target/release/lazuli
fi
need strip binutils
need patchelf patchelf
need dpkg-deb dpkg

name=lazuli-$version-linux-$machine
tree=$out/$name
mkdir -p "$tree"
strip -o "$tree/lazuli" "$binary"
chmod 755 "$tree/lazuli"
cp "$tree/lazuli" "$out/alone"
# Libraries beyond libc stand beside the program, which looks there first, also for what they need themselves.
of_system() { case "$1" in libc.so* | libm.so* | libdl.so* | libpthread.so* | librt.so*) true ;; *) false ;; esac }
package_of() { dpkg -S "*/$(basename "$(realpath "$1")")" 2>/dev/null | head -n 1 | cut -d: -f1; }
ldd "$tree/lazuli" | awk '/=>/ { print $1, $3 }' | sort >"$out/libraries"
while read -r library file; do
    of_system "$library" && continue
    install -m644 "$file" "$tree/$library"
    package=$(package_of "$file")
    cp -L "/usr/share/doc/$package/copyright" "$tree/LICENSE-${library%%.so*}"
done <"$out/libraries"
patchelf --force-rpath --set-rpath '$ORIGIN' "$tree/lazuli"
for shell in bash zsh fish; do "$tree/lazuli" completions $shell >"$tree/lazuli.$shell"; done
"$tree/lazuli" man >"$tree/lazuli.1"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE SECURITY.md "$tree"
chmod 644 "$tree"/lazuli.* "$tree"/*.md "$tree"/LICENSE-*

# Components: every crate that is linked, with its version and licence, and the libraries that the program needs.
{
    echo "SPDXVersion: SPDX-2.3"
    echo "DataLicense: CC0-1.0"
    echo "SPDXID: SPDXRef-DOCUMENT"
    echo "DocumentName: $name"
    echo "DocumentNamespace: urn:lazuli:$name"
    echo "Creator: Tool: scripts/release.sh"
    echo "Created: $(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)"
    cargo tree --locked -p lazuli -e normal,build --prefix none --format '{p}|{l}' | sed 's/ (.*)|/|/; s/ (\*)$//' | sort -u | while IFS='|' read -r package licence; do
        crate=${package% v*} number=${package##* v}
        [ -n "$crate" ] || continue
        printf '\nPackageName: %s\nSPDXID: SPDXRef-%s-%s\nPackageVersion: %s\nPackageDownloadLocation: NOASSERTION\nPackageLicenseDeclared: %s\n' \
            "$crate" "${crate//_/-}" "${number//+/-}" "$number" "${licence//\// OR }"
    done
    while read -r library file; do
        if of_system "$library"; then
            comment="a shared library of the system" number=
        else
            package=$(package_of "$file")
            comment="beside the program, from the package $package of Debian"
            number=$(dpkg-query -W -f '${Version}' "$package")
        fi
        printf '\nPackageName: %s\nSPDXID: SPDXRef-library-%s\n' "$library" "${library//[^A-Za-z0-9.]/-}"
        if [ -n "$number" ]; then printf 'PackageVersion: %s\n' "$number"; fi
        printf 'PackageDownloadLocation: NOASSERTION\nPackageLicenseDeclared: NOASSERTION\nPackageComment: %s\n' "$comment"
    done <"$out/libraries"
} >"$tree/lazuli.spdx"
cp "$tree/lazuli.spdx" "$out/$name.spdx"
find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$out" -cf - "$name" | gzip -n -9 >"$out/$name.tar.gz"

# A Debian package. Its dependencies are those of the program; checking also needs a JDK.
package=$out/package
install -Dm755 "$out/alone" "$package/usr/bin/lazuli"
install -Dm644 "$tree/lazuli.bash" "$package/usr/share/bash-completion/completions/lazuli"
install -Dm644 "$tree/lazuli.zsh" "$package/usr/share/zsh/vendor-completions/_lazuli"
install -Dm644 "$tree/lazuli.fish" "$package/usr/share/fish/vendor_completions.d/lazuli.fish"
mkdir -p "$package/usr/share/man/man1" "$package/usr/share/doc/lazuli" "$package/DEBIAN"
gzip -n -9 <"$tree/lazuli.1" >"$package/usr/share/man/man1/lazuli.1.gz"
cat LICENSE-MIT LICENSE-APACHE >"$package/usr/share/doc/lazuli/copyright"
gzip -n -9 <CHANGELOG.md >"$package/usr/share/doc/lazuli/changelog.gz"
libraries=$(cut -d ' ' -f 1 "$out/libraries")
depends="libc6"
case "$libraries" in *libz3*) depends="$depends, libz3-4" ;; esac
case "$libraries" in *libstdc++*) depends="$depends, libstdc++6" ;; esac
case "$libraries" in *libgcc_s*) depends="$depends, libgcc-s1" ;; esac
cat >"$package/DEBIAN/control" <<CONTROL
Package: lazuli
Version: $version
Architecture: $debian
Maintainer: The Lazuli developers <lazuli@localhost>
Section: devel
Priority: optional
Depends: $depends
Recommends: default-jdk-headless | openjdk-17-jdk-headless
Installed-Size: $(du -sk "$package/usr" | cut -f1)
Description: checks Java code that lives on the heap
 Given compiled classes and a method, Lazuli tries the method on every valid
 input up to a bound, and answers with an input that fails, or with the bound.
CONTROL
find "$package" -type d -exec chmod 755 {} +
find "$package" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group --build "$package" "$out/lazuli_${version}_$debian.deb" >/dev/null

# A jar with the program, for lazuli-junit and lazuli-maven-plugin. Its name is inside, for `mvn install:install-file`.
carried=$out/jar/META-INF/lazuli/Linux-$java
named=$out/jar/META-INF/maven/lazuli/lazuli-binary
mkdir -p "$carried" "$named"
cp "$tree/lazuli" "$tree"/*.so.* "$carried"
(cd "$carried" && ls) >"$out/files"
mv "$out/files" "$carried/files"
cat >"$named/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>lazuli</groupId>
  <artifactId>lazuli-binary</artifactId>
  <version>$version</version>
</project>
POM
jar --create --file "$out/lazuli-binary-$version.jar" --no-manifest --date="$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" -C "$out/jar" META-INF

rm -rf "$tree" "$package" "$out/jar" "$out/alone" "$out/libraries"
(cd "$out" && sha256sum -- * >SHA256SUMS)
cat "$out/SHA256SUMS"
