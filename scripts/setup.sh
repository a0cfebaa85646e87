#!/usr/bin/env bash
# Makes .venv with pinned packages. "setup.sh dev" adds what the tests need.
# A second call with unchanged requirements returns at once.
set -euo pipefail
cd "$(dirname "$0")/.."

TORCH=2.13.0
VENV=.venv
PY=$VENV/bin/python
wanted=(requirements.txt)
[ "${1:-}" = dev ] && wanted+=(requirements-dev.txt)

stamp() { cat "$0" "$@" | sha256sum | cut -d' ' -f1; }
fresh() { [ -x "$PY" ] && [ "$(cat "$VENV/stamp-$1" 2>/dev/null)" = "$(stamp "${wanted[@]}")" ]; }
kind=${1:-run}
fresh "$kind" && exit 0

find_python() {
  for name in python3.11 python3.12 python3; do
    if command -v "$name" >/dev/null && "$name" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
  echo "Aethel needs Python 3.11 or 3.12 with its venv module: install it (Debian: apt-get install python3.11 python3.11-venv) and call make again." >&2
  exit 1
}

[ -x "$PY" ] || "$(find_python)" -m venv "$VENV"
export PIP_DISABLE_PIP_VERSION_CHECK=1

# The CPU build of torch: take the default one only where it comes without GPU libraries.
if ! "$PY" -c "import torch, sys; sys.exit(torch.__version__.split('+')[0] != '$TORCH' or torch.version.cuda is not None)" 2>/dev/null; then
  echo "Installing torch $TORCH (CPU build) ..."
  report=$(mktemp)
  "$PY" -m pip install --quiet --dry-run --report "$report" "torch==$TORCH"
  if grep -qiE '"name": *"(nvidia|cuda|triton)' "$report"; then
    "$PY" -m pip install --quiet "torch==$TORCH" --index-url https://download.pytorch.org/whl/cpu
  else
    "$PY" -m pip install --quiet "torch==$TORCH"
  fi
  rm -f "$report"
fi

echo "Installing ${wanted[*]} ..."
arguments=()
for file in "${wanted[@]}"; do arguments+=(-r "$file"); done
"$PY" -m pip install --quiet "torch==$TORCH" "${arguments[@]}"
"$PY" -c 'import torch, sys; sys.exit("This torch is a GPU build; remove .venv and call make again." if torch.version.cuda else 0)'
stamp "${wanted[@]}" > "$VENV/stamp-$kind"
