package io.millrace.cli.ingest;

import org.jspecify.annotations.Nullable;

/**
 * One content of a file: a followed file has a new one after each rotation and each truncation.
 * Places are counted within it, as a later run that starts with this content counts them.
 *
 * @param number from 0, one more for each new content
 * @param start byte of the file at which reading began
 * @param fileKey the file system's key of the file (device and inode), or null when it was not
 *     asked
 */
record Generation(int number, long start, @Nullable Object fileKey) {
  /** Of a stream that is read once from its beginning. */
  static final Generation ONLY = new Generation(0, 0, null);
}
