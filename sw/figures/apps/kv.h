// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A key-value server over UDP: what a cache in the switch stands in front of. A message is 20
/// bytes in a UDP datagram, numbers most significant byte first:
///
///     0-1 "KV"   2 what (GET 1, PUT 2; in an answer 128 more)   3 zero   4-7 number of the request
///     8-15 key   16-19 value
///
/// A key that was never put has the value that kv_value says, so a server needs no loading.
enum { KV_PORT = 5309, KV_GET = 1, KV_PUT = 2, KV_ANSWER = 128, KV_BYTES = 20 };
enum { KV_IP = 28 + KV_BYTES };  // with IPv4 and UDP header

struct kv_message {
  uint8_t what;
  uint32_t id, key[2], value;
};
struct kv_ends {
  uint32_t source, dest;
  uint16_t sport, dport;
};

void kv_write(const struct kv_message *m, uint8_t bytes[KV_BYTES]);
/// False: it is no message.
bool kv_read(struct kv_message *m, const uint8_t *bytes, size_t len);
/// The same as an IPv4 packet of KV_IP bytes; of others false.
void kv_write_ip(const struct kv_message *m, const struct kv_ends *ends, uint8_t ip[KV_IP]);
bool kv_read_ip(struct kv_message *m, struct kv_ends *ends, const uint8_t *ip, size_t len);

/// Of key number n: neither word is 0, since memory that nobody has written reads 0.
void kv_key(uint32_t n, uint32_t key[2]);
uint32_t kv_value(const uint32_t key[2]);

/// What the server keeps. kv_serve makes the answer to a message; false: it is none to answer.
struct kv_store;
/// NULL: there is no memory.
struct kv_store *kv_store_new(void);
void kv_store_free(struct kv_store *store);
bool kv_serve(struct kv_store *store, const struct kv_message *question, struct kv_message *answer);
uint64_t kv_served(const struct kv_store *store);
