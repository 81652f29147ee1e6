/** What nodes say about themselves, in the real distribution. */
@NullMarked
package io.millrace.it.observe;

import org.jspecify.annotations.NullMarked;
