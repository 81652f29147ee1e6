@NullMarked
package io.millrace.write.keywordtruncation;

import org.jspecify.annotations.NullMarked;
