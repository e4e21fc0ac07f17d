// SPDX-License-Identifier: Apache-2.0
// ERROR 4:8 state 'start' is declared twice
parser p() { state start { transition accept; }
 state start { transition accept; }
}
