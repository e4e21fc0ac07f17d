// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_STATUS_H
#define SLUICE_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// The compiler warns when the result of such a function is not looked at.
#define SLUICE_MUST_CHECK __attribute__((warn_unused_result))

/// What became of a call that can fail because of the world or of its input. 0 is good, errors are
/// negative. A function that returns it also fills a struct sluice_error with a sentence.
enum sluice_status {
  SLUICE_OK = 0,
  SLUICE_ERR_NOMEM = -1,    // out of memory
  SLUICE_ERR_IO = -2,       // a file, a line or a socket does not do what it is asked for
  SLUICE_ERR_FORMAT = -3,   // a file or an answer is not what it should be
  SLUICE_ERR_FOREIGN = -4,  // made for another chip, or by software with other layouts
  SLUICE_ERR_RANGE = -5,    // a value is outside its legal range; nothing was cut, nothing was done
  SLUICE_ERR_FULL = -6,     // does not fit: the resource that ran out is in the text
  // The chip does not hold what was wanted, though it was written again and again
  SLUICE_ERR_DIFFERS = -7,
  SLUICE_ERR_NOT_FOUND = -8,     // there is no such program, table, array, register, entry
  SLUICE_ERR_EXISTS = -9,        // there is one already
  SLUICE_ERR_UNSUPPORTED = -10,  // this chip, or this switch, cannot do it
  SLUICE_ERR_BUSY = -11,         // not now: something that is under way must end first
};

/// Why, as one sentence without a capital or a full stop: "cannot open 'x': no such file". It
/// belongs to the caller, who may pass NULL where only the status is wanted. It is left as it was
/// when the call succeeds.
struct sluice_error {
  char text[400];
};

/// A word for a status: "out of memory", "does not fit". Never NULL.
const char *sluice_status_text(enum sluice_status status);

/// Where handles take their memory from, and give it back to. One function does all: `size` 0 frees
/// `old` and returns NULL; else it returns `size` bytes that begin with what `old` held (NULL:
/// nothing), or NULL when there are none, and `old` stays as it was. `old_size` is what was asked
/// for `old`.
///
///     static void *from_pool(void *user, void *old, size_t old_size, size_t size) { ... }
///     const struct sluice_alloc pool = {from_pool, &my_pool};
///     status = sluice_image_open(&image, "flowlet.json", &pool, &error);
///
/// Functions that take one copy it; NULL means realloc and free of the C library. Only the reader
/// of image files uses more than this: it parses JSON with jansson, whose own hook is
/// json_set_alloc_funcs.
struct sluice_alloc {
  void *(*resize)(void *user, void *old, size_t old_size, size_t size);
  void *user;
};

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
