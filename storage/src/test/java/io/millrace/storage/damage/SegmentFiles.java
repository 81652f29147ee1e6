package io.millrace.storage.damage;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/** The files of an index as bytes, for tests that damage one of them. */
public final class SegmentFiles {
  private SegmentFiles() {}

  /** Every file by name. */
  public static Map<String, byte[]> of(Directory directory) throws IOException {
    Map<String, byte[]> files = new HashMap<>();
    for (String name : directory.listAll()) {
      try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
        byte[] content = new byte[(int) in.length()];
        in.readBytes(content, 0, content.length);
        files.put(name, content);
      }
    }
    return files;
  }

  /** An index of these files, one of them with other bytes. */
  public static Directory with(Map<String, byte[]> files, String damaged, byte[] content)
      throws IOException {
    Directory directory = new ByteBuffersDirectory();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      byte[] bytes = file.getKey().equals(damaged) ? content : file.getValue();
      try (IndexOutput out = directory.createOutput(file.getKey(), IOContext.DEFAULT)) {
        out.writeBytes(bytes, bytes.length);
      }
    }
    return directory;
  }
}
