/** GC logs, logs of nodes and files of Kafka that a user gives. */
@NullMarked
package io.millrace.doctor.check.pipeline;

import org.jspecify.annotations.NullMarked;
