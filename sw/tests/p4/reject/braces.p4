// SPDX-License-Identifier: Apache-2.0
// ERROR 4:1 '}' without a '{' before it
control c() { apply { } }
}
