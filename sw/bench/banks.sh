#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What larger payload banks bring under stress, and what they cost: OUT/banks.csv, from the runs of figure `stress`.
# Bits: of all payload banks of the chip, as elaborated (bank_bits.sv), with the PHV and the back stages of the b configurations.
# usage: banks.sh OUT
set -eu
here=$(dirname "$0") out=$1
[ -e "$out/stress.csv" ] || exit 0
for k in 4 8; do
  for bank in 8 16 32; do
    bits=$("${VERILATOR:-verilator}" --lint-only "-GDepth=$bank" --top-module bank_bits "rtl/configs/b$k/sluice_cfg_pkg.sv" \
      rtl/sluice_layout_pkg.sv rtl/sluice_pkg.sv "$here/bank_bits.sv" 2>&1 | sed -n 's/.*bits of the banks: \([0-9][0-9]*\)$/\1/p')
    [ -n "$bits" ] || { echo "banks.sh: b$k: Verilator does not say the bits of its banks (bank_bits.sv)" >&2; exit 1; }
    printf '%s %s %s\n' $k $bank "$bits"
  done
done >"$out/banks.bits"
awk -v OFS=, '
  FILENAME ~ /banks.bits$/ { bits[$1, $2] = $3; next }
  FNR == 1 { print "figure,pipelines,trace,bank,chip,study,mbit_of_banks,more_than_banks_of_8"; next }
  {
    split($0, f, ",")
    k = substr(f[3], 2); bank = 32; trace = f[4]
    if (trace ~ /no-moves$/) next
    if (sub(/-bank16$/, "", trace)) bank = 16
    if (f[2] == "wide") { chip[k, trace, bank] = sprintf("%.4f", f[7]) (f[8] == "EQUIVALENT" ? "" : " " f[8]); seen[k, trace] = 1 }
    if (f[2] ~ /^study-bank/) { study[k, trace, substr(f[2], 11)] = sprintf("%.4f", f[7]); seen[k, trace] = 1 }
  }
  END {
    for (k = 4; k <= 8; k *= 2) for (bank = 8; bank <= 32; bank *= 2) for (s in seen) {
      split(s, g, SUBSEP)
      if (g[1] != k) continue
      print "banks", k, g[2], bank, chip[k, g[2], bank], study[k, g[2], bank], \
        sprintf("%.2f", bits[k, bank] / 1e6), sprintf("%.2f", (bits[k, bank] - bits[k, 8]) / 1e6)
    }
  }' "$out/banks.bits" "$out/stress.csv" >"$out/banks.new"
{ head -n 1 "$out/banks.new"; tail -n +2 "$out/banks.new" | sort -t, -k2,2n -k3,3 -k4,4n; } >"$out/banks.csv"
rm "$out/banks.new" "$out/banks.bits"
