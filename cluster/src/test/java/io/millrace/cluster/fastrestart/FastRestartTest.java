package io.millrace.cluster.fastrestart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.cluster.fastrestart.RestartRequest.Verb;
import io.millrace.kernel.Feature;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.Version;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;

class FastRestartTest {
  private static final String KEY = "millrace.cluster.fast_restart.awaited";
  private final AwaitedNodes awaited =
      new AwaitedNodes(Feature.switchFor(FastRestartFeature.ID, true), () -> 1000);

  private static ClusterState state(Settings settings) {
    return ClusterState.builder(new ClusterName("test"))
        .metadata(Metadata.builder().transientSettings(settings))
        .build();
  }

  @Test
  void theListIsKeptInASettingBesideOthers() {
    Settings before = Settings.builder().put("a.b", 1).putList(KEY, "old@5").build();
    Settings with = AwaitedNodes.with(Map.of("n", 2000L), before);
    assertEquals(List.of("n@2000"), with.getAsList(KEY));
    assertEquals("1", with.get("a.b"));
    assertEquals(Map.of("n", 2000L), awaited.of(state(with)));
    assertEquals(Settings.builder().put("a.b", 1).build(), AwaitedNodes.with(Map.of(), with));
  }

  @Test
  void whatHasEndedIsNotAwaited() {
    Settings two = Settings.builder().putList(KEY, "n@1000", "m@1001").build();
    assertEquals(Map.of("m", 1001L), awaited.of(state(two)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"n", "n@", "@5", "n@soon", "n@-5", "n@99999999999999999999", "a b@5"})
  void aBadEntryNamesTheSetting(String entry) {
    Settings bad = Settings.builder().putList(KEY, entry).build();
    RuntimeException e =
        assertThrows(RuntimeException.class, () -> awaited.setting().setting().get(bad));
    assertTrue(e.getMessage().contains("[" + KEY + "]"), e.getMessage());
    assertTrue(e.getMessage().contains(entry), e.getMessage());
  }

  @Test
  void aRequestSurvivesTheWire() throws Exception {
    BytesStreamOutput out = new BytesStreamOutput();
    new RestartRequest(Verb.BEGIN, "b", TimeValue.timeValueSeconds(90)).writeTo(out);
    RestartRequest got = new RestartRequest(out.bytes().streamInput());
    assertEquals(Verb.BEGIN, got.verb());
    assertEquals("b", got.node());
    assertEquals(TimeValue.timeValueSeconds(90), got.ttl());
    assertNull(got.validate());
  }

  @Test
  void anAnswerSurvivesTheWire() throws Exception {
    RestartResponse sent =
        new RestartResponse(
            List.of(new RestartResponse.Awaited("i", "n", false, 7, 3)), List.of("note"));
    BytesStreamOutput out = new BytesStreamOutput();
    out.setVersion(Version.CURRENT);
    sent.writeTo(out);
    RestartResponse got = new RestartResponse(out.bytes().streamInput());
    assertEquals(sent.awaited(), got.awaited());
    assertEquals(sent.notes(), got.notes());
  }

  @Test
  void badInputNamesTheField() {
    wrong(new RestartRequest(Verb.BEGIN, "", RestartRequest.TTL), "[node] is missing");
    wrong(new RestartRequest(Verb.BEGIN, "n", TimeValue.timeValueMillis(999)), "[ttl]");
    wrong(new RestartRequest(Verb.BEGIN, "n", TimeValue.timeValueDays(2)), "[ttl]");
    assertNull(new RestartRequest(Verb.END, "", TimeValue.ZERO).validate());
  }

  private static void wrong(RestartRequest request, String part) {
    var wrong = request.validate();
    assertNotNull(wrong);
    assertTrue(wrong.getMessage().contains(part), wrong.getMessage());
  }
}
