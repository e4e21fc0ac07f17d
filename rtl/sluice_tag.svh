// SPDX-License-Identifier: Apache-2.0
// Order of tags. A macro and not a function: see tb/sluice/shared_modules.
`ifndef SLUICE_TAG_SVH
`define SLUICE_TAG_SVH
// Whether tag A is older than tag B (its ticket is less): tags of packets in flight span at most the window,
// which is half of the tag space.
`define SLUICE_OLDER(A, B) (sluice_pkg::tag_t'((A) - (B)) >= sluice_pkg::tag_t'(sluice_cfg_pkg::Window))
`endif
