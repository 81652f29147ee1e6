package io.millrace.storage.columnarsource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.slot.HoleCondition;
import io.millrace.kernel.slot.OutlinedSource;
import io.millrace.kernel.slot.PartialSource;
import io.millrace.kernel.slot.SourceOutlines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.common.bytes.BytesReference;

/** Who wants some fields of a source gets them, each with the value that the whole source has. */
class PartialSourceFuzz {
  private static final long SEED = Long.getLong("millrace.fuzz.seed", 20261122L);
  private static final int ROUNDS = Integer.getInteger("millrace.fuzz.rounds", 8);
  private static final String[] KEYS = {
    "a", "b", "a.b", "message", "é", "with \"quotes\" and \\", "{,}", "c"
  };
  private static final String[] TEXTS = {
    "", "plain", "a \"quoted\", {odd} [one]: \\", "né\n\t", "10.0.0.1 took 17 ms", "GET"
  };

  private Object value(Random random, int depth) {
    return switch (random.nextInt(depth > 2 ? 5 : 8)) {
      case 0 -> random.nextInt(1_000);
      case 1 -> random.nextBoolean();
      case 2 -> random.nextGaussian();
      case 3, 4 -> TEXTS[random.nextInt(TEXTS.length)] + (random.nextBoolean() ? "" : " 7");
      case 5 -> {
        List<Object> list = new ArrayList<>();
        for (int n = random.nextInt(4); n > 0; n--) {
          list.add(value(random, depth + 1));
        }
        yield list;
      }
      default -> object(random, depth + 1);
    };
  }

  private Map<String, Object> object(Random random, int depth) {
    Map<String, Object> out = new LinkedHashMap<>();
    for (int n = random.nextInt(5); n > 0; n--) {
      out.put(KEYS[random.nextInt(KEYS.length)], value(random, depth));
    }
    return out;
  }

  private static final class Some extends StoredFieldVisitor implements PartialSource {
    private final PartialSource keys;
    private byte[] source;

    Some(PartialSource keys) {
      this.keys = keys;
    }

    @Override
    public boolean wants(String key) {
      return keys.wants(key);
    }

    @Override
    public Part part(String path) {
      return keys.part(path);
    }

    @Override
    public Status needsField(FieldInfo field) {
      return source != null ? Status.STOP : field.name.equals("_source") ? Status.YES : Status.NO;
    }

    @Override
    public void binaryField(FieldInfo field, byte[] value) {
      source = value;
    }
  }

  private static Map<String, Object> parsed(byte[] json) {
    return XContentHelper.convertToMap(
            new org.opensearch.core.common.bytes.BytesArray(json), true, XContentType.JSON)
        .v2();
  }

  private static final String[] PATTERNS = {
    "a",
    "a.*",
    "a.b",
    "a.b.c",
    "a*",
    "*a",
    "*",
    "*.b",
    "b.*.c",
    "*e*",
    "message",
    "mess*",
    "é",
    "é.*",
    "with*",
    "{,}",
    "a.b.*",
    "c.",
    ".",
    "",
    "nowhere",
    "a.b.c.message",
    "with \"quotes\" and \\"
  };

  private static String[] patterns(Random random) {
    String[] some = new String[random.nextInt(4)];
    for (int i = 0; i < some.length; i++) {
      some[i] = PATTERNS[random.nextInt(PATTERNS.length)];
    }
    return some;
  }

