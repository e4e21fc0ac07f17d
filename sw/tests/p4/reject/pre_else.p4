// SPDX-License-Identifier: Apache-2.0
// ERROR 4:2 #else without an #if
// ERROR 5:2 #endif without an #if
#else
#endif
