// SPDX-License-Identifier: Apache-2.0
// ERROR 4:4 a control is called in apply blocks, and not in a parser
control c() { apply { } } parser p() { state start { 
   c.apply();
   transition accept; } }
