// SPDX-License-Identifier: Apache-2.0
#include <v1model.p4>
// ERROR 0:0 P4Info is made of programs of v1model
