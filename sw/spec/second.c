// SPDX-License-Identifier: Apache-2.0
// The machine of the page as the second reference of a checker.
#include "../model/second.h"

#include "spec.h"

const struct sluice_second sluice_spec_second = {
    .open = sluice_spec_open,
    .close = sluice_spec_close,
    .set_bitmap = sluice_spec_set_bitmap,
    .set_bank = sluice_spec_set_bank,
    .set_inside = sluice_spec_set_inside,
    .set_sets = sluice_spec_set_sets,
    .control = sluice_spec_control,
    .marks_apart = sluice_spec_marks_apart,
    .place = sluice_spec_place,
    .cut_ask = sluice_spec_cut_ask,
    .cut_take = sluice_spec_cut_take,
    .cut_open = sluice_spec_cut_open,
    .flip_watch = sluice_spec_flip_watch,
    .flip_status = sluice_spec_flip_status,
    .flip = sluice_spec_flip,
    .filter = sluice_spec_filter,
    .classify = sluice_spec_classify,
    .mute = sluice_spec_mute,
    .front = sluice_spec_front,
    .pass_over = sluice_spec_pass_over,
    .admit = sluice_spec_admit,
    .mark = sluice_spec_mark,
    .leave = sluice_spec_leave,
    .egress = sluice_spec_egress,
    .count = sluice_spec_count,
    .state = sluice_spec_state,
    .lane_state = sluice_spec_lane_state,
    .row = sluice_spec_row,
    .faults = sluice_spec_faults,
};
