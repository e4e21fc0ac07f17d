# SPDX-License-Identifier: Apache-2.0
# Vivado, without a project's window: synthesis of the chip out of context for an Alveo U250, with reports of area and timing.
# UNTESTED: written for 2022.1 and later, checked with stubs of Vivado's commands only (`make fpga-check`).
#
#   vivado -mode batch -source synth/fpga/u250/project.tcl -tclargs tiny build/fpga/u250
#
# Arguments: the configuration (two or four pipelines), a folder for the results, and, if wanted, another part.
set config [expr {$argc > 0 ? [lindex $argv 0] : "tiny"}]
set out    [expr {$argc > 1 ? [lindex $argv 1] : "build/fpga/u250"}]
set part   [expr {$argc > 2 ? [lindex $argv 2] : "xcu250-figd2104-2L-e"}]
set root   [file normalize [file join [file dirname [info script]] .. .. ..]]

# Packages, then modules, each after what it needs: as rtl/sluice.f lists them.
proc sources {root} {
  set list [open [file join $root rtl sluice.f]]
  set files [lsearch -all -inline -regexp [split [read $list] "\n"] {^rtl/.*\.sv$}]
  close $list
  return [lmap file $files {file join $root $file}]
}

# Printed by make; those of the examples are in the tree.
set config_package [file join $root build $config cfg sluice_cfg_pkg.sv]
if {![file exists $config_package]} { set config_package [file join $root rtl configs $config sluice_cfg_pkg.sv] }
if {![file exists $config_package]} { error "there is no package of '$config': make build/$config/cfg/sluice_cfg_pkg.sv" }
file mkdir $out

create_project -in_memory -part $part
read_verilog -sv [linsert [sources $root] 0 $config_package]
read_verilog -sv [file join $root synth fpga u250 sluice_u250.sv]
read_xdc -mode out_of_context [file join $root synth fpga u250 timing.xdc]
set_property include_dirs [list [file join $root rtl]] [current_fileset]

synth_design -top sluice_u250 -part $part -mode out_of_context -flatten_hierarchy rebuilt
report_utilization -hierarchical -hierarchical_depth 4 -file [file join $out utilization_synth.txt]
report_timing_summary -max_paths 20 -file [file join $out timing_synth.txt]

opt_design
place_design
phys_opt_design
route_design
report_utilization -file [file join $out utilization.txt]
report_timing_summary -max_paths 20 -file [file join $out timing.txt]
write_checkpoint -force [file join $out sluice_u250.dcp]
puts "sluice_u250, configuration $config: results in $out"
