#!/bin/sh
# Resolve what the kits need anew (network); the kits themselves are pinned in `requirements.in`.
#
# With the resolver that `make lock` installs.
set -eu

for kit in langgraph langchain haystack py_key_value; do
    .venv-lock/bin/uv pip compile "benchmarks/kits/$kit/requirements.in" \
        --output-file "benchmarks/kits/$kit/requirements.txt" \
        --upgrade --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --no-annotate --no-header --quiet
    echo "benchmarks/kits/$kit/requirements.txt: $(grep -c == "benchmarks/kits/$kit/requirements.txt") packages"
done
