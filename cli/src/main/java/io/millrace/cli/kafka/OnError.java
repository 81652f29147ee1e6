package io.millrace.cli.kafka;

/** What a shard does with a record that it cannot index; names of {@code error_strategy}. */
enum OnError {
  BLOCK,
  DROP
}
