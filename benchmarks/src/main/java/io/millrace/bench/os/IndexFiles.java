package io.millrace.bench.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.NIOFSDirectory;

/**
 * Index bytes by what they hold, from the files of a node's data folder. Compound files (.cfs) are
 * taken apart with their table of entries (.cfe), else a small segment would hide what it holds.
 *
 * <p>Layout of .cfe: index header, number of entries as a vInt, then name, offset and length of
 * each (javadoc of Lucene90CompoundFormat, Lucene 10.5.0). The codec of the segment is not needed,
 * so segments of any plugin can be read.
 */
public final class IndexFiles {
  private static final Map<String, String> PARTS =
      Map.ofEntries(
          Map.entry("fdt", "stored fields"),
          Map.entry("fdx", "stored fields"),
          Map.entry("fdm", "stored fields"),
          Map.entry("tim", "terms"),
          Map.entry("tip", "terms"),
          Map.entry("tmd", "terms"),
          Map.entry("doc", "postings"),
          Map.entry("psm", "postings"),
          Map.entry("pos", "positions"),
          Map.entry("pay", "positions"),
          Map.entry("dvd", "doc values"),
          Map.entry("dvm", "doc values"),
          Map.entry("dvs", "doc values"),
          Map.entry("kdd", "points"),
          Map.entry("kdi", "points"),
          Map.entry("kdm", "points"),
          Map.entry("nvd", "norms"),
          Map.entry("nvm", "norms"));

  private IndexFiles() {}

  /** What a file with this ending holds; endings unknown to Lucene stand for themselves. */
  public static String part(String ending) {
    String known = PARTS.get(ending);
    if (known != null) {
      return known;
    }
    return switch (ending) {
      case "si", "fnm", "cfe", "liv", "segments" -> "segment metadata";
      default -> "." + ending;
    };
  }

  /**
   * The folder with this name below {@code root}: an index is kept under its uuid.
   *
   * @throws NoSuchFileException when there is none
   */
  public static Path find(Path root, String name) throws IOException {
    try (Stream<Path> tree = Files.walk(root, 5)) {
      return tree.filter(path -> path.endsWith(name))
          .findFirst()
          .orElseThrow(() -> new NoSuchFileException(name));
    }
  }

  /** Bytes by file ending below {@code root}, over every {@code <shard>/index} folder. */
  public static Map<String, Long> byEnding(Path root) throws IOException {
    List<Path> folders;
    try (Stream<Path> tree = Files.walk(root)) {
      folders =
          tree.filter(path -> path.endsWith("index") && path.getNameCount() > 1)
              .filter(Files::isDirectory)
              .toList();
    }
    Map<String, Long> bytes = new TreeMap<>();
    for (Path folder : folders) {
      addFolder(folder, bytes);
    }
    return bytes;
  }

  /** Bytes by file ending of one Lucene folder. */
  public static Map<String, Long> ofFolder(Path folder) throws IOException {
    Map<String, Long> bytes = new TreeMap<>();
    addFolder(folder, bytes);
    return bytes;
  }

  private static void addFolder(Path folder, Map<String, Long> bytes) throws IOException {
    List<Path> files;
    try (Stream<Path> list = Files.list(folder)) {
      files = list.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (name.equals("write.lock")) {
        continue;
      }
      try {
        if (name.endsWith(".cfs")) {
          addCompound(folder, name, Files.size(file), bytes);
        } else {
          bytes.merge(ending(name), Files.size(file), Long::sum);
        }
      } catch (NoSuchFileException e) {
        // merged away between listing and looking: it is not part of the index any more
      }
    }
  }

  private static void addCompound(Path folder, String name, long size, Map<String, Long> bytes)
      throws IOException {
    String table = name.substring(0, name.length() - 1) + "e";
    long inside = 0;
    try (FSDirectory directory = new NIOFSDirectory(folder);
        IndexInput in = directory.openInput(table, IOContext.READONCE)) {
      CodecUtil.readIndexHeader(in);
      int entries = in.readVInt();
      for (int i = 0; i < entries; i++) {
        String entry = in.readString();
        in.readLong(); // offset
        long length = in.readLong();
        inside += length;
        bytes.merge(ending(entry), length, Long::sum);
      }
    }
    bytes.merge("cfe", size - inside, Long::sum); // headers and padding
  }

  static String ending(String name) {
    if (name.startsWith("segments")) {
      return "segments";
    }
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
