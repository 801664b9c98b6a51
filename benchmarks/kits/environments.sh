#!/bin/sh
# Make an environment for each kit, and fetch the one suite that no package holds.
#
# KITS_PY_KEY_VALUE names another repository with that commit, such as a mirror.
set -eu

for kit in langgraph langchain haystack py_key_value; do
    sh tools/environment.sh ".venv-kits-$kit" "benchmarks/kits/$kit/requirements.txt"
done

# Its release 0.4.4. A commit's name is the hash of all that it holds.
commit=ec9dfd6c18205aa1880f46842677f27d7275cbc7
checkout=.venv-kits-py_key_value/source
if [ "$(cat "$checkout/fetched.txt" 2>/dev/null)" != "$commit" ]; then
    echo "Fetching the tests of py-key-value into $checkout (once, over the network)"
    rm -rf "$checkout"
    git init --quiet "$checkout"
    git -C "$checkout" fetch --quiet --depth 1 \
        "${KITS_PY_KEY_VALUE:-https://github.com/strawgate/py-key-value}" "$commit"
    git -C "$checkout" checkout --quiet "$commit" -- tests
    echo "$commit" >"$checkout/fetched.txt"
fi
