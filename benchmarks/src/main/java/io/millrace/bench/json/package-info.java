/** JSON in and out. */
@NullMarked
package io.millrace.bench.json;

import org.jspecify.annotations.NullMarked;
