#!/usr/bin/env bash
# Makes sure that what a make target needs is there: `need.sh build judges browser wrk fuzz`.
# Quiet when nothing is missing; installs with apt, pip, npm and cargo what is.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }

apt_install() {
  local sudo=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { say "missing: $* (install with apt-get as root, then run this again)"; exit 1; }
    sudo=sudo
  fi
  say "installing $*"
  # Another installation may be under way; it is waited for.
  local wait="-o DPkg::Lock::Timeout=600"
  $sudo apt-get $wait update -qq
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get $wait install -y -qq --no-install-recommends "$@" >/dev/null
}

need_build() {
  command -v cc >/dev/null || apt_install gcc libc6-dev
  command -v cargo >/dev/null || { say "missing: Rust; install it from https://rustup.rs"; exit 1; }
}

# The other tools that judge our files.
need_judges() {
  need_python_judges
  need_npm_judges
}

# Those in Python, in a virtual environment of their own.
need_python_judges() {
  local stamp=.venv/requirements.txt
  cmp -s tests/judges/requirements.txt "$stamp" && return
  local python=python3
  command -v "$python" >/dev/null || apt_install python3 python3-venv
  "$python" -c 'import ensurepip, venv' 2>/dev/null || apt_install python3-venv
  say "installing the judges (warcio, pywb and others) into .venv"
  rm -rf .venv
  "$python" -m venv .venv
  .venv/bin/pip install --quiet --disable-pip-version-check -r tests/judges/requirements.txt
  cp tests/judges/requirements.txt "$stamp"
}

# Those that run in a browser: packages as they are published, each known by its digest.
need_npm_judges() {
  local list=tests/judges/npm.txt stamp=.judges/npm.txt package digest file
  cmp -s "$list" "$stamp" && return
  command -v npm >/dev/null || apt_install npm
  say "installing the judges that run in a browser into .judges"
  rm -rf .judges
  mkdir .judges
  while read -r package digest; do
    file=$(npm pack --silent --pack-destination .judges "$package")
    echo "$digest  .judges/$file" | sha512sum --check --quiet
    mkdir ".judges/${package%@*}"
    tar -xzf ".judges/$file" -C ".judges/${package%@*}" --strip-components 1
    rm ".judges/$file"
  done <"$list"
  cp "$list" "$stamp"
}

# Chromium without a window. The full one serves too, at several times the cost.
need_browser() {
  command -v chromium-headless-shell >/dev/null && return
  apt_install chromium-headless-shell
}

# Loads a server, for a benchmark.
need_wrk() {
  command -v wrk >/dev/null || apt_install wrk
}

need_fuzz() {
  rustup toolchain list | grep -q nightly || rustup toolchain install nightly --profile minimal
  command -v c++ >/dev/null || apt_install g++
  command -v cargo-fuzz >/dev/null || cargo install --quiet cargo-fuzz
}

for need in "$@"; do
  "need_$need"
done
