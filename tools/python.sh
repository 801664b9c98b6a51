#!/bin/sh
# Find a Python of 3.11 or newer that can make virtual environments.
#
#   tools/python.sh         print the path of one: $PYTHON if set, else python3, else the newest
#   tools/python.sh --all   print "version path" of each that is found, oldest first
set -eu

# Prints "version path"; fails for a Python that is absent, too old or without venv.
describe() {
    "$1" -c 'import sys
if sys.version_info < (3, 11): sys.exit(1)
import ensurepip, venv
print("%d.%d.%d" % sys.version_info[:3], sys.executable)' 2>/dev/null
}

candidates() {
    echo python3
    for minor in 19 18 17 16 15 14 13 12 11; do
        echo "python3.$minor"
    done
    echo /usr/bin/python3
    ls -d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3 2>/dev/null || true
}

found() {
    candidates | while IFS= read -r candidate; do
        describe "$candidate" || true
    done
}

if [ "${1-}" = --all ]; then
    found | sort -u -t . -k 1,1n -k 2,2n -k 3,3n
    exit
fi

if [ -n "${PYTHON-}" ]; then
    chosen=$(describe "$PYTHON") || chosen=
else
    chosen=$(found | head -n 1)
fi
if [ -n "$chosen" ]; then
    echo "${chosen#* }"
    exit
fi

echo "Python 3.11 or newer with the modules venv and ensurepip is needed." >&2
candidate=${PYTHON:-python3}
"$candidate" -c 'import sys
try: import ensurepip, venv; lack = ""
except ImportError as error: lack = ", without " + str(error.name)
print("%s is Python %d.%d.%d%s." % ((sys.executable,) + tuple(sys.version_info[:3]) + (lack,)))
' >&2 2>/dev/null || echo "$candidate was not found, or does not run." >&2
echo "Debian or Ubuntu: apt-get install python3 python3-venv    macOS: brew install python" >&2
echo "Another one can be named: make PYTHON=/path/to/python3.12 ..." >&2
exit 1
