package io.millrace.pipelines.otlp;

import com.google.protobuf.CodedInputStream;
import io.millrace.pipelines.intake.ObjectBytes;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes attributes and values as JSON: the names as they came, dots and all. */
final class Attributes {
  /** Lists and maps inside each other; what is deeper is kept as base64 of its message. */
  static final int DEEPEST = 32;

  private static final ObjectBytes.Name NAME = ObjectBytes.Name.of("attributes");

  private Attributes() {}

  /** The field {@code attributes}, an object of these pairs; nothing when there is none. */
  static void write(ObjectBytes out, List<Slice> pairs) throws IOException {
    if (pairs.isEmpty()) {
      return;
    }
    out.startObject(NAME);
    for (Slice pair : pairs) {
      pair(out, pair, 0);
    }
    out.endObject();
  }

  private static void pair(ObjectBytes out, Slice pair, int depth) throws IOException {
    Slice key = Slice.EMPTY;
    Slice value = Slice.EMPTY;
    CodedInputStream in = pair.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.sized(1)) {
        key = pair.next(in);
      } else if (tag == Slice.sized(2)) {
        value = pair.next(in);
      } else {
        in.skipField(tag);
      }
    }
    out.name(key.bytes(), key.from(), key.length());
    value(out, value, depth);
  }

  /** A value; null when it has none. */
  static void value(ObjectBytes out, Slice value, int depth) throws IOException {
    if (!alone(out, value)) {
      any(out, value, depth);
    }
  }

  /**
   * Writes a value that is one text, one number below 2^28 or one flag and nothing else, as nearly
   * all are, without a reader of its own; false for every other, of which nothing is written.
   */
  static boolean alone(ObjectBytes out, Slice value) {
    byte[] bytes = value.bytes();
    int end = value.from() + value.length();
    if (value.length() < 2 || value.length() > 1 << 28) {
      return false;
    }
    int tag = bytes[value.from()];
    int at = value.from() + 1;
    int number = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = bytes[at++];
      number |= (next & 0x7F) << shift;
      if (next >= 0) {
        break;
      }
      if (at == end || shift == 21) {
        return false;
      }
    }
    if (tag == Slice.sized(1) && number == end - at) {
      out.text(bytes, at, number);
    } else if (tag == Slice.varint(3) && at == end) {
      out.value(number);
    } else if (tag == Slice.varint(2) && at == end) {
      out.value(number != 0);
    } else {
      return false;
    }
    return true;
  }

  private static void any(ObjectBytes out, Slice value, int depth) throws IOException {
    CodedInputStream in = value.fields();
    boolean written = false;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (written || tag >>> 3 < 1 || tag >>> 3 > 7) {
        in.skipField(tag);
        continue;
      }
      written = true;
      if (tag == Slice.sized(1)) {
        value.next(in).write(out);
      } else if (tag == Slice.varint(2)) {
        out.value(in.readBool());
      } else if (tag == Slice.varint(3)) {
        out.value(in.readInt64());
      } else if (tag == Slice.fixed64(4)) {
        real(out, in.readDouble());
      } else if (tag == Slice.sized(5) || tag == Slice.sized(6)) {
        nested(out, value.next(in), tag == Slice.sized(6), depth + 1);
      } else if (tag == Slice.sized(7)) {
        out.text(Base64.getEncoder().encodeToString(in.readByteArray()));
      } else {
        in.skipField(tag);
        written = false;
      }
    }
    if (!written) {
      out.nullValue();
    }
  }

  private static void real(ObjectBytes out, double value) {
    if (Double.isFinite(value)) {
      out.value(value);
    } else {
      out.text(Double.toString(value)); // JSON has no such number
    }
  }

  private static void nested(ObjectBytes out, Slice list, boolean map, int depth)
      throws IOException {
    if (depth > DEEPEST) {
      out.text(Base64.getEncoder().encodeToString(list.copy()));
      return;
    }
    if (map) {
      out.startObject();
    } else {
      out.startArray();
    }
    CodedInputStream in = list.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag != Slice.sized(1)) {
        in.skipField(tag);
      } else if (map) {
        pair(out, list.next(in), depth);
      } else {
        value(out, list.next(in), depth);
      }
    }
    if (map) {
      out.endObject();
    } else {
      out.endArray();
    }
  }

  /** A value that is no list and no map as text; null for one without a value. */
  static @Nullable String scalar(Slice value) throws IOException {
    CodedInputStream in = value.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.sized(1)) {
        return in.readString();
      } else if (tag == Slice.varint(2)) {
        return Boolean.toString(in.readBool());
      } else if (tag == Slice.varint(3)) {
        return Long.toString(in.readInt64());
      } else if (tag == Slice.fixed64(4)) {
        return Double.toString(in.readDouble());
      } else if (tag == Slice.sized(7)) {
        return Base64.getEncoder().encodeToString(in.readByteArray());
      }
      in.skipField(tag);
    }
    return null;
  }

  /** The text of a value that is a string; empty for any other. */
  private static Slice text(Slice value) throws IOException {
    CodedInputStream in = value.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.sized(1)) {
        return value.next(in);
      }
      in.skipField(tag);
    }
    return Slice.EMPTY;
  }

  /** Whether a value is a list or a map. */
  static boolean structured(Slice value) throws IOException {
    int tag = value.fields().readTag();
    return tag == Slice.sized(5) || tag == Slice.sized(6);
  }

  /** The string value of a key among pairs; empty where there is none. */
  static Slice find(List<Slice> pairs, String wanted) throws IOException {
    for (Slice pair : pairs) {
      String key = "";
      Slice value = Slice.EMPTY;
      CodedInputStream in = pair.fields();
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag == Slice.sized(1)) {
          key = in.readString();
        } else if (tag == Slice.sized(2)) {
          value = pair.next(in);
        } else {
          in.skipField(tag);
        }
      }
      if (key.equals(wanted)) {
        return text(value);
      }
    }
    return Slice.EMPTY;
  }
}
