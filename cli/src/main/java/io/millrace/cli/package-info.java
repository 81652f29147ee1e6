/** The command line: one root command, one class per subcommand; imports no OpenSearch class. */
@NullMarked
package io.millrace.cli;

import org.jspecify.annotations.NullMarked;
