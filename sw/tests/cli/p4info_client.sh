#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# P4Info read by protobuf's own library, with the descriptions of messages that P4Runtime publishes on PyPI: the table
# of messages, and text, binary and JSON of every program of v1model here. Usage: p4info_client.sh SLUICE
set -u
sluice=$(realpath "$1")
cd "$(dirname "$0")/../../.." || exit 3
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
# The published package was made for this protobuf, whatever its own requirements say.
{ python3 -m venv "$dir/venv" && "$dir/venv/bin/pip" install -q --no-deps p4runtime==1.6.0 protobuf==3.20.3; } > "$dir/log" 2>&1 || {
  echo "1..0 # SKIP no Python, or the packages p4runtime and protobuf cannot be had: $(tail -1 "$dir/log")"
  exit 0
}
"$dir/venv/bin/python" sw/tests/cli/p4info_client.py "$sluice" sw/proto/messages.def sw/programs/p4/*.p4 sw/tests/p4/stf/*.p4 sw/tests/p4/info/*.p4
