// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// A page that shows the packets of a run (docs/story.md): HTML, style and JavaScript of sw/view
/// around two texts, an object of JSON and the packets in base64. A packet takes about 150 bytes,
/// 200 in base64, its whole story with it.
///
/// Packets, sorted by number; of one that goes through the chip again each pass is one. All numbers
/// are varints: 7 bits a byte, the lowest first, bit 7: more follow. "signed" is 2n, or -2n - 1.
///
///     number       minus that of the packet before
///     arrives      signed cycle; cycles that its beats took before, bytes, port, lane,
///                  module + 1 (0: none)
///     fate         0: left; 1: still inside; 2 + index into `reasons`: dropped, and behind it,
///                  signed, the cycle minus `arrives`
///     order        0: none. Else its cycle minus `arrives`, plus 1; cycle minus `first_of_lane`,
///                  signed; packet in front (0: none); for each of `causes` the cycles held
///     accesses     how many; for each the stage, the pipeline, and, signed, the cycle minus that
///                  of the order point
///     exit         0: none. Else its cycle minus `arrives`, plus 1; output queues that were full
///     copies       how many; for each the port, its first cycle minus that of the exit, its last
///                  cycle minus the first
///     text         how many bytes, so that who opens the page need not read them; in these: how
///                  many lines; for each, which of `templates`, and then what stands in its places:
///                  for \001 a number, for \002 a count of hexadecimal digits and the digits, two a
///                  byte
///
/// The text, its places filled, is what `sluice trace` prints for the packet.
struct view;

/// NULL: out of memory.
struct view *view_open(void);
/// Adds a packet: a story as story_tell makes it, and its text. In any order. False: out of memory.
bool view_add(struct view *view, const json_t *story, const char *text);
/// Writes the page. `run` is the object of JSON, which gets the names that packets refer to. False:
/// out of memory, or the file is full.
bool view_write(struct view *view, json_t *run, FILE *out);
void view_close(struct view *view);

/// Lines that differ in numbers alone, as one with places. A part of view.c. A text ends with the
/// end of a line.
struct view_texts;
struct view_bytes {
  uint8_t *bytes;
  size_t len, room;
  bool failed;  // out of memory: nothing is added any more
};
void view_put(struct view_bytes *to, uint64_t number);
void view_append(struct view_bytes *to, const struct view_bytes *more);
struct view_texts *view_texts_open(void);
void view_texts_add(struct view_texts *texts, struct view_bytes *to, const char *text);
/// The texts, an array of strings. NULL: out of memory.
json_t *view_texts_json(const struct view_texts *texts);
void view_texts_close(struct view_texts *texts);

/// The page around the data, lines with a NULL behind the last one (printed by the Makefile from
/// sw/view).
extern const char *const view_page_head[], *const view_page_tail[];
