package io.millrace.pipelines.otlp;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.millrace.pipelines.intake.ObjectBytes;
import java.io.IOException;

/**
 * A message, or the bytes of a string, inside a body.
 *
 * @param bytes the whole body
 */
record Slice(byte[] bytes, int from, int length) {
  static final Slice EMPTY = new Slice(new byte[0], 0, 0);

  static Slice of(byte[] bytes) {
    return new Slice(bytes, 0, bytes.length);
  }

  /** Reads its fields, from the first. */
  CodedInputStream fields() {
    return CodedInputStream.newInstance(bytes, from, length);
  }

  /**
   * The next field of a reader of this slice, which has a length; goes behind it.
   *
   * @throws IOException when it is longer than what is left
   */
  Slice next(CodedInputStream in) throws IOException {
    int size = in.readRawVarint32();
    int start = from + in.getTotalBytesRead();
    in.skipRawBytes(size); // refuses what is negative or too long
    return new Slice(bytes, start, size);
  }

  /** Writes it as text, as the value of the name that was written last or as an element. */
  void write(ObjectBytes out) {
    out.text(bytes, from, length);
  }

  byte[] copy() {
    return java.util.Arrays.copyOfRange(bytes, from, from + length);
  }

  /** The tag of a field that has a length: strings, bytes and messages. */
  static int sized(int field) {
    return field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  static int varint(int field) {
    return field << 3 | WireFormat.WIRETYPE_VARINT;
  }

  static int fixed64(int field) {
    return field << 3 | WireFormat.WIRETYPE_FIXED64;
  }

  static int fixed32(int field) {
    return field << 3 | WireFormat.WIRETYPE_FIXED32;
  }
}
