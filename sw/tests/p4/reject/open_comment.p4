// SPDX-License-Identifier: Apache-2.0
// ERROR 3:21 this comment has no end
const bit<8> a = 1; /* no end
