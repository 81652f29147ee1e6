@NullMarked
package io.millrace.guard.http;

import org.jspecify.annotations.NullMarked;
