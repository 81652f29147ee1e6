package io.millrace.pipelines.loki;

import io.millrace.pipelines.intake.BatchIds;
import io.millrace.pipelines.intake.Documents;
import io.millrace.pipelines.intake.IndexName;
import io.millrace.pipelines.intake.ObjectBytes;
import io.millrace.pipelines.intake.ObjectBytes.Name;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;

/** The lines of a push request as documents. */
final class LokiDocuments implements Documents {
  private static final List<String> LEVELS = List.of("level", "detected_level", "severity");
  private static final byte[] NOTHING = new byte[0];
  private static final Name TIMESTAMP = Name.of("@timestamp");
  private static final Name MESSAGE = Name.of("message");
  private static final Name LEVEL = Name.of("level");
  private static final Name TENANT = Name.of("tenant");
  private static final Name LABELS = Name.of("labels");
  private static final Name METADATA = Name.of("metadata");

  private final Iterator<PushBody.Stream> streams;
  private final String tenant;
  private final IndexName index;
  private final BatchIds ids;
  private final long arrived;
  private Map<String, String> labels = Map.of();
  private Iterator<PushBody.Entry> entries = List.<PushBody.Entry>of().iterator();
  private final ObjectBytes json = new ObjectBytes();
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
  public @Nullable IndexRequest next() {
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
    json.begin(NOTHING);
    object(entry, timed);
    return new IndexRequest(index.of(millis, arrived))
        .id(id(entry))
        .opType(DocWriteRequest.OpType.CREATE)
        .source(new BytesArray(json.end()), XContentType.JSON);
  }

  private String id(PushBody.Entry entry) {
    int its = place++;
    return entry.nanos() == 0
        ? ids.fresh()
        : ids.of(its, Math.floorDiv(entry.nanos(), 1_000_000_000L));
  }

  private void object(PushBody.Entry entry, boolean timed) {
    json.name(TIMESTAMP);
    json.time(0, timed ? entry.nanos() : arrived * 1_000_000);
    json.name(MESSAGE);
    json.text(entry.line());
    String level = level(entry);
    if (!level.isEmpty()) {
      json.name(LEVEL);
      json.text(level);
    }
    if (!tenant.isEmpty()) {
      json.name(TENANT);
      json.text(tenant);
    }
    object(LABELS, labels);
    object(METADATA, entry.metadata());
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

  private void object(Name name, Map<String, String> values) {
    if (values.isEmpty()) {
      return;
    }
    json.startObject(name);
    for (Map.Entry<String, String> value : values.entrySet()) {
      json.name(value.getKey());
      json.text(value.getValue());
    }
    json.endObject();
  }
}
