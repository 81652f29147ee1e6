package io.millrace.pipelines.loki;

import io.millrace.pipelines.intake.BatchIds;
import io.millrace.pipelines.intake.Documents;
import io.millrace.pipelines.intake.IndexName;
import io.millrace.pipelines.intake.IsoTime;
import io.millrace.pipelines.intake.ObjectBytes;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.XContentBuilder;

/** The lines of a push request as documents. */
final class LokiDocuments implements Documents {
  private static final List<String> LEVELS = List.of("level", "detected_level", "severity");
  private static final byte[] NOTHING = new byte[0];

  private final Iterator<PushBody.Stream> streams;
  private final String tenant;
  private final IndexName index;
  private final BatchIds ids;
  private final long arrived;
  private Map<String, String> labels = Map.of();
  private Iterator<PushBody.Entry> entries = List.<PushBody.Entry>of().iterator();
  private final ObjectBytes bytes = new ObjectBytes();
  private int place;

  /**
   * @param tenant the header X-Scope-OrgID; empty without one
   * @param arrived milliseconds since the epoch
   */
  LokiDocuments(
      List<PushBody.Stream> streams, String tenant, IndexName index, BatchIds ids, long arrived) {
    this.streams = streams.iterator();
    this.tenant = tenant;
    this.index = index;
    this.ids = ids;
    this.arrived = arrived;
  }

  @Override
  public @Nullable IndexRequest next() throws IOException {
    while (!entries.hasNext()) {
      if (!streams.hasNext()) {
        return null;
      }
      PushBody.Stream stream = streams.next();
      labels = stream.labels();
      entries = stream.entries().iterator();
    }
    PushBody.Entry entry = entries.next();
    boolean timed = entry.nanos() != 0;
    long millis = timed ? Math.floorDiv(entry.nanos(), 1_000_000) : arrived;
    bytes.begin();
    object(entry, timed);
    return new IndexRequest(index.of(millis, arrived))
        .id(ids.of(place++, timed))
        .opType(DocWriteRequest.OpType.CREATE)
        .source(new BytesArray(bytes.behind(NOTHING)), XContentType.JSON);
  }

  private void object(PushBody.Entry entry, boolean timed) throws IOException {
    XContentBuilder json = bytes.out();
    json.startObject();
    json.field(
        "@timestamp", timed ? IsoTime.of(0, entry.nanos()) : IsoTime.of(0, arrived * 1_000_000));
    json.field("message", entry.line());
    String level = level(entry);
    if (!level.isEmpty()) {
      json.field("level", level);
    }
    if (!tenant.isEmpty()) {
      json.field("tenant", tenant);
    }
    object(json, "labels", labels);
    object(json, "metadata", entry.metadata());
    json.endObject();
  }

  private String level(PushBody.Entry entry) {
    for (String name : LEVELS) {
      String level = entry.metadata().getOrDefault(name, labels.getOrDefault(name, ""));
      if (!level.isEmpty()) {
        return level;
      }
    }
    return "";
  }

  private static void object(XContentBuilder json, String name, Map<String, String> values)
      throws IOException {
    if (values.isEmpty()) {
      return;
    }
    json.startObject(name);
    for (Map.Entry<String, String> value : values.entrySet()) {
      json.field(value.getKey(), value.getValue());
    }
    json.endObject();
  }
}
