#!/bin/sh
# /usr/bin/docent of the Debian package. The user docent runs commands with the environment of the service.
if [ "$(id -un)" = docent ]; then
  export DOCENT_UNPACK_DIR="${DOCENT_UNPACK_DIR:-/var/cache/docent}"
  if [ -z "$DOCENT_DATA" ]; then
    set -a
    if [ -r /etc/default/docent ]; then . /etc/default/docent; fi
    set +a
    export DOCENT_DATA="${DOCENT_DATA:-/var/lib/docent}"
  fi
fi
exec /usr/lib/docent/docent "$@"
