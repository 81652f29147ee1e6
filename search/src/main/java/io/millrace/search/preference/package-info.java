/** A preference that names shards and a custom string together. */
@NullMarked
package io.millrace.search.preference;

import org.jspecify.annotations.NullMarked;
