# Prints a Verilator configuration from the files of the shared modules (see shared_modules): no
# inlining, and every port a real signal.
BEGIN { print "`verilator_config" }
FNR == 1 { in_ports = 0 }
/^module / { module = $2; sub(/[^a-z0-9_].*/, "", module); in_ports = 1; printf "no_inline -module \"%s\"\n", module }
/^\);/ { in_ports = 0 }
in_ports && /^ *(input|output) / {
  line = $0; sub(/\/\/.*/, "", line); sub(/,[ ]*$/, "", line); gsub(/ +$/, "", line)
  n = split(line, word, /[ ]+/); name = word[n]
  if (name != "clk_i" && name != "rst_ni") printf "public_flat_rd -module \"%s\" -var \"%s\"\n", module, name
}
