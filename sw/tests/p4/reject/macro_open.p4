// SPDX-License-Identifier: Apache-2.0
// ERROR 5:9 the parameters of this macro lack a ')'
// ERROR 6:14 the parameters of a macro are names
// ERROR 7:2 #define lacks the name of a macro
#define F(a, b
#define G(a, 3) a
#define
