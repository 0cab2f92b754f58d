# Sourced by the launchers beside it; `self` is the path of the launcher, symbolic links resolved.

# One pool for all threads of the C library's allocator: others keep what was needed for a moment.
one_arena() {
  : "${MALLOC_ARENA_MAX=1}"
  export MALLOC_ARENA_MAX
}

# Runs a program of dist/ with the runtime that was installed with it.
launch() {
  root=${self%/*}/..
  runtime=
  # A clone or installed prefix; a package with its own dependencies; dependencies installed beside the package.
  for candidate in "$root/node_modules/node/bin/node" "$root/../node/bin/node"; do
    if [ -x "$candidate" ]; then
      runtime=$candidate
      break
    fi
  done
  if [ -z "$runtime" ]; then
    echo "$1: its Node.js runtime is missing; run 'npm ci' in $(cd "$root" && pwd)" >&2
    exit 1
  fi
  case $1 in
    ctl) main=$root/dist/ctl/start.cjs ;;
    *) main=$root/dist/src/app/main.js ;;
  esac
  if [ ! -f "$main" ]; then
    echo "$1: not built yet; run 'npm ci && npm run build' in $(cd "$root" && pwd), or ./install.sh there" >&2
    exit 1
  fi
  # Compiled code is kept between runs, which halves the time to start.
  if [ -z "${NODE_COMPILE_CACHE-}" ]; then
    cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
    if [ -n "$cache" ]; then
      NODE_COMPILE_CACHE=$cache/orch/compiled
      export NODE_COMPILE_CACHE
    fi
  fi
  case $1:${2-}:${3-} in
    *:serve:* | *:test-assets:server)
      # A server spends a little more time on collecting garbage, and keeps a third less memory for it.
      flags='--max-semi-space-size=16 --heap-growing-percent=100'
      one_arena
      ;;
    nodeagent:*:*)
      # An agent mostly waits: it keeps a third less memory without compilers for code that is busy for long.
      flags='--max-semi-space-size=1 --heap-growing-percent=50 --v8-pool-size=1 --no-opt --no-maglev'
      one_arena
      ;;
    ctl:*:*)
      # The client says whom it trusts once it knows its server (src/client/rest/authorities.ts), unless the user says it here.
      case ${NODE_OPTIONS-}:${NODE_USE_SYSTEM_CA-} in
        *-ca*:* | *:?*) flags= ;;
        *) flags=--use-openssl-ca ;;
      esac
      ;;
    *)
      flags=
      ;;
  esac
  # shellcheck disable=SC2086 # $flags is several words, or none
  exec "$runtime" $flags "$main" "$@"
}
