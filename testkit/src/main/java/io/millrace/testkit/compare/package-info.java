/** The same operations on two clusters, and whether the answers are equal. */
@NullMarked
package io.millrace.testkit.compare;

import org.jspecify.annotations.NullMarked;
