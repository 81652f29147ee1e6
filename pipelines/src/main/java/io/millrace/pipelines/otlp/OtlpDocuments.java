package io.millrace.pipelines.otlp;

import com.google.protobuf.CodedInputStream;
import io.millrace.pipelines.intake.BatchIds;
import io.millrace.pipelines.intake.Documents;
import io.millrace.pipelines.intake.IndexName;
import io.millrace.pipelines.intake.MalformedBodyException;
import io.millrace.pipelines.intake.ObjectBytes;
import io.millrace.pipelines.intake.ObjectBytes.Name;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;

/**
 * The documents of one request.
 *
 * <p>What the records of a scope have in common is written once and copied in front of each. A
 * resource of a megabyte and a million empty records would be a terabyte, so the documents of one
 * request are bounded; the records beyond are left out, and the client is told.
 */
final class OtlpDocuments implements Documents {
  private static final byte[] NOTHING = new byte[0];
  private static final Name SERVICE_NAME = Name.of("serviceName");
  private static final Name SCHEMA_URL = Name.of("schemaUrl");
  private static final Name RESOURCE = Name.of("resource");
  private static final Name SCOPE = Name.of("instrumentationScope");
  private static final Name NAME = Name.of("name");
  private static final Name VERSION = Name.of("version");

  private final RecordPlaces envelope;
  private final RecordWriter writer;
  private final IndexName index;
  private final BatchIds ids;
  private final long limit;
  private final String limitKey;
  private final long arrived;
  private final ObjectBytes json = new ObjectBytes();

  private int at;
  private long bytes;
  private long left;
  private RecordPlaces.@Nullable Scope scope;
  private byte[] common = NOTHING;

  /**
   * @param limit bytes of documents that a request may become
   * @param limitKey the setting that says so
   * @param arrived milliseconds since the epoch
   */
  OtlpDocuments(
      Signal signal,
      RecordPlaces envelope,
      IndexName index,
      BatchIds ids,
      long limit,
      String limitKey,
      long arrived) {
    this.envelope = envelope;
    this.writer = RecordWriter.of(signal);
    this.index = index;
    this.ids = ids;
    this.limit = limit;
    this.limitKey = limitKey;
    this.arrived = arrived;
  }

  @Override
  public @Nullable IndexRequest next() throws IOException {
    if (at == envelope.records()) {
      return null;
    }
    if (bytes > limit) {
      left = envelope.records() - at;
      at = envelope.records();
      return null;
    }
    int place = at++;
    try {
      return document(place);
    } catch (IOException e) {
      throw new MalformedBodyException("record [" + place + "]: " + e.getMessage(), e);
    }
  }

  private IndexRequest document(int place) throws IOException {
    RecordPlaces.Scope its = envelope.scopeOf(place);
    if (its != scope) {
      common = common(its);
      scope = its;
    }
    json.begin(common);
    long own = writer.write(json, envelope.recordAt(place), arrived * 1_000_000);
    byte[] source = json.end();
    bytes += source.length;
    return new IndexRequest(index.of(own == 0 ? arrived : Times.millis(own), arrived))
        .id(own == 0 ? ids.fresh() : ids.of(place, Times.seconds(own)))
        .opType(DocWriteRequest.OpType.CREATE)
        .source(new BytesArray(source), XContentType.JSON);
  }

  /** {@code {"resource":{...},...} without its last brace; empty when there is nothing to say. */
  private byte[] common(RecordPlaces.Scope scope) throws IOException {
    List<Slice> attributes = new ArrayList<>();
    int dropped = attributes(scope.resource(), 1, 2, attributes);
    json.begin(NOTHING);
    LogWriter.text(json, SERVICE_NAME, Attributes.find(attributes, "service.name"));
    Slice schema = scope.scopeSchema();
    LogWriter.text(json, SCHEMA_URL, schema.length() == 0 ? scope.resourceSchema() : schema);
    if (!attributes.isEmpty() || dropped != 0) {
      json.startObject(RESOURCE);
      LogWriter.count(json, LogWriter.DROPPED, dropped);
      Attributes.write(json, attributes);
      json.endObject();
    }
    if (scope.scope().length() > 0) {
      instrumentation(json, scope.scope());
    }
    return json.open();
  }

  private static int attributes(Slice message, int pairs, int dropped, List<Slice> into)
      throws IOException {
    int count = 0;
    CodedInputStream in = message.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.sized(pairs)) {
        into.add(message.next(in));
      } else if (tag == Slice.varint(dropped)) {
        count = in.readUInt32();
      } else {
        in.skipField(tag);
      }
    }
    return count;
  }

  private static void instrumentation(ObjectBytes json, Slice scope) throws IOException {
    List<Slice> attributes = new ArrayList<>();
    int dropped = attributes(scope, 3, 4, attributes);
    json.startObject(SCOPE);
    CodedInputStream in = scope.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.sized(1)) {
        LogWriter.text(json, NAME, scope.next(in));
      } else if (tag == Slice.sized(2)) {
        LogWriter.text(json, VERSION, scope.next(in));
      } else {
        in.skipField(tag);
      }
    }
    LogWriter.count(json, LogWriter.DROPPED, dropped);
    Attributes.write(json, attributes);
    json.endObject();
  }

  @Override
  public long left() {
    return left;
  }

  @Override
  public String leftBecause() {
    return left == 0
        ? ""
        : "the documents of one request may have ["
            + limit
            + "] bytes in all ["
            + limitKey
            + "]; send fewer records at once or smaller resource attributes";
  }
}
