@NullMarked
package io.millrace.write.bulkrouting;

import org.jspecify.annotations.NullMarked;
