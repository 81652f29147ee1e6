package io.millrace.cli.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.cli.ingest.lines.LineOptions;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.corpus.JsonBuffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code --exactly-once}: what a second run over the same file finds there already. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ExactlyOnceTest {
  private static final ReaderOptions PLAIN =
      new ReaderOptions(
          Format.AUTO,
          LineOptions.inZone(ZoneOffset.UTC),
          1 << 20,
          256 << 10,
          true,
          false,
          true,
          Map.of());
  private static final ReaderOptions DRESSED =
      new ReaderOptions(
          Format.AUTO,
          LineOptions.inZone(ZoneId.of("Europe/Berlin")),
          1 << 20,
          256 << 10,
          true,
          true,
          true,
          Map.of("team", "shop"));

  @TempDir Path folder;

  /** One run over one input. */
  private final class Run implements AutoCloseable {
    final Counters counters = new Counters();
    final BulkLoader loader;
    final DeadLetters dead;
    final InputReader reader;
    final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private @Nullable Thread following;

    Run(FakeNode node, ReaderOptions options, LongSupplier clock) {
      PrintWriter err = new PrintWriter(new StringWriter());
      dead = new DeadLetters(folder.resolve("dead.ndjson"), err);
      ClusterClient cluster = new ClusterClient(ClientOptions.of(List.of(node.url())));
      loader = new BulkLoader(cluster, LoaderOptions.defaults("x"), counters, dead, err, true);
      reader = new InputReader(loader, options, counters, () -> {}, clock, stop::get);
    }

    void read(Path file) throws IOException {
      Input input = Input.of(file.toString());
      try (InputStream in = input.open(counters.rawBytes)) {
        reader.read(input, in);
      }
    }

    void follow(Path file, boolean fromEnd) throws IOException {
      Input input = Input.of(file.toString());
      follow(input, input.follow(fromEnd, stop::get));
    }

    void follow(Input input, InputStream in) {
      following =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((thread, e) -> failure.set(e))
              .start(() -> reader.read(input, in));
    }

    @Override
    public void close() {
      stop.set(true);
      if (following != null) {
        try {
          following.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      loader.close();
      dead.close();
      assertEquals(null, failure.get());
    }
  }

  private static void await(FakeNode node, int documents) throws InterruptedException {
    while (node.documents().size() < documents) {
      TimeUnit.MILLISECONDS.sleep(20); // bounded by the class's timeout
    }
  }

  /** A second run over what the file holds now; it adds this many documents. */
  private void assertAdds(int expected, FakeNode node, Path file, ReaderOptions options) {
    Set<String> before = node.ids();
    Run again = new Run(node, options, () -> 86_400_000L);
    try (again) {
      again.read(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertTrue(again.counters.already.sum() > 0, "it read nothing");
    assertEquals(expected, again.counters.indexed.sum());
    assertEquals(before.size() + expected, node.ids().size());
  }

  @Test
  void linesWithoutATimeAreThereAlready() throws Exception {
    Path file =
        Files.writeString(folder.resolve("app.log"), "started\nstarted\n2024-05-06 10:00:00 x\n");
    try (FakeNode node = new FakeNode()) {
      try (Run run = new Run(node, PLAIN, () -> 1L)) {
        run.read(file);
      }
      assertEquals(3, node.ids().size(), "equal lines are documents of their own");
      assertAdds(0, node, file, PLAIN);
    }
  }

  @Test
  void otherOptionsMakeNoOtherDocument() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("app.log"),
            "2024-05-06 10:00:00 ERROR failed\n\tat a.b.C\n\tat a.b.D\nMay  6 10:00:01 host app: x\n");
    try (FakeNode node = new FakeNode()) {
      try (Run run = new Run(node, PLAIN, () -> 1L)) {
        run.read(file);
      }
      assertEquals(2, node.ids().size());
      assertAdds(0, node, file, DRESSED);
    }
  }

  @Test
  void anEventThatHasGrownIsNotTakenForTheShorterOne() throws Exception {
    Path file =
        Files.writeString(folder.resolve("app.log"), "ok\n2024-05-06 10:00:00 ERROR failed\n");
    try (FakeNode node = new FakeNode()) {
      try (Run run = new Run(node, PLAIN, () -> 1L)) {
        run.read(file);
      }
      Files.writeString(file, "\tat a.b.C\n", StandardOpenOption.APPEND);
      assertAdds(1, node, file, PLAIN);
      assertTrue(node.documents().get(2).contains("failed\\n\\tat a.b.C"), "nothing is lost");
    }
  }

  @Test
  void whatCameAfterARotationIsThereAlready() throws Exception {
    Path file = Files.writeString(folder.resolve("app.log"), "{\"n\":1}\n{\"n\":2}\n");
    try (FakeNode node = new FakeNode()) {
      try (Run run = new Run(node, PLAIN, () -> 1L)) {
        run.follow(file, false);
        await(node, 2);
        Files.move(file, folder.resolve("app.log.1"));
        Files.writeString(file, "{\"n\":3}\n");
        await(node, 3);
        Files.writeString(file, "{\"n\":4}\n", StandardOpenOption.APPEND);
        await(node, 4);
      }
      assertAdds(0, node, file, PLAIN);
    }
  }

  @Test
  void whatCameAfterATruncationIsThereAlready() throws Exception {
    Path file = Files.writeString(folder.resolve("app.log"), "first and long\nsecond\n");
    try (FakeNode node = new FakeNode()) {
      try (Run run = new Run(node, PLAIN, () -> 1L)) {
        run.follow(file, false);
        await(node, 2);
        Files.writeString(file, "third\n");
        await(node, 3);
      }
      assertAdds(0, node, file, PLAIN);
    }
  }

  @Test
  void whatWasFollowedFromTheEndIsThereAlready() throws Exception {
    Path file = Files.writeString(folder.resolve("app.log"), "before\n");
    try (FakeNode node = new FakeNode()) {
      try (Run run = new Run(node, PLAIN, () -> 1L)) {
        run.follow(file, true);
        Files.writeString(file, "after\n", StandardOpenOption.APPEND);
        await(node, 1);
      }
      assertAdds(1, node, file, PLAIN);
    }
  }

  @Test
  void anEventEndsWithTheContentItBeganIn() throws Exception {
    Path file = Files.writeString(folder.resolve("app.log"), "2024-05-06 10:00:00 ERROR failed\n");
    Path next = Files.writeString(folder.resolve("next"), "\tat a.b.C\n");
    try (FakeNode node = new FakeNode()) {
      try (Run run = new Run(node, PLAIN, () -> 1L)) {
        Input input = Input.of(file.toString());
        InputStream in = input.follow(false, run.stop::get);
        Files.move(file, folder.resolve("app.log.1"));
        Files.move(next, file);
        run.follow(input, in);
        await(node, 2);
      }
      assertAdds(0, node, file, PLAIN);
    }
  }

  /** Pinned: documents of runs with earlier versions must be found again. */
  @Test
  void theIdOfADocumentIsMadeOfFilePlaceAndContent() throws Exception {
    Path file = Files.writeString(folder.resolve("d.ndjson"), "{\"n\":1}\n  {\"n\":\"\u00e4\"}\n");
    try (FakeNode node = new FakeNode()) {
      try (Run run = new Run(node, PLAIN, () -> 1L)) {
        run.read(file);
      }
      assertEquals(
          Set.of(id(file, 0, "{\"n\":1}"), id(file, 8, "  {\"n\":\"\u00e4\"}".strip())),
          node.ids());
    }
  }

  private static String id(Path file, int place, String content) throws Exception {
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    byte[] id = new byte[15];
    System.arraycopy(sha256(file.toAbsolutePath() + " " + key), 0, id, 0, 4);
    id[8] = (byte) place;
    System.arraycopy(sha256(content), 0, id, 9, 6);
    return Base64.getUrlEncoder().encodeToString(id);
  }

  private static byte[] sha256(String text) throws Exception {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(utf8), 6);
  }

  @Test
  void theFilesKeyComesFromTheFileThatIsRead() throws Exception {
    Path file = Files.writeString(folder.resolve("a"), "x");
    Input input = Input.of(file.toString());
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    DocumentIds ids = new DocumentIds();
    assertEquals(id(ids, input, null), id(ids, input, key));
    assertTrue(!id(ids, input, null).equals(id(ids, input, "another file")));
  }

  private static String id(DocumentIds ids, Input input, @Nullable Object key) {
    JsonBuffer out = new JsonBuffer();
    ids.input(input, key);
    ids.write(out, 7, new byte[] {'x'}, 0, 1);
    return out.toString();
  }

  @Test
  void aRunOfDaysKnowsWhichYearItIs() {
    Iterator<Long> days =
        LongStream.range(0, 9)
            .map(day -> Instant.parse("2026-11-21T10:00:00Z").toEpochMilli() + day * 86_400_000)
            .iterator();
    try (FakeNode node = new FakeNode()) {
      try (Run run = new Run(node, PLAIN, () -> days.next())) {
        byte[] lines =
            "Nov 22 10:00:00 h a: 1\nNov 23 10:00:00 h a: 2\nNov 24 10:00:00 h a: 3\n"
                .getBytes(StandardCharsets.US_ASCII);
        run.reader.read(Input.of(Input.STDIN), new ByteArrayInputStream(lines));
      }
      assertEquals(3, node.documents().size());
      for (String document : node.documents()) {
        assertTrue(document.startsWith("{\"@timestamp\":\"2026-"), document);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
