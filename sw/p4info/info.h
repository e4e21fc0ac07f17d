// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../p4/front.h"
#include "../proto/proto.h"

/// The P4Info of a checked program of v1model: what its control plane may name, with the ids that
/// P4Runtime gives to names. Two compilers that follow its specification give the same message.
///
/// The message lives in the program's arena. NULL: the program has something that P4Runtime cannot
/// say, which `messages` tells, or memory ran out (messages->out_of_memory).
struct proto *p4info_make(struct p4_program *program, struct p4_messages *messages);
