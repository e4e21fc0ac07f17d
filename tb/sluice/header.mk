# SPDX-License-Identifier: Apache-2.0
# Read behind Verilator's Vsim.mk, in its folder: its header, most of what a small file costs, is compiled once for each level
# of optimization. A compiler that cannot use what is there reads the header itself.
verilated.h.gch/fast: private OPT = $(OPT_FAST)
verilated.h.gch/slow: private OPT = $(OPT_SLOW)
verilated.h.gch/fast verilated.h.gch/slow:
	mkdir -p $(@D); $(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT) -x c++-header -o $@ $(VERILATOR_ROOT)/include/verilated.h
$(VK_FAST_OBJS): verilated.h.gch/fast
$(VK_SLOW_OBJS): verilated.h.gch/slow
$(VK_FAST_OBJS) $(VK_SLOW_OBJS): private CPPFLAGS += -include verilated.h
.INTERMEDIATE: verilated.h.gch/fast verilated.h.gch/slow