  /** Stock filters the parsed source: it must not see whether all of it was there. */
  @Test
  void aFilterLeavesTheSameOfSomeFieldsAsOfAll() throws IOException {
    int left = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(~(SEED + round));
      List<byte[]> documents = new ArrayList<>();
      for (int n = 1 + random.nextInt(500); n > 0; n--) {
        documents.add(
            BytesReference.toBytes(
                BytesReference.bytes(JsonXContent.contentBuilder().map(object(random, 0)))));
      }
      try (Directory directory = new ByteBuffersDirectory()) {
        ColumnarSourceFuzz.write(
            directory, new IndexWriterConfig().setCodec(new ColumnarSourceCodec()), documents);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          StoredFields stored = reader.storedFields();
          for (int i = 0; i < documents.size(); i++) {
            String[] includes = patterns(random);
            String[] excludes = patterns(random);
            var filter = XContentMapValues.filter(includes, excludes, true);
            Some some = new Some(new WantedFields(includes, excludes));
            stored.document(i, some);
            Map<String, Object> whole = parsed(documents.get(i));
            Map<String, Object> found = parsed(some.source);
            assertEquals(
                filter.apply(whole),
                filter.apply(found),
                () ->
                    "seed "
                        + ~(SEED)
                        + ", includes "
                        + List.of(includes)
                        + ", excludes "
                        + List.of(excludes)
                        + ": "
                        + whole);
            left += whole.size() - found.size();
          }
        }
      }
    }
    assertTrue(left > 100, "fields were not decoded: " + left);
  }

  private static final class Asking extends StoredFieldVisitor implements OutlinedSource {
    private static final int MOST = 12;
    private final Set<String> deciding = new HashSet<>();
    private final Set<String> asked = new HashSet<>();
    private byte[] source;
    private byte decided;
    private SourceOutlines told = new SourceOutlines(0, new short[0], new byte[1]);

    @Override
    public boolean wants(String key) {
      return key.equals("message");
    }

    @Override
    public void outlines(SourceOutlines outlines) {
      told = outlines;
    }

    /** Users whose number is 7, and what went from 10.0.0.7. */
    @Override
    public HoleCondition condition(byte[] outline, int length) {
      byte[] seven = {'7'};
      return new HoleCondition(
          new int[][] {{0}, {3}}, new byte[][][] {{seven}, {seven}}, new boolean[2]);
    }

    @Override
    public int decidedBy(byte[] outline, int length) {
      String text = new String(outline, 0, length, StandardCharsets.UTF_8);
      assertTrue(asked.add(text), text);
      assertEquals(0, outline[length]);
      assertEquals(0, outline[length + 1]);
      if (text.contains("went")) {
        return holes(text) == 4 ? BY_HOLES : UNDECIDED;
      }
      if (text.contains("user")) {
        return LACKING;
      }
      boolean decides = text.contains("took");
      if (decides) {
        deciding.add(text);
      }
      return decides ? text.contains("GET") ? DECIDED : MOST : UNDECIDED;
    }

    private static int holes(String outline) {
      return (int) outline.chars().filter(c -> c == HOLE).count();
    }

    @Override
    public void decided(boolean holds) {
      decided = holds ? SourceOutlines.HOLDS : SourceOutlines.LACKS;
    }

    @Override
    public Status needsField(FieldInfo field) {
      return decided != SourceOutlines.UNKNOWN || source != null
          ? Status.STOP
          : field.name.equals("_source") ? Status.YES : Status.NO;
    }

    @Override
    public void binaryField(FieldInfo field, byte[] value) {
      source = value;
    }

    /** Whether an outline that decides is that of a source. */
    boolean shows(String whole) {
      for (String outline : deciding) {
        StringBuilder pattern = new StringBuilder();
        String hole = outline.contains("GET") ? "[\\p{Alnum}-]+" : "\\p{Alnum}{1," + MOST + "}";
        for (String part : outline.split(String.valueOf((char) OutlinedSource.HOLE), -1)) {
          pattern.append(pattern.isEmpty() ? "" : hole).append(Pattern.quote(part));
        }
        if (whole.matches(pattern.toString())) {
          return true;
        }
      }
      return false;
    }
  }

  @Test
  void anOutlineIsThatOfTheSourceItStandsFor() throws IOException {
    int decided = 0;
    int byHoles = 0;
    int lacking = 0;
    int told = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      Random random = new Random(seed);
      boolean alike = round % 2 == 0; // few shapes, so that many documents are known beforehand
      List<byte[]> documents = new ArrayList<>();
      List<String> messages = new ArrayList<>();
      for (int n = 200 + random.nextInt(1_500); n > 0; n--) {
        String host = "10.0.0." + random.nextInt(256);
        String message =
            switch (random.nextInt(7)) {
              case 0, 1 -> "GET /" + random.nextInt(99) + " from " + host + " took 7 ms";
              case 2 -> "user " + KEYS[random.nextInt(3)] + " " + random.nextInt(9) + " took long";
              case 3 -> host + " went";
              case 4 -> TEXTS[random.nextInt(TEXTS.length)];
              default -> "took " + random.nextLong() + "\n" + host;
            };
        Map<String, Object> document = new LinkedHashMap<>();
        if (!alike && random.nextInt(3) == 0) {
          document.put("c", random.nextInt(99));
        }
        document.put("message", random.nextInt(9) == 0 ? List.of(message, "b") : message);
        if (random.nextInt(3) == 0) {
          document.put("message", Map.of("a", message));
        }
        document.put("a", alike ? random.nextInt() : object(random, 2));
        byte[] json =
            BytesReference.toBytes(
                BytesReference.bytes(JsonXContent.contentBuilder().map(document)));
        documents.add(json);
        messages.add(
            new String(
                BytesReference.toBytes(
                    BytesReference.bytes(
                        JsonXContent.contentBuilder()
                            .map(Map.of("message", document.get("message"))))),
                StandardCharsets.UTF_8));
      }
      try (Directory directory = new ByteBuffersDirectory()) {
        ColumnarSourceFuzz.write(
            directory, new IndexWriterConfig().setCodec(new ColumnarSourceCodec()), documents);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          StoredFields stored = reader.storedFields();
          Asking asking = new Asking();
          for (int i = 0; i < documents.size(); i++) {
            int document = random.nextInt(3) == 0 ? random.nextInt(documents.size()) : i;
            String message = messages.get(document);
            String about = "document " + document + " of seed " + seed + ": " + message;
            asking.source = null;
            asking.decided = SourceOutlines.UNKNOWN;
            byte known = asking.told.of(document);
            stored.document(document, asking);
            if (known != SourceOutlines.UNKNOWN) {
              told++;
              assertEquals(known, asking.decided, about);
            }
            if (asking.decided != SourceOutlines.UNKNOWN && message.contains("went")) {
              byHoles++;
              boolean seven = message.matches(".*(\"7\\.|\\.7 ).*");
              assertEquals(seven, asking.decided == SourceOutlines.HOLDS, about);
            } else if (asking.decided == SourceOutlines.LACKS) {
              lacking++;
              assertTrue(message.contains("user"), about);
            } else if (asking.decided != SourceOutlines.UNKNOWN) {
              decided++;
              assertTrue(asking.shows(message), about);
            } else {
              assertEquals(message, new String(asking.source, StandardCharsets.UTF_8), about);
            }
          }
        }
      }
    }
    assertTrue(decided > 100 * ROUNDS, "decided by outlines: " + decided);
    assertTrue(byHoles > 10 * ROUNDS, "decided by holes: " + byHoles);
    assertTrue(lacking > 10 * ROUNDS, "said to lack it: " + lacking);
    assertTrue(told > 10 * ROUNDS, "told beforehand: " + told);
  }

  @Test
  void wantedFieldsHaveTheirValuesAndOthersAreLeftOut() throws IOException {
    int left = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(SEED + round);
      List<byte[]> documents = new ArrayList<>();
      for (int n = 1 + random.nextInt(1_500); n > 0; n--) {
        var builder = JsonXContent.contentBuilder();
        if (random.nextInt(6) == 0) {
          builder.prettyPrint();
        }
        documents.add(BytesReference.toBytes(BytesReference.bytes(builder.map(object(random, 0)))));
      }
      try (Directory directory = new ByteBuffersDirectory()) {
        ColumnarSourceFuzz.write(
            directory, new IndexWriterConfig().setCodec(new ColumnarSourceCodec()), documents);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          StoredFields stored = reader.storedFields();
          for (int i = 0; i < documents.size(); i++) {
            int document = random.nextInt(3) == 0 ? random.nextInt(documents.size()) : i;
            Set<String> keys = new HashSet<>();
            for (int n = random.nextInt(3); n >= 0; n--) {
              keys.add(KEYS[random.nextInt(KEYS.length)]);
            }
            Some some = new Some(keys::contains);
            stored.document(document, some);
            Map<String, Object> expected = parsed(documents.get(document));
            Map<String, Object> found = parsed(some.source);
            String about =
                "document "
                    + document
                    + " of seed "
                    + (SEED + round)
                    + ": "
                    + new String(documents.get(document), StandardCharsets.UTF_8);
            for (String key : keys) {
              assertEquals(expected.containsKey(key), found.containsKey(key), about);
              assertEquals(expected.get(key), found.get(key), about);
            }
            left += expected.size() - found.size();
            assertTrue(expected.entrySet().containsAll(found.entrySet()), about);
            if (i % 16 == 0) { // what was passed over does not move what follows
              var whole = stored.document(document).getBinaryValue("_source");
              assertEquals(
                  new String(documents.get(document), StandardCharsets.UTF_8),
                  whole.utf8ToString());
            }
          }
        }
      }
    }
    assertTrue(left > 100, "fields were left out: " + left);
  }
}
