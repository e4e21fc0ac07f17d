// SPDX-License-Identifier: Apache-2.0
#include <core.p4>

extern void say(string s);
const string s = "a \"quoted\" text";
const string t = s ++ " and more";
control c() { apply { say("x"); say(t); } }
