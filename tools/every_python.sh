#!/bin/sh
# Run the tests on every Python from 3.11 that this machine has, and say which those were.
# The one in .venv is left out: `make test` has just used it.
set -eu
found=$(sh tools/python.sh --all)
echo "Found:"
echo "$found" | sed 's/^/  /'
failed=
tested=$(.venv/bin/python -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')
while read -r version path; do
    if [ "$version" = "$tested" ]; then
        echo "== Python $version: by make test"
        continue
    fi
    echo "== Python $version"
    PYTHON=$path sh tools/environment.sh ".venv-$version" requirements/dev.txt
    ".venv-$version/bin/python" -m pytest -q </dev/null || failed="$failed $version"
done <<LIST
$found
LIST
if [ -n "$failed" ]; then
    echo "Failed on:$failed" >&2
    exit 1
fi
echo "Passed on: $(echo "$found" | cut -d ' ' -f 1 | tr '\n' ' ')"
