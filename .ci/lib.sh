# Sourced by every script that proves something, so that all of them keep three rules: each step has
# its cost, a proof that is skipped is none in CI, and a runner that loses tests fails.

# The folder of this file, for the scripts that run in others.
in_ci=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# `costs` has a line for each step of the script and of the scripts that it runs: its seconds by the
# clock, those of the processor for the program and for the system, and its command. `passed` has
# the number of tests of the last `at_least`.
export GATE_RECORDS=${GATE_RECORDS:-$(mktemp -d)}

# step COMMAND…: prints it, runs it and writes its cost down.
step() {
  printf '\n== %s s: %s\n' "$SECONDS" "$*"
  local command=${*//$'\n'/ }
  # A `%` would begin a field.
  local TIMEFORMAT="%R %U %S ${command//\%/%%}"
  # In a shell of its own, as a part that ends in the background meanwhile would count as a child of
  # this one. `time` writes to its shell's standard error, so the command gets another way to the
  # terminal.
  (time "$@" 2>&3 3>&-) 3>&2 2>>"$GATE_RECORDS/costs"
}

# with_clippy COMMAND…: a step whose builds by cargo are lints too.
with_clippy() {
  RUSTC_WORKSPACE_WRAPPER=$in_ci/clippy-in-builds step "$@"
}

# without_paths COMMAND…: builds with no folder of this machine in what it makes, such as in the
# messages of panics. Flags make other builds of the same dependencies.
without_paths() {
  local flags="--remap-path-prefix=${in_ci%/*}/= --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/="
  CARGO_BUILD_RUSTFLAGS=$flags "$@"
}

# unoptimized COMMAND…: runs it with a release profile that is built quickly. The README's first
# command answers a few small questions, and the wheel of the command does little more in the gate.
# To optimize them is a third of their build.
unoptimized() {
  CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 "$@"
}

# skip REASON…: prints that something is not proved, and fails in CI, where everything must be.
skip() {
  printf '\n== %s s: SKIPPED: %s\n' "$SECONDS" "$*"
  if [ "${CI:-}" = true ]; then
    echo "CI=true, and what is skipped is not proved" >&2
    exit 1
  fi
}

# at_least NUMBER COMMAND…: runs tests, and fails also where fewer of them pass: a filter, a feature
# or a file that is not found drops tests without a word. It reads the reports of cargo, pytest,
# Node.js, GoogleTest, `bindings/peers/python.py` and our own scripts.
at_least() {
  local least=$1 report=$GATE_RECORDS/report.$BASHPID passed
  shift
  "$@" | tee "$report"
  passed=$(sed -nE \
    -e 's/^test result: ok\. ([0-9]+) passed.*/\1/p' \
    -e 's/^(=+ )?([0-9]+) passed.* in [0-9.]+s.*/\2/p' \
    -e 's/^(ℹ|#) pass ([0-9]+)$/\2/p' \
    -e 's/^\[  PASSED  \] ([0-9]+) tests?\.$/\1/p' \
    -e 's/^([0-9]+) passed, 0 failed$/\1/p' \
    -e 's/^[a-z]+: ([0-9]+) of [0-9]+ pass,.*/\1/p' \
    "$report" | awk '{ sum += $1 } END { print sum + 0 }')
  if [ "$passed" -lt "$least" ]; then
    echo "$passed tests passed, and there are at least $least: $*" >&2
    return 1
  fi
  echo "$passed" >"$GATE_RECORDS/passed"
}

# install COMMAND-OR-FILE=PACKAGE…: installs packages of Debian for what is missing; PACKAGE may
# name a version.
install() {
  local missing=()
  for pair in "$@"; do
    if ! command -v "${pair%%=*}" >/dev/null && [ ! -e "${pair%%=*}" ]; then
      missing+=("${pair#*=}")
    fi
  done
  if [ "${#missing[@]}" -eq 0 ]; then
    return
  fi
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  if command -v apt-get >/dev/null; then
    step "${as_root[@]}" apt-get update -qq || true
    # A part that goes on beside this one may install packages too.
    step "${as_root[@]}" apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "${missing[@]}" ||
      skip "${missing[*]}: they cannot be installed"
  else
    skip "${missing[*]}: they are not installed, and there is no apt-get"
  fi
}

# python_environment FOLDER REQUIREMENTS: a virtual environment with pinned tools, made once, of a
# Python from 3.11 on.
python_environment() {
  local python= name
  install python3=python3-venv
  for name in python3 python3.11 python3.12 python3.13 python3.14; do
    if [ -z "$python" ] && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      python=$name
    fi
  done
  [ -n "$python" ] || return 1
  if [ ! -x "$1/bin/pip" ]; then
    rm -rf "$1"
    "$python" -m venv "$1" || return 1
  fi
  # uv takes a tenth of the time, as it asks for all packages at once and compiles none of their
  # files. pip knows the settings of more machines.
  if ! "$1/bin/pip" install --quiet --disable-pip-version-check uv==0.13.9 ||
    ! step "$1/bin/uv" pip install --quiet --python "$1/bin/python" -r "$2"; then
    step "$1/bin/pip" install --quiet --disable-pip-version-check -r "$2"
  fi
}

# rustup_has TARGET: whether rustup's compiler has its standard library, also after an attempt to
# fetch it.
rustup_has() {
  command -v rustup >/dev/null || return 1
  rustup target list --installed | grep -qx "$1" || step timeout 300 rustup target add "$1"
}

# debian_rust [FILE=PACKAGE…]: Debian's Rust for browsers in /usr/bin, and packages of the same
# version.
debian_rust() {
  local version pinned=() pair
  # That of Cargo.toml's `rust-version`, which Debian 12 has beside later ones.
  version=$(dpkg-query -W -f '${Version}' rustc-web 2>/dev/null) || version=$(stated_rust)*
  for pair in /usr/bin/rustc={rustc-web,libstd-rust-web-dev} /usr/bin/cargo=cargo-web "$@"; do
    pinned+=("$pair=$version")
  done
  install "${pinned[@]}"
  [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ]
}

# stated_rust: the lowest Rust that the crates of the root promise.
stated_rust() {
  sed -n 's/^rust-version = "\(.*\)"/\1/p' "$in_ci/../Cargo.toml"
}

# find_wasm32: sets `wasm32` to a cargo, and `for_wasm32` to its options for wasm32: rustup's with
# its standard library, or Debian's, which compiles the library first: two minutes with
# optimization.
find_wasm32() {
  wasm32=(cargo)
  for_wasm32=(--target wasm32-unknown-unknown)
  if rustup_has wasm32-unknown-unknown; then
    return
  fi
  debian_rust /usr/lib/rustlib/src=rust-web-src && install /usr/bin/wasm-ld-19=lld-19 || return
  # `RUSTC_BOOTSTRAP` lets the released compiler take `-Z`.
  wasm32=(env RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=/usr/bin/wasm-ld-19 /usr/bin/cargo)
  for_wasm32+=(-Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size)
  [ -x /usr/bin/wasm-ld-19 ] && [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src" ]
}

# report_costs: the ten slowest steps, and what the script that calls it cost in all, with
# everything that it ran and waited for.
report_costs() {
  printf '\nThe ten slowest steps:\n%8s %10s\n' seconds processor
  # `head` would end before `sort` has written all, which is an error here.
  sort -rn "$GATE_RECORDS/costs" |
    awk 'NR <= 10 { clock = $1; processor = $2 + $3; $1 = $2 = $3 = ""; printf "%8.0f %10.0f  %.100s\n", clock, processor, substr($0, 4) }'
  # A pipe would make it a shell of its own, without children.
  times >"$GATE_RECORDS/times"
  tr 'ms' '  ' <"$GATE_RECORDS/times" | awk -v clock="$SECONDS" '
    { user += $1 * 60 + $2; sys += $3 * 60 + $4 }
    END { printf "All of it: %d s by the clock, %.0f s of the processor: user %.0f, sys %.0f\n", clock, user + sys, user, sys }'
}

# The crawls of the zoo and of the client's examples, for every build of them to be the same one.
# shellcheck disable=SC2034 # The scripts that read this file use it.
with_zoo=(--workspace --locked --features polite-robots-zoo/tests --test examples --test zoo)
