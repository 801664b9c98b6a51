#!/bin/sh
# Bring a virtual environment to a lock file, and this project into it.
#
#   tools/environment.sh DIRECTORY LOCK
#
# Nothing is done, and no network used, when the environment is as it should be.
set -eu
directory=$1
lock=$2
python=$directory/bin/python

version() {
    "$1" -c 'import sys; print(sys.version)' 2>/dev/null
}

if ! version "$python" >/dev/null ||
    { [ -n "${PYTHON-}" ] && [ "$(version "$PYTHON")" != "$(version "$python")" ]; }; then
    base=$(sh tools/python.sh)
    echo "Making $directory with $base"
    "$base" -m venv --clear "$directory"
fi

if ! cmp -s "$lock" "$directory/locked.txt"; then
    echo "Installing the $(grep -c == "$lock") packages of $lock into $directory (once, over the network)"
    sh tools/install.sh "$directory" "$lock"
    cp "$lock" "$directory/locked.txt"
fi

# The folder is part of the stamp: an environment that was moved points at the old one.
{ pwd && cat pyproject.toml src/memory_fidelity/__init__.py; } >"$directory/wanted.txt"
if ! cmp -s "$directory/wanted.txt" "$directory/installed.txt"; then
    "$python" -m pip install --disable-pip-version-check --quiet \
        --no-index --no-deps --no-build-isolation -e .
    mv "$directory/wanted.txt" "$directory/installed.txt"
fi
