// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLI_P4_H
#define SLUICE_CLI_P4_H

/// sluice p4 run. argv[0] is the verb, argv[1] "run".
int cli_p4_run(int argc, char **argv);

#endif
