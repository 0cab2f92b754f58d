#!/bin/sh
# Installs orch, ctl and nodeagent from this folder; ./install.sh --help
set -eu

usage() {
  cat <<'EOF'
Usage: ./install.sh [--prefix DIR] [--uninstall] [--help]

Builds orch in this folder when needed and installs orch, ctl and nodeagent with their own
Node.js runtime, man pages, shell completion and systemd units (not enabled). Running it again
upgrades. It needs npm and Node.js 20 or later for the build only.

  --prefix DIR   where to install; by default /usr/local for root, else ~/.local
  --uninstall    remove what was installed; data and client configuration stay
  --help         show this help
EOF
}

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

say() {
  echo "$*"
}

parse_arguments() {
  action=install
  prefix=
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix)
        [ $# -ge 2 ] || fail "--prefix needs a directory"
        prefix=$2
        shift
        ;;
      --prefix=*) prefix=${1#--prefix=} ;;
      --uninstall) action=uninstall ;;
      --help | -h)
        usage
        exit 0
        ;;
      *)
        usage >&2
        fail "unknown argument $1"
        ;;
    esac
    shift
  done
  if [ -z "$prefix" ]; then
    if [ "$(id -u)" = 0 ]; then
      prefix=/usr/local
    else
      [ -n "${HOME:-}" ] || fail "there is no home folder; give --prefix DIR"
      prefix=$HOME/.local
    fi
  fi
  case $prefix in
    /*) ;;
    *) prefix=$(pwd)/$prefix ;;
  esac
  prefix=${prefix%/}
}

locate() {
  source_dir=$(cd "$(dirname "$0")" && pwd -P)
  # Each installation has a folder of its own in $lib; programs that run go on with the files they started from.
  lib=$prefix/lib/orch
  current=$lib/current
  programs="orch ctl nodeagent"
  # Units for the system only where systemd looks for them.
  case $prefix in
    /usr/local | /usr)
      unit=$prefix/lib/systemd/system/orch.service
      unit_source=$source_dir/packaging/systemd/orch.service
      # Pods need root, so that there is an agent for the whole machine only.
      agent_unit=$prefix/lib/systemd/system/nodeagent.service
      up_unit=$prefix/lib/systemd/system/orch-up.service
      ;;
    *)
      unit=$prefix/share/systemd/user/orch.service
      unit_source=$source_dir/packaging/systemd/orch-user.service
      agent_unit=
      up_unit=
      ;;
  esac
}

check_prerequisites() {
  [ -f "$source_dir/package.json" ] || fail "$source_dir holds no package.json; run it from a clone or unpacked package"
  command -v npm >/dev/null 2>&1 || fail "npm is missing; install it (Debian: apt-get install npm) and run this again"
  command -v node >/dev/null 2>&1 || fail "node is missing; npm needs Node.js 20 or later (Debian: apt-get install nodejs)"
  major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null) || fail "node does not run"
  [ "$major" -ge 20 ] || fail "Node.js $major is too old for the build; it needs 20 or later"
  mkdir -p "$prefix/lib" "$prefix/bin" 2>/dev/null || fail "cannot write to $prefix; run as another user or give --prefix DIR"
  [ -w "$prefix/lib" ] && [ -w "$prefix/bin" ] || fail "cannot write to $prefix; run as another user or give --prefix DIR"
}

# Runs npm quietly; its output is shown only when it fails.
run_npm() {
  log=$(mktemp)
  if (cd "$source_dir" && npm "$@") >"$log" 2>&1; then
    rm -f "$log"
  else
    cat "$log" >&2
    rm -f "$log"
    fail "npm $* failed (see above)"
  fi
}

build() {
  lock=$source_dir/package-lock.json
  runtime=$source_dir/node_modules/node/bin/node
  if [ ! -x "$runtime" ] || [ "$lock" -nt "$source_dir/node_modules/.package-lock.json" ]; then
    say "Fetching dependencies ..."
    run_npm ci
    [ -x "$runtime" ] || run_npm rebuild node
    [ -x "$runtime" ] || fail "the Node.js runtime is missing in node_modules/node; is this platform supported?"
  fi
  # A package holds dist/ and no sources; a clone is always built, because that takes seconds.
  if [ -d "$source_dir/src" ]; then
    say "Building ..."
    run_npm run build
  fi
  [ -f "$source_dir/dist/src/app/main.js" ] || fail "the build made no dist/src/app/main.js"
}

# Copies what runs to a new folder beside the old one, which stays as long as programs run from it.
install_library() {
  release=$(date -u +%Y%m%dT%H%M%SZ)-$$
  stage=$lib/$release
  say "Installing to $stage ..."
  trap 'rm -rf "$stage"' EXIT
  mkdir -p "$stage/node_modules"
  for part in bin dist man package.json oclif.manifest.json LICENSE; do
    cp -R "$source_dir/$part" "$stage/"
  done
  (cd "$source_dir" && npm ls --omit=dev --all --parseable 2>/dev/null || true) | while IFS= read -r folder; do
    relative=${folder#"$source_dir"/}
    case $relative in
      node_modules/*/node_modules/*) ;; # came with the package that holds it
      node_modules/*)
        mkdir -p "$stage/$(dirname "$relative")"
        cp -R "$source_dir/$relative" "$stage/$relative"
        ;;
    esac
  done
  # Only the runtime itself is needed of the packages that brought it.
  rm -rf "$stage/node_modules/node/node_modules"
  "$stage/bin/orch" --version >/dev/null || fail "the new installation in $stage does not start"
  remove_man_pages
  ln -sfn "$release" "$current.$$"
  mv -Tf "$current.$$" "$current" 2>/dev/null || { rm -f "$current" && mv "$current.$$" "$current"; }
  trap - EXIT
  remove_releases
}

# Removes what was installed before, but for that which programs still run from.
remove_releases() {
  used=
  for folder in "$lib"/*; do
    case $folder in
      "$current" | "$lib/$release") continue ;;
    esac
    pids=$(pids_from "$(cd "$lib" && pwd -P)/${folder##*/}")
    if [ -n "$pids" ]; then
      used="$used$pids"
    else
      rm -rf "$folder"
    fi
  done
}

