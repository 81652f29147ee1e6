@NullMarked
package io.millrace.guard.inbound;

import org.jspecify.annotations.NullMarked;
