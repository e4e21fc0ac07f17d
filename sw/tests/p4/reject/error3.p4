// SPDX-License-Identifier: Apache-2.0
// ERROR 4:9 error 'NoError' is declared twice
#include <core.p4>
error { NoError }
