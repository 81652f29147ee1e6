package io.millrace.pipelines.otlp;

import com.google.protobuf.CodedInputStream;
import io.millrace.pipelines.intake.MalformedBodyException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the records of a request stand in its body, and which resource and scope they belong to. A
 * record costs 12 bytes here; nothing of it is read yet.
 */
final class RecordPlaces {
  /** What the records of one scope have in common; schema addresses are those of the wire. */
  record Scope(Slice resource, Slice resourceSchema, Slice scope, Slice scopeSchema) {}

  private final byte[] body;
  private final List<Scope> scopes = new ArrayList<>();
  private int[] places = new int[3 * 64];
  private int records;

  private RecordPlaces(byte[] body) {
    this.body = body;
  }

  /**
   * Reads the frame of a request.
   *
   * @throws MalformedBodyException when it is no such message
   */
  static RecordPlaces read(byte[] body) throws IOException {
    RecordPlaces envelope = new RecordPlaces(body);
    try {
      Slice request = Slice.of(body);
      CodedInputStream in = request.fields();
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag == Slice.sized(1)) {
          envelope.resource(request.next(in));
        } else {
          in.skipField(tag);
        }
      }
    } catch (IOException e) {
      throw new MalformedBodyException("the body is no OTLP message: " + e.getMessage(), e);
    }
    return envelope;
  }

  private void resource(Slice of) throws IOException {
    Slice resource = Slice.EMPTY;
    Slice schema = Slice.EMPTY;
    List<Slice> scoped = new ArrayList<>();
    CodedInputStream in = of.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.sized(1)) {
        resource = of.next(in);
      } else if (tag == Slice.sized(2)) {
        scoped.add(of.next(in));
      } else if (tag == Slice.sized(3)) {
        schema = of.next(in);
      } else {
        in.skipField(tag);
      }
    }
    for (Slice each : scoped) {
      scope(resource, schema, each);
    }
  }

  private void scope(Slice resource, Slice resourceSchema, Slice of) throws IOException {
    Slice scope = Slice.EMPTY;
    Slice schema = Slice.EMPTY;
    int before = records;
    CodedInputStream in = of.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.sized(1)) {
        scope = of.next(in);
      } else if (tag == Slice.sized(2)) {
        record(of.next(in));
      } else if (tag == Slice.sized(3)) {
        schema = of.next(in);
      } else {
        in.skipField(tag);
      }
    }
    if (records > before) {
      scopes.add(new Scope(resource, resourceSchema, scope, schema));
    }
  }

  private void record(Slice slice) {
    int at = records * 3;
    if (at == places.length) {
      places = Arrays.copyOf(places, at * 2);
    }
    places[at] = slice.from();
    places[at + 1] = slice.length();
    places[at + 2] = scopes.size();
    records++;
  }

  int records() {
    return records;
  }

  Slice recordAt(int i) {
    return new Slice(body, places[i * 3], places[i * 3 + 1]);
  }

  Scope scopeOf(int i) {
    return scopes.get(places[i * 3 + 2]);
  }
}
