// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

/// What the two ends of a reaction's socket share. Both are one program, so numbers are as the
/// machine has them.
enum reaction_frame_kind {
  REACTION_RUN = 1,
  REACTION_READY,
  REACTION_DONE,
  REACTION_FAILED,
  REACTION_DIED
};
enum { REACTION_MAGIC = 0x736c7278 };
struct reaction_frame {
  uint32_t magic, kind, sequence, len;  // len: bytes behind it
};
struct reaction_done {
  uint32_t param, line;
  int64_t value;
};
/// Before the effects: how many there are. Behind them `changes` times REACTION_CHANGE_WORDS words.
struct reaction_counts {
  uint32_t effects, changes;
};
/// Before the values and words of RUN.
struct reaction_given {
  int32_t refused;
};
struct reaction_died {
  uint32_t signal, known;  // known: the offset is one
  uint64_t offset;         // in the shared object
};
/// The child's life: takes away from itself what a body may not do, loads the object, then runs
/// what it is told until its socket is closed. `fd` is 3.
struct reaction_child {
  int object_fd;  // the shared object
  uint32_t which, num_params, num_words;
};
_Noreturn void reaction_child_main(int fd, const struct reaction_child *child);
