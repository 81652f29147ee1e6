/** What a search may ask, on the real distribution. */
@NullMarked
package io.millrace.it.search;

import org.jspecify.annotations.NullMarked;
