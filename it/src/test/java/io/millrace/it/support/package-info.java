/** What the tests of this module share. */
@NullMarked
package io.millrace.it.support;

import org.jspecify.annotations.NullMarked;
