# shellcheck shell=sh
# Sourced by install.sh, in the checkout's root: gets the version of Bun that package.json pins, out of the npm package
# that carries the executable, checked against scripts/bun.sha512. No install script runs.

# Sets $bun. $1: the cache folder.
get_bun() {
  cache=$1
  version=$(sed -n 's/^ *"packageManager": "bun@\([0-9.]*\)",*$/\1/p' package.json)
  platform=$(platform)
  bun=$cache/bun-$version-$platform/bun
  [ -x "$bun" ] && [ "$("$bun" --version 2>/dev/null)" = "$version" ] && return
  say "Getting Bun $version for $platform"
  work=$(mktemp -d "$cache/download.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  download_package "bun-$platform" "$version"
  check_integrity "$work/package.tgz" "bun-$platform-$version.tgz"
  tar -xzf "$work/package.tgz" -C "$work" || die "the package @oven/bun-$platform could not be unpacked"
  chmod 755 "$work/package/bin/bun"
  [ "$("$work/package/bin/bun" --version)" = "$version" ] || die "Bun $version does not run on this machine ($platform)"
  mkdir -p "$(dirname -- "$bun")"
  mv -f "$work/package/bin/bun" "$bun"
  rm -rf "$work"
  trap - EXIT HUP INT TERM
}

# Writes $work/package.tgz: by npm where it works, else by curl from the registry that npm's settings name.
download_package() {
  name=$1
  if command -v npm >/dev/null; then
    if (cd "$work" && npm pack --silent --ignore-scripts "@oven/$name@$2" >npm.log 2>&1 && mv ./*.tgz package.tgz); then
      return
    fi
    tail -n 5 "$work/npm.log" >&2
    say "npm could not fetch @oven/$name; trying curl"
  fi
  command -v curl >/dev/null || die "Bun could not be fetched: install npm or curl"
  registry=$(registry_address)
  [ -n "$registry" ] || die "Bun could not be fetched by curl without the address of an npm registry: \
install npm, or set npm_config_registry to the address (https://...) of the registry to use"
  curl -fsSL --retry 2 --connect-timeout 20 -o "$work/package.tgz" "${registry%/}/@oven/$name/-/$name-$2.tgz" ||
    die "@oven/$name $2 could not be fetched from $registry"
}

# What npm would use without being asked for another: its variable, else its settings file.
registry_address() {
  if [ -n "${npm_config_registry:-${NPM_CONFIG_REGISTRY:-}}" ]; then
    printf '%s\n' "${npm_config_registry:-${NPM_CONFIG_REGISTRY:-}}"
  else
    cat "${HOME:-/nonexistent}/.npmrc" /etc/npmrc 2>/dev/null | sed -n 's/^registry *= *//p' | head -n 1
  fi
}

check_integrity() {
  expected=$(awk -v name="$2" '$2 == name { print $1 }' scripts/bun.sha512)
  [ -n "$expected" ] || die "scripts/bun.sha512 has no line for $2; this platform is not supported"
  if command -v sha512sum >/dev/null; then actual=$(sha512sum <"$1"); else actual=$(shasum -a 512 <"$1"); fi
  [ "${actual%% *}" = "$expected" ] ||
    die "$2 was changed on its way here: its SHA-512 is not the one in scripts/bun.sha512"
}

platform() {
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    *) die "$(uname -s) is not supported; Linux and macOS are" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) cpu=x64 ;;
    aarch64 | arm64) cpu=aarch64 ;;
    *) die "a $(uname -m) processor is not supported; x86_64 and arm64 are" ;;
  esac
  libc=
  if [ "$os" = linux ] && ls /lib/ld-musl-* >/dev/null 2>&1 && ! ls /lib*/ld-linux-* /lib/*/ld-linux-* >/dev/null 2>&1; then
    libc=-musl
  fi
  printf '%s\n' "$os-$cpu$libc"
}
