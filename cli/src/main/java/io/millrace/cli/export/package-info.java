/** Rows of indices into a file, page by page. */
@NullMarked
package io.millrace.cli.export;

import org.jspecify.annotations.NullMarked;
