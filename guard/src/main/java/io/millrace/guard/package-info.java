@NullMarked
package io.millrace.guard;

import org.jspecify.annotations.NullMarked;
