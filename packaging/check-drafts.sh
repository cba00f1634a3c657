#!/bin/sh
# `chain-inspector check` of this checkout, which is built when it is first used; needs Node 20 and npm. The action and the hook for
# pre-commit run it in the folder whose drafts are checked.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
[ -f "$root/dist/commandLine.cjs" ] || (cd "$root" && npm run --silent build >&2)
exec "$root/node_modules/node/bin/node" "$root/dist/commandLine.cjs" check "$@"
