// SPDX-License-Identifier: Apache-2.0
// ERROR 3:9 this is no condition
#if 1 + )
#endif
