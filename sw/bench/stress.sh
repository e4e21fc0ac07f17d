#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the stress traces: every packet accesses four states. usage: stress.sh FOLDER [SEED [CYCLES]]
set -eu
folder=$1 seed=${2:-1} cycles=${3:-40000}
for k in 4 8; do
  for shape in "uniform 512 100" "zipf 512 90" "zipf 4096 95"; do
    # shellcheck disable=SC2086
    set -- $shape
    to=$folder/$k-$1-$2-$3
    [ -d "$to" ] && continue
    rm -rf "$to.new"; mkdir -p "$to.new"
    exponent=0; [ "$1" = zipf ] && exponent=0.9
    build/sluice gen --stress "$to.new" --pipelines $k --entries "$2" --zipf $exponent --load "$(awk "BEGIN {print $3 / 100}")" \
      --cycles "$cycles" --seed "$seed" >/dev/null
    mv "$to.new" "$to"
  done
done
