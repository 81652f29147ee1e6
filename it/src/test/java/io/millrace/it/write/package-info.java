/** The write domain on clusters. */
@NullMarked
package io.millrace.it.write;

import org.jspecify.annotations.NullMarked;
