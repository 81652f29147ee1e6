/** What every command shares towards its user: exit codes, the one-line failure, the terminal. */
@NullMarked
package io.millrace.cli.term;

import org.jspecify.annotations.NullMarked;
