// SPDX-License-Identifier: Apache-2.0
// ERROR 5:1 the text ends where
control c() {
    apply {
