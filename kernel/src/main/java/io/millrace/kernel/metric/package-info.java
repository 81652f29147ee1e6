/** What features count: one list that the stats API, the exporters and the alarms all read. */
@NullMarked
package io.millrace.kernel.metric;

import org.jspecify.annotations.NullMarked;
