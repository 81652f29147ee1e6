package io.millrace.storage.zstandard;

import io.millrace.corpus.LogGenerator;
import java.util.ArrayList;
import java.util.List;

/** Generated log documents as a list; the same seed gives the same bytes. */
final class LogDocuments {
  private LogDocuments() {}

  static List<byte[]> generate(int count, long seed) {
    LogGenerator source = new LogGenerator(seed);
    List<byte[]> documents = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      documents.add(source.next());
    }
    return documents;
  }
}
