/** What indices that read a stream do, and which stage their records wait in. */
@NullMarked
package io.millrace.pipelines.streams;

import org.jspecify.annotations.NullMarked;
