/** The rules of the house, as tests. */
@NullMarked
package io.millrace.plugin.architecture;

import org.jspecify.annotations.NullMarked;
