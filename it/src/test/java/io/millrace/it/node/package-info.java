/** Installing, removing and mixing nodes. */
@NullMarked
package io.millrace.it.node;

import org.jspecify.annotations.NullMarked;
