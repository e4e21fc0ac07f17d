// SPDX-License-Identifier: Apache-2.0
// ERROR 5:10 cannot read 'is_not_there.p4'
// ERROR 6:10 cannot read 'nor.p4'
// ERROR 7:10 #include takes a name
#include "is_not_there.p4"
#include <nor.p4>
#include 
