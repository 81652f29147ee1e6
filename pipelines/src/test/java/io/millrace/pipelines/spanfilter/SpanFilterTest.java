package io.millrace.pipelines.spanfilter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opensearch.OpenSearchParseException;
import org.opensearch.ingest.IngestDocument;

class SpanFilterTest {
  private static final int EXIT = 1;
  private static final int LOCAL = 2;
  private static final int DATABASE = 1;
  private static final int CACHE = 5;

  private static byte[] span(
      int id, int parent, long took, String name, int type, int layer, boolean error)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeInt32(1, id);
    out.writeInt32(2, parent);
    out.writeInt64(3, 1_000);
    out.writeInt64(4, 1_000 + took);
    out.writeString(6, name);
    out.writeEnum(8, type);
    out.writeEnum(9, layer);
    out.writeInt32(10, 57);
    out.writeBool(11, error);
    out.writeString(12, "a tag");
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] segment(byte[]... spans) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeString(1, "trace");
    out.writeString(2, "segment");
    for (byte[] span : spans) {
      out.writeByteArray(3, span);
    }
    out.writeString(4, "shop");
    out.writeBool(6, true);
    out.flush();
    return bytes.toByteArray();
  }

  /**
   * An entry span with a pool, a query below it that has a child, a slow query and a failed one.
   */
  private static byte[] example() throws IOException {
    return segment(
        span(0, -1, 50, "GET /", 0, 3, false),
        span(1, 0, 1, "HikariCP/getConnection", LOCAL, 0, false),
        span(2, 1, 2, "Mysql/query", EXIT, DATABASE, false),
        span(3, 2, 2, "work", LOCAL, 0, false),
        span(4, 0, 40, "Mysql/slow", EXIT, DATABASE, false),
        span(5, 0, 2, "Mysql/failed", EXIT, DATABASE, true));
  }

  private static SpanRule rule(Set<Integer> layers, List<String> names, long below, int keep) {
    return new SpanRule(Set.of(), layers, names, below, keep);
  }

  /** {@code id<parent} of every span. */
  private static List<String> spans(byte[] segment) throws IOException {
    List<String> all = new ArrayList<>();
    CodedInputStream in = CodedInputStream.newInstance(segment);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag >>> 3 != 3) {
        in.skipField(tag);
        continue;
      }
      CodedInputStream span = CodedInputStream.newInstance(in.readByteArray());
      int id = -9;
      int parent = -9;
      boolean tagged = false;
      for (int field = span.readTag(); field != 0; field = span.readTag()) {
        switch (field >>> 3) {
          case 1 -> id = span.readInt32();
          case 2 -> parent = span.readInt32();
          case 12 -> tagged = span.readString().equals("a tag");
          default -> span.skipField(field);
        }
      }
      assertTrue(tagged, "what is not asked for is copied");
      all.add(id + "<" + parent);
    }
    return all;
  }

  @Test
  void matchingSpansGoAndTheirChildrenMoveUp() throws IOException {
    SegmentFilter.Filtered filtered =
        SegmentFilter.filter(example(), rule(Set.of(DATABASE), List.of("HikariCP/*"), 10, 0));
    assertEquals(List.of("0<-1", "3<0", "4<0", "5<0"), spans(filtered.bytes()));
    assertEquals(6, filtered.spans());
    assertEquals(2, filtered.dropped());
    String text = new String(filtered.bytes(), java.nio.charset.StandardCharsets.ISO_8859_1);
    assertTrue(text.contains("shop") && text.contains("segment") && text.contains("trace"));
  }

  @Test
  void rootsAndEntriesAndErrorsStayWhateverTheRule() throws IOException {
    SegmentFilter.Filtered filtered =
        SegmentFilter.filter(example(), rule(Set.of(), List.of("*"), Long.MAX_VALUE, 0));
    assertEquals(List.of("0<-1", "5<0"), spans(filtered.bytes()));
  }

  @Test
  void componentsAreMeantById() throws IOException {
    SpanRule rule = new SpanRule(Set.of(57), Set.of(), List.of(), Long.MAX_VALUE, 0);
    assertEquals(4, SegmentFilter.filter(example(), rule).dropped());
  }

  @Test
  void aSegmentWithoutSuchSpansAndASampledTraceAreTheSameBytes() throws IOException {
    byte[] segment = example();
    assertSame(
        segment, SegmentFilter.filter(segment, rule(Set.of(CACHE), List.of(), 10, 0)).bytes());
    SpanRule all = rule(Set.of(), List.of("*"), 10, 1);
    assertSame(segment, SegmentFilter.filter(segment, all).bytes());
  }

  @Test
  void spansThatAreTheirOwnParentsEndToo() throws IOException {
    byte[] segment =
        segment(
            span(1, 2, 1, "x", LOCAL, 0, false),
            span(2, 1, 1, "x", LOCAL, 0, false),
            span(3, 2, 1, "y", LOCAL, 0, false));
    assertEquals(2, SegmentFilter.filter(segment, rule(Set.of(), List.of("x"), 10, 0)).dropped());
  }

  @Test
  void brokenSegmentsAreRefusedInOneWay() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] sound = example();
    for (int i = 0; i < 20_000; i++) {
      byte[] broken = Arrays.copyOf(sound, 1 + random.nextInt(sound.length));
      broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
      try {
        SegmentFilter.filter(broken, rule(Set.of(), List.of("*"), 10, 0));
      } catch (IOException e) {
        // the document passes as it is
      } catch (RuntimeException e) {
        fail("seed " + seed + ", segment " + i, e);
      }
    }
  }

  private static IngestDocument document(Object value) {
    Map<String, Object> source = new HashMap<>();
    source.put("data_binary", value);
    return new IngestDocument(source, new HashMap<>());
  }

  @Test
  void theProcessorReplacesTheFieldOrLetsPass() throws Exception {
    SpanFilterFeature feature = new SpanFilterFeature();
    Map<String, Object> config = new HashMap<>();
    config.put("layers", new ArrayList<>(List.of("Database")));
    config.put("below", "10ms");
    SpanFilterProcessor processor = SpanFilterProcessor.parse("t", null, config, feature);
    IngestDocument filtered =
        processor.execute(document(Base64.getEncoder().encodeToString(example())));
    byte[] bytes = Base64.getDecoder().decode(filtered.getFieldValue("data_binary", String.class));
    assertEquals(List.of("0<-1", "1<0", "3<1", "4<0", "5<0"), spans(bytes));
    for (Object odd : new Object[] {"no base64 !", 5, "AAAA"}) {
      assertEquals(
          odd, processor.execute(document(odd)).getFieldValue("data_binary", Object.class));
    }
    assertArrayEquals(
        new double[] {6, 1, 3},
        new double[] {
          feature.metrics().get(0).samples().get().get(0).value(),
          feature.metrics().get(1).samples().get().get(0).value(),
          feature.metrics().get(3).samples().get().get(0).value()
        });
  }

  @Test
  void whatCannotBeUsedIsRefusedByName() {
    refused("layers", List.of("disk"), "[layers] [disk] is none of");
    refused("components", List.of("mysql"), "[components] [mysql] is no id");
    refused("below", "soon", "[below]");
    refused("keep_one_of", -1, "[keep_one_of] [-1] is below 0");
    refused("field", "f", "give components, layers or names");
  }

  private static void refused(String key, Object value, String wanted) {
    Map<String, Object> config = new HashMap<>();
    if (!key.equals("field")) {
      config.put("names", new ArrayList<>(List.of("x")));
    }
    config.put(key, value instanceof List<?> list ? new ArrayList<>(list) : value);
    String said =
        assertThrows(
                OpenSearchParseException.class,
                () -> SpanFilterProcessor.parse("t", null, config, new SpanFilterFeature()))
            .getMessage();
    assertTrue(said.contains(wanted), said);
  }
}
