// SPDX-License-Identifier: Apache-2.0
// ERROR 3:6 enum 'E' has no members
enum E { }
