/** The domain: how logs and traces come in from whatever people have, and how long they stay. */
@NullMarked
package io.millrace.pipelines;

import org.jspecify.annotations.NullMarked;
