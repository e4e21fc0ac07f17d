// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_VERSION_H
#define SLUICE_VERSION_H

/// The version of the software, in this file alone: the command, the library's soname and sluice.pc
/// take it from here. Semantic versioning: MAJOR changes when a program that used the headers of
/// this folder must be changed.
#define SLUICE_VERSION_MAJOR 0
#define SLUICE_VERSION_MINOR 1
#define SLUICE_VERSION_PATCH 0
#define SLUICE_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// The version of the library that is linked: compare it with SLUICE_VERSION, that of the headers.
const char *sluice_version(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
