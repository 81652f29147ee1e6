/** What is known of the Kafka in front of a cluster, from files that its own tools write. */
@NullMarked
package io.millrace.doctor.kafka;

import org.jspecify.annotations.NullMarked;
