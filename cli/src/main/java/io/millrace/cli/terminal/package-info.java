/** What every command shares towards its user: output, notes, details, versions. */
@NullMarked
package io.millrace.cli.terminal;

import org.jspecify.annotations.NullMarked;
