@NullMarked
package io.millrace.guard.outbound;

import org.jspecify.annotations.NullMarked;
