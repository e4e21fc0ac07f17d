#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What larger payload banks bring under stress, and what they cost: OUT/banks.csv, from the runs of figure `stress`.
# Bits: of all payload banks of the chip, packet and what is known of its slot (rtl/boundary/sluice_payload_bank.sv), with
# the PHV and the back stages of the b configurations. usage: banks.sh OUT
set -eu
out=$1
[ -e "$out/stress.csv" ] || exit 0
awk -F '[(), ]+' -v OFS=, '
  function log2(n,  b) { for (b = 0; 2 ^ b < n; b++); return b }
  # Slots of all banks times bits of a slot.
  function bits(k, bank,  pipe, tag, packet) {
    pipe = log2(k); tag = log2(window[k]) + 1
    packet = tag + (1 + pipe) * (stages[k] + 1) + 40 + 2 * pipe + log2(headers[k]) + containers[k]
    return k * k * stages[k] * bank * (packet + 2 + tag + (1 + pipe) + log2(bank))
  }
  FILENAME ~ /configs.def$/ {
    if ($1 != "SLUICE_CONFIG" || $2 !~ /^b[0-9]+$/) next
    k = $3; stages[k] = $6; containers[k] = $12 * 16 + $13 * 32 + $14 * 48; window[k] = $15; headers[k] = $17
    next
  }
  FNR == 1 { FS = ","; print "figure,pipelines,trace,bank,chip,study,mbit_of_banks,more_than_banks_of_8"; next }
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
        sprintf("%.2f", bits(k, bank) / 1e6), sprintf("%.2f", (bits(k, bank) - bits(k, 8)) / 1e6)
    }
  }' sw/configs.def "$out/stress.csv" >"$out/banks.new"
{ head -n 1 "$out/banks.new"; tail -n +2 "$out/banks.new" | sort -t, -k2,2n -k3,3 -k4,4n; } >"$out/banks.csv"
rm "$out/banks.new"
