# SPDX-License-Identifier: Apache-2.0
# Runs project.tcl and timing.xdc under tclsh with stubs of Vivado's commands: every command must be one that is listed here, with
# options that are listed, every file that is read must exist, and every file of rtl/sluice.f must be read. What Vivado makes of it, this
# cannot tell.
#   tclsh synth/fpga/u250/check.tcl CONFIG FOLDER
array set known {
  create_project {-in_memory -part}   read_verilog {-sv}   read_xdc {-mode}   set_property {}
  synth_design {-top -part -mode -flatten_hierarchy}   report_utilization {-hierarchical -hierarchical_depth -file}
  report_timing_summary {-max_paths -file}   opt_design {}   place_design {}   phys_opt_design {}   route_design {}
  write_checkpoint {-force}   create_clock {-name -period}   set_false_path {-from -to}
  set_input_delay {-clock}   set_output_delay {-clock}
}
set calls {}
set read {}
set xdc {}
proc used {name arguments} {
  global known calls xdc read
  lappend calls $name
  foreach a $arguments {
    if {[string match -* $a] && ![string is double $a] && $a ni $known($name)} { error "$name: option $a is not known" }
  }
  if {$name in {read_verilog read_xdc}} {
    set files [lindex $arguments end]
    if {![llength $files]} { error "$name: no files" }
    foreach f $files { if {![file exists $f]} { error "$name: no file $f" } }
    if {$name eq "read_xdc"} { set xdc $files } else { set read [concat $read $files] }
  }
}
foreach name [array names known] { proc $name {args} "used $name \$args" }
proc current_fileset {} { return sources_1 }
proc get_ports {names} { return $names }
proc all_inputs {} { return {clk aresetn s_axis_rx_tvalid} }
proc all_outputs {} { return {m_axis_tx_tvalid} }
proc filter {objects condition} { return $objects }

set wanted $argv
set here [file dirname [info script]]
set argv [list [lindex $wanted 0] [lindex $wanted 1]]
set argc 2
source [file join $here project.tcl]
source $xdc
foreach step {create_project read_verilog read_xdc synth_design place_design route_design write_checkpoint create_clock} {
  if {$step ni $calls} { error "project.tcl does not call $step" }
}
set list [open [file join $here .. .. .. rtl sluice.f]]
foreach file [lsearch -all -inline -regexp [split [read $list] "\n"] {^rtl/}] {
  if {[lsearch -glob $read */$file] < 0} { error "project.tcl does not read $file" }
}
close $list
puts "ok [llength $calls] commands"
