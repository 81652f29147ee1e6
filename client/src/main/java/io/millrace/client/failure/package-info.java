/** What a program tells its user when it cannot do what was asked: one line, a remedy, a code. */
@NullMarked
package io.millrace.client.failure;

import org.jspecify.annotations.NullMarked;
