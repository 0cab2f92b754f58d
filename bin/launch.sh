# Sourced by the launchers beside it; `self` is the path of the launcher, symbolic links resolved.

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
  if [ ! -f "$root/dist/src/app/main.js" ]; then
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
  exec "$runtime" "$root/dist/src/app/main.js" "$@"
}
