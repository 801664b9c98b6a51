#!/bin/sh
# Install the packages of a lock file into a virtual environment: with uv, or else with pip.
#
#   tools/install.sh DIRECTORY LOCK
#
# uv needs a tenth of pip's time. It is told the index that pip is set up to use; whatever else pip
# is told, and uv cannot be, is pip's to do: it has the last word.
set -eu
directory=$1
lock=$2

with_pip() {
    "$directory/bin/python" -m pip install --disable-pip-version-check --quiet --require-hashes -r "$1"
}

# A setting of pip's: from its variables, its section for `install`, or for every command.
setting() {
    for place in ':env:' install global; do
        found=$(printf '%s\n' "$settings" | sed -n "s/^$place\.$1='\(.*\)'\$/\1/p")
        if [ -n "$found" ]; then
            printf '%s' "$found"
            return
        fi
    done
}

# Set a variable to a setting of pip's, unless it is set already.
hand_over() {
    value=$(setting "$2")
    if [ -n "$value" ] && ! printenv "$1" >/dev/null; then
        export "$1=$value"
    fi
}

with_uv() {
    settings=$("$directory/bin/python" -m pip config list 2>/dev/null) || return 1
    case $(setting no-index) in '' | 0 | false) ;; *) return 1 ;; esac
    with_pip requirements/uv.txt || return 1
    # By environment: an index's address may hold a password, and anyone may list processes.
    hand_over UV_DEFAULT_INDEX index-url
    hand_over SSL_CERT_FILE cert
    "$directory/bin/uv" pip install --quiet --python "$directory/bin/python" \
        --require-hashes -r "$lock"
}

if ! with_uv; then
    echo "uv cannot do it here; pip can, and takes longer"
    with_pip "$lock"
fi
