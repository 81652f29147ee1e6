/** Over-long keyword values are cut instead of refused. */
@NullMarked
package io.millrace.write.keywordtruncation;

import org.jspecify.annotations.NullMarked;