# Prints the processes whose runtime lies in a folder. Without /proc there are none to be seen.
pids_from() {
  for process in /proc/[0-9]*; do
    case $(readlink "$process/exe" 2>/dev/null) in
      "$1"/*) printf ' %s' "${process#/proc/}" ;;
    esac
  done
}

install_links() {
  for program in $programs; do
    ln -sfn "../lib/orch/current/bin/$program" "$prefix/bin/$program"
  done
}

# Removes the manual pages of what is installed, which is why that keeps them too.
remove_man_pages() {
  for page in "$current"/man/*.[18]; do
    page=${page##*/}
    rm -f "$prefix/share/man/man${page##*.}/$page"
  done
}

install_documents() {
  man_dir=$prefix/share/man
  bash_dir=$prefix/share/bash-completion/completions
  zsh_dir=$prefix/share/zsh/site-functions
  fish_dir=$prefix/share/fish/vendor_completions.d
  mkdir -p "$man_dir/man1" "$man_dir/man8" "$bash_dir" "$zsh_dir" "$fish_dir"
  rm -f "$man_dir/man1/nodeagent.1" # of older versions
  for page in "$source_dir"/man/*.[18]; do
    cp "$page" "$man_dir/man${page##*.}/"
  done
  for program in $programs; do
    cp "$source_dir/dist/completions/$program.bash" "$bash_dir/$program"
    cp "$source_dir/dist/completions/$program.zsh" "$zsh_dir/_$program"
    cp "$source_dir/dist/completions/$program.fish" "$fish_dir/$program.fish"
  done
  mkdir -p "$(dirname "$unit")"
  sed "s|@PREFIX@|$prefix|g" "$unit_source" >"$unit"
  if [ -n "$agent_unit" ]; then
    sed "s|@PREFIX@|$prefix|g" "$source_dir/packaging/systemd/nodeagent.service" >"$agent_unit"
    sed "s|@PREFIX@|$prefix|g" "$source_dir/packaging/systemd/orch-up.service" >"$up_unit"
    mkdir -p "$prefix/share/orch"
    cp "$source_dir/packaging/nodeagent.yaml" "$prefix/share/orch/nodeagent.yaml"
  fi
}

report() {
  say "Installed orch, ctl and nodeagent in $prefix/bin."
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) say "$prefix/bin is not on your PATH; add it: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
  [ -z "$used" ] || say "Still running from the previous installation, until they are restarted: processes$used."
  say "Next: orch serve, and in another terminal: ctl get namespaces"
}

uninstall() {
  remove_man_pages
  for program in $programs; do
    rm -f "$prefix/bin/$program" \
      "$prefix/share/bash-completion/completions/$program" \
      "$prefix/share/zsh/site-functions/_$program" \
      "$prefix/share/fish/vendor_completions.d/$program.fish"
  done
  rm -f "$unit"
  [ -z "$agent_unit" ] || rm -rf "$agent_unit" "$up_unit" "$prefix/share/orch"
  rm -rf "$lib"
  say "Removed orch, ctl and nodeagent from $prefix."
  say "Data stays where it was: /var/lib/orch (root) or ~/.local/share/orch, and ~/.orch/config."
}

parse_arguments "$@"
locate
if [ "$action" = uninstall ]; then
  uninstall
else
  check_prerequisites
  build
  install_library
  install_links
  install_documents
  report
fi
