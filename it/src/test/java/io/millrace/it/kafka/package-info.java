/** A real Kafka broker in front of a node that reads it. */
@NullMarked
package io.millrace.it.kafka;

import org.jspecify.annotations.NullMarked;
