#!/bin/sh
# Resolve every lock file anew: versions and hashes for all platforms, and no index address.
set -eu

if [ ! -x .venv-lock/bin/uv ]; then
    "$(sh tools/python.sh)" -m venv --clear .venv-lock
    .venv-lock/bin/python -m pip install --disable-pip-version-check --quiet "uv>=0.8"
fi

compile() {
    output=$1
    shift
    .venv-lock/bin/uv pip compile "$@" --output-file "requirements/$output" \
        --upgrade --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --no-annotate --no-header --quiet
    echo "requirements/$output: $(grep -c == "requirements/$output") packages"
}

compile uv.txt requirements/uv.in
compile dev.txt pyproject.toml --extra dev
compile oldest.txt pyproject.toml --extra postgres --extra testing requirements/oldest.in
compile mutants.txt requirements/mutants.in
compile bench.txt pyproject.toml --extra bench requirements/bench.in
