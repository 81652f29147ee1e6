/** How long a write waits until a search sees it, per index, beside what its profile promises. */
@NullMarked
package io.millrace.observe.freshness;

import org.jspecify.annotations.NullMarked;
