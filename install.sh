#!/bin/sh
# Plumbline, from a fresh checkout: see `./install.sh help`. A machine needs a POSIX shell, git, and npm or curl.
# Bun and the packages go into a cache of their own; what the user has installed is neither used nor changed.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cache=${XDG_CACHE_HOME:-${HOME:-$root}/.cache}/plumbline

usage() {
  cat <<'USAGE'
./install.sh VERB

  demo [--once]       build, review a sample pull request, show what was said, serve until Ctrl-C
  test                run every check and test, with what they need from the system
  build [--target T]  make dist/plumbline, for this machine or another (linux-arm64, linux-x64-musl, ...)
  install             build and install: as root system-wide with a systemd unit, else under ~/.local
  install --from FILE install a downloaded executable after checking its SHA-256; needs no network
  uninstall           remove what install put there, never the data
  help                this text

Without a verb: install. DESTDIR stages a system-wide installation under another root.
USAGE
}

main() {
  verb=${1:-install}
  [ $# -eq 0 ] || shift
  case $verb in
    demo | build) run_script "$verb" "$@" ;;
    test) run_script check "$@" ;;
    install) install_plumbline "$@" ;;
    uninstall) uninstall_plumbline ;;
    help | --help | -h) usage ;;
    *) wrong_usage ;;
  esac
}

run_script() {
  prepare
  script=$1
  shift
  exec "$bun" run "$root/scripts/$script.ts" "$@"
}

wrong_usage() {
  usage >&2
  exit 2
}

say() { printf '%s\n' "==> $*" >&2; }

die() {
  printf '%s\n' "install.sh: $*" >&2
  exit 1
}

# Sets $bun and leaves the locked packages in node_modules.
prepare() {
  cd "$root"
  command -v git >/dev/null || die "git is missing; install it with your system's package manager"
  mkdir -p "$cache" 2>/dev/null || cache=$root/.cache
  mkdir -p "$cache"
  # shellcheck source=scripts/get-bun.sh
  . "$root/scripts/get-bun.sh"
  get_bun "$cache"
  PATH=$(dirname -- "$bun"):$PATH
  export PATH BUN_INSTALL_CACHE_DIR="${BUN_INSTALL_CACHE_DIR:-$cache/packages}"
  log=$(mktemp)
  say "Installing the locked packages"
  "$bun" install --frozen-lockfile --ignore-scripts >"$log" 2>&1 || {
    cat "$log" >&2
    rm -f "$log"
    die "the packages of bun.lock could not be installed: see above (is the npm registry reachable from here?)"
  }
  rm -f "$log"
}

system_wide() { [ -n "${DESTDIR:-}" ] || [ "$(id -u)" = 0 ]; }

set_places() {
  if system_wide; then
    destination=${DESTDIR:-}/usr/local/bin/plumbline
    unit=${DESTDIR:-}/etc/systemd/system/plumbline.service
  else
    destination=${HOME:?}/.local/bin/plumbline
    unit=
  fi
}

# True where this very system is changed and systemd runs it.
systemd_runs() { [ -z "${DESTDIR:-}" ] && [ -d /run/systemd/system ]; }

install_plumbline() {
  case "$#:${1:-}" in
    0:)
      prepare
      "$bun" run "$root/scripts/build.ts"
      file=$root/dist/plumbline
      ;;
    2:--from)
      file=$2
      check_sha256 "$file"
      ;;
    *) wrong_usage ;;
  esac
  set_places
  place_executable
  if system_wide; then install_service; else say_first_steps; fi
}

# FILE.sha256, or the line of FILE in SHA256SUMS, must stand beside it.
check_sha256() {
  [ -f "$1" ] || die "$1 is not there"
  folder=$(dirname -- "$1")
  name=$(basename -- "$1")
  if [ -f "$1.sha256" ]; then
    expected=$(awk 'NR == 1 { print $1 }' "$1.sha256")
  elif [ -f "$folder/SHA256SUMS" ]; then
    expected=$(awk -v name="$name" '$2 == name || $2 == "*" name { print $1; exit }' "$folder/SHA256SUMS")
  else
    die "neither $name.sha256 nor SHA256SUMS stands beside $1; without them it cannot be checked"
  fi
  if command -v sha256sum >/dev/null; then actual=$(sha256sum <"$1"); else actual=$(shasum -a 256 <"$1"); fi
  actual=${actual%% *}
  [ "$(printf %s "$expected" | tr 'A-F' 'a-f')" = "$actual" ] || die "the SHA-256 of $1 is $actual, not ${expected:-listed}; nothing was installed"
  say "The SHA-256 of $name is right"
}

# By rename, so that a running plumbline keeps the executable it has open.
place_executable() {
  folder=$(dirname -- "$destination")
  mkdir -p "$folder"
  cp "$file" "$destination.new"
  chmod 755 "$destination.new"
  "$destination.new" version >/dev/null 2>&1 || {
    rm -f "$destination.new"
    die "$file does not run on this machine"
  }
  mv -f "$destination.new" "$destination"
  say "Installed $destination"
}

say_first_steps() {
  case :$PATH: in *":$(dirname -- "$destination"):"*) ;; *) say "$(dirname -- "$destination") is not in your PATH" ;; esac
  say "Next: plumbline serve, and plumbline setup --help in another window"
}

install_service() {
  folder=$(dirname -- "$unit")
  mkdir -p "$folder"
  write_unit >"$unit"
  if [ -z "${DESTDIR:-}" ]; then
    id plumbline >/dev/null 2>&1 ||
      useradd --system --user-group --home-dir /var/lib/plumbline --shell /usr/sbin/nologin plumbline
    install -d -m 0700 -o plumbline -g plumbline /var/lib/plumbline
    # The service may add its key here, and change nothing that root put here.
    install -d -m 1770 -o root -g plumbline /etc/plumbline
  fi
  if systemd_runs; then
    systemctl daemon-reload
    systemctl enable --quiet plumbline
    systemctl restart plumbline
    say "The service runs: systemctl status plumbline"
  else
    say "Installed $unit; systemd does not run here, so nothing was started"
  fi
  say "Next: plumbline setup --help. Settings go into /etc/plumbline/plumbline.env"
}

write_unit() {
  cat <<'UNIT'
[Unit]
Description=Plumbline code review
Wants=network-online.target
After=network-online.target

[Service]
User=plumbline
Group=plumbline
EnvironmentFile=-/etc/plumbline/plumbline.env
ExecStart=/usr/local/bin/plumbline serve
Restart=on-failure
RestartSec=2
# The service drains its jobs for up to 30 seconds.
KillMode=mixed
TimeoutStopSec=45
UMask=0077
StateDirectory=plumbline
StateDirectoryMode=0700
ReadWritePaths=/etc/plumbline

CapabilityBoundingSet=
LockPersonality=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=read-only
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service

[Install]
WantedBy=multi-user.target
UNIT
}

uninstall_plumbline() {
  set_places
  if [ -n "$unit" ] && [ -f "$unit" ]; then
    if systemd_runs; then systemctl disable --now --quiet plumbline; fi
    rm -f "$unit"
    if systemd_runs; then systemctl daemon-reload; fi
  fi
  rm -f "$destination"
  say "Removed the executable${unit:+ and the service}. Data and keys were left where they are"
}

main "$@"
