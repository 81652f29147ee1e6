/** The frame of the HTML pages. */
@NullMarked
package io.millrace.doctor.page;

import org.jspecify.annotations.NullMarked;
