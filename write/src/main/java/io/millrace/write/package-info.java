@NullMarked
package io.millrace.write;

import org.jspecify.annotations.NullMarked;
