# SPDX-License-Identifier: Apache-2.0
# What each mechanism takes that keeps modules apart, in kilogates (two-input NANDs), registers, kilobits of macros, and all
# together, a bit as half a gate: awk -v nand2=AREA -v name=NAME -f apart.awk WITHOUT/blocks.tsv WITH/blocks.tsv
# Of the outputs, what is more than without classes; of the exit's tables, the one of the ports alone is not known: all of them.
BEGIN {
  FS = "\t"
  n = split("filter segments ports shares rates buffers classes", order, " ")
  says["filter"]   = "filter: whose a packet is, reconfiguration packets"
  says["segments"] = "segments at the order point"
  says["ports"]    = "tables of the exit: ports of a module, groups, deparser"
  says["shares"]   = "shares of the order queues"
  says["rates"]    = "rates at the lanes"
  says["buffers"]  = "shares of the packet buffers"
  says["classes"]  = "classes in the output queues"
  of["sluice_filter"] = "filter"; of["sluice_order_tables"] = "segments"; of["sluice_exit_tables"] = "ports"
  of["sluice_share_table"] = of["sluice_module_shares"] = of["sluice_rivals"] = "shares"
  of["sluice_rate_limits"] = "rates"; of["sluice_buffer_shares"] = "buffers"; of["sluice_place_shares"] = "buffers"
}
FNR == 1 { files++ }
{
  block = $1; sub(/[\/[].*/, "", block)
  m = block in of ? of[block] : "classes"
  # Without them: only what the outputs have anyhow.
  if (files == 1 && m != "classes") next
  sign = files == 1 ? -1 : 1
  gates[m] += sign * $5 * ($6 + $8) / nand2; registers[m] += sign * $5 * $7; bits[m] += sign * $5 * $9
}
END {
  printf "%s\n%-58s %10s %10s %10s %10s\n", name, "mechanism", "kilogates", "registers", "kilobits", "together"
  for (i = 1; i <= n; i++) {
    m = order[i]; all = (gates[m] + bits[m] / 2) / 1000
    printf "%-58s %10.1f %10d %10.1f %10.1f\n", says[m], gates[m] / 1000, registers[m], bits[m] / 1000, all
    sum += all
  }
  printf "%-58s %43.1f\n", "sum", sum
}
