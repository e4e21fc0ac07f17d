// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../model/checker.h"

/// The stories of single packets, as they happen: values from the reference, cycles from the
/// monitors. A text of JSON for each packet when its story ends, so not in the order of numbers.
/// Containers, rows and slots have no source names here; the command adds them (live/story.h). A
/// packet that goes through the chip again has a story for each pass, with the same number.
///
///     struct stories s = {.config = config, .wanted = wanted, .take = take, .user = ...};
///     stories_watch(&s, checker);
///     ...
///     stories_drop(&s);
struct story;
struct stories {
  // Of the caller.
  const struct sluice_config *config;
  bool (*wanted)(void *user, uint64_t number);
  void (*take)(void *user, const char *story, size_t len);
  void *user;
  bool brief;      // no more of a frame than the header, and none of those that leave
  uint64_t start;  // cycles count from here
  // Read by all.
  bool failed;  // a story is missing: out of memory
  // Private.
  struct story *open;  // those under way
};

/// The stories that were under way, of another checker, end without an end.
void stories_watch(struct stories *stories, struct sluice_checker *checker);
void stories_drop(struct stories *stories);
