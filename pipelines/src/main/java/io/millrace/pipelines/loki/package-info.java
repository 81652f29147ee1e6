/** Loki's push API. To read first: {@link io.millrace.pipelines.loki.PushBody}. */
@NullMarked
package io.millrace.pipelines.loki;

import org.jspecify.annotations.NullMarked;
