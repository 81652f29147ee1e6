@NullMarked
package io.millrace.observe;

import org.jspecify.annotations.NullMarked;
