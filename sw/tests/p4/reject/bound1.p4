// SPDX-License-Identifier: Apache-2.0
// ERROR 3:13 a width that is no number stands in brackets: <(foo)>
typedef bit<foo> t;
