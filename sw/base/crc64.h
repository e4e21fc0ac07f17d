// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BASE_CRC64_H
#define SLUICE_BASE_CRC64_H

#include <stddef.h>
#include <stdint.h>

/// CRC-64/ECMA-182: polynomial 0x42F0E1EBA9EA3693, start 0, not reflected, no final XOR. Of the bytes "123456789" it is
/// 0x6C40DF5F0B497347. The cuckoo engine hashes with it (docs/machine.md, Match engines).
uint64_t sluice_crc64(const uint8_t *bytes, size_t len);

#endif
