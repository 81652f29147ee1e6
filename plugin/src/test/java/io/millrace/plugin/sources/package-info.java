/** The checkout as its files show it: modules, Java sources, pages. */
@NullMarked
package io.millrace.plugin.sources;

import org.jspecify.annotations.NullMarked;
