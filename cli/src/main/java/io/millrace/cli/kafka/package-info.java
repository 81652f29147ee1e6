/** Pipelines from Kafka: indices that read a topic by themselves, made and watched by command. */
@NullMarked
package io.millrace.cli.kafka;

import org.jspecify.annotations.NullMarked;
