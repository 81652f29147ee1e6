/** A small JSON client over the JDK's HTTP client. */
@NullMarked
package io.millrace.testkit.http;

import org.jspecify.annotations.NullMarked;
