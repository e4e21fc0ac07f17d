// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kv.h"
#include "load.h"

/// A cache in the switch in front of a key-value server, from the side of a client. Each question
/// carries a program that looks at the place of its key; if the key is there, the switch answers
/// with the value, else the question goes on to the server. The client decides what is in the
/// cache: of two keys with the same place the one that it has asked for more often.
///
///     status = kv_cache_new(&cache, &options, &error);
///     kv_cache_start(cache, now);
///     ... kv_cache_get(cache, n, now, &error);                 // key number n
///     ... kv_cache_step(cache, now);                           // frames of the link, and time
///     ... kv_cache_answer(cache, &message, false, now);        // an answer that came another way
///     kv_cache_stop(cache, now);
///
/// The short form has keys of one word and fits into eight stages, the published one has two words
/// and takes 20 stages. When its memory moves the cache writes what it had to the new places, the
/// keys with the most questions first, while questions go on.
struct kv_cache;

struct kv_cache_options {
  struct active_client_options client;  // demand and callbacks are set here
  const char *programs;                 // folder of the .ap4 files
  bool wide;                            // keys of two words
  uint32_t keys;                        // numbers of keys are below this
  struct kv_ends ends;                  // of the questions
  unsigned refill;  // at most so many writes in a step when memory has moved; 0: 8
  /// An answer: from the cache, or of the server.
  void (*answered)(void *user, const struct kv_message *answer, bool from_cache, uint64_t now);
  /// A question that cannot be sent with a program (NULL: it goes over the link, in front of it the
  /// Ethernet header).
  void (*plain)(void *user, const struct kv_message *question, uint64_t now);
  void *user;
};
SLUICE_MUST_CHECK enum sluice_status kv_cache_new(struct kv_cache **cache,
                                                  const struct kv_cache_options *options,
                                                  struct sluice_error *error);
void kv_cache_free(struct kv_cache *cache);

SLUICE_MUST_CHECK enum sluice_status kv_cache_start(struct kv_cache *cache, uint64_t now,
                                                    struct sluice_error *error);
void kv_cache_stop(struct kv_cache *cache, uint64_t now);
/// Asks for key number n; *id is the number of the question.
SLUICE_MUST_CHECK enum sluice_status kv_cache_get(struct kv_cache *cache, uint32_t n, uint64_t now,
                                                  uint32_t *id, struct sluice_error *error);
void kv_cache_step(struct kv_cache *cache, uint64_t now);
void kv_cache_answer(struct kv_cache *cache, const struct kv_message *answer, bool from_cache,
                     uint64_t now);

struct active_client *kv_cache_client(struct kv_cache *cache);
/// Whether key number n is in the cache, as far as the client knows.
bool kv_cache_has(const struct kv_cache *cache, uint32_t n);
/// Entries that there is room for.
uint32_t kv_cache_size(const struct kv_cache *cache);
struct kv_cache_counts {
  uint64_t questions, hits, misses, writes;
  uint64_t faults;  // programs that came back with one: these questions went to the server, plain
  uint64_t wrong;   // answers with another value than the server has
  unsigned refill;  // entries that are still to be written again
};
struct kv_cache_counts kv_cache_counts(const struct kv_cache *cache);
