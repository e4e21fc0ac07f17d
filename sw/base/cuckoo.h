// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Where the cuckoo engine looks for a key (docs/machine.md, Match engines), and the array match.
enum { SLUICE_CUCKOO_WAYS = 4, SLUICE_CUCKOO_KEY_WORDS = 4 };

/// CRC-64/ECMA-182: polynomial 0x42F0E1EBA9EA3693, start 0, not reflected, no final XOR. Of the
/// bytes "123456789" it is 0x6C40DF5F0B497347.
uint64_t sluice_crc64(const uint8_t *bytes, size_t len);

/// The mixed hash of VID[7:0] and a masked key; bit b of the key is bit b % 64 of key[b / 64], and
/// bits from KEY's width on do not count.
uint64_t sluice_cuckoo_hash(unsigned vid, const uint64_t key[SLUICE_CUCKOO_KEY_WORDS]);
/// The entry of table CUCKOO in which way 0..3 looks, on a chip with `entries` of them.
unsigned sluice_cuckoo_entry(uint64_t hash, unsigned way, unsigned entries);

/// The same of the array match (docs/machine.md, Array match): the mixed hash of VID[7:0] and a
/// word that is a key, and the entry of table ARRAY_MATCH in which way 0..3 looks, on a chip with
/// arrays of `words` words and `entries` of them.
uint64_t sluice_array_hash(unsigned vid, uint32_t key);
unsigned sluice_array_entry(uint64_t hash, unsigned way, unsigned words, unsigned entries);
