#!/usr/bin/env bash
# Installs the system packages Aethel uses, where that is allowed; elsewhere names them in a sentence.
# "system_packages.sh run": Tesseract for scanned pages. "system_packages.sh dev": Chromium as well.
set -euo pipefail

missing=()
command -v tesseract >/dev/null || missing+=(tesseract-ocr)
if [ "${1:-run}" = dev ]; then
  command -v chromium >/dev/null || missing+=(chromium)
  command -v chromedriver >/dev/null || missing+=(chromium-driver)
fi
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  echo "Installing ${missing[*]} ..."
  export DEBIAN_FRONTEND=noninteractive
  if apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; then
    exit 0
  fi
fi
echo "Not installed: ${missing[*]}. Aethel runs without them, but scanned pages need tesseract-ocr and the browser tests need chromium and chromium-driver (Debian: sudo apt-get install ${missing[*]})." >&2
