/** Real clients. */
@NullMarked
package io.millrace.it.clients;

import org.jspecify.annotations.NullMarked;
