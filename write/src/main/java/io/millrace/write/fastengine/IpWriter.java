package io.millrace.write.fastengine;

import java.util.List;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.network.InetAddresses;

/**
 * IP addresses: four decimal numbers by hand, everything else through stock's own parser.
 *
 * <p>Stock: IpFieldMapper.java, parseCreateField at 3.8.0; IPv4 is indexed as an IPv4-mapped IPv6
 * address (InetAddressPoint.encode).
 */
final class IpWriter implements FieldWriter {
  private final String name;
  private final @Nullable FieldType type;
  private final boolean stored;

  IpWriter(String name, @Nullable FieldType type, boolean stored) {
    this.name = name;
    this.type = type;
    this.stored = stored;
  }

  @Override
  public boolean write(JsonBytes json, Kind kind, List<IndexableField> out) {
    if (kind != Kind.STRING || !json.ascii) {
      return false;
    }
    byte[] address = ipv4(json.text, json.offset, json.length);
    if (address == null) {
      try {
        address = InetAddressPoint.encode(InetAddresses.forString(json.asString()));
      } catch (IllegalArgumentException e) {
        return false;
      }
    }
    BytesRef value = new BytesRef(address);
    if (type != null) {
      out.add(new TermField(name, value, type));
    }
    if (stored) {
      out.add(new StoredField(name, value));
    }
    return true;
  }

  private static byte @Nullable [] ipv4(byte[] text, int offset, int length) {
    if (length < 7 || length > 15) {
      return null;
    }
    byte[] address = new byte[InetAddressPoint.BYTES];
    address[10] = -1;
    address[11] = -1;
    int part = 0;
    int digits = 0;
    int value = 0;
    for (int i = offset; i < offset + length; i++) {
      byte b = text[i];
      if (b == '.') {
        if (digits == 0 || part == 3) {
          return null;
        }
        address[12 + part++] = (byte) value;
        digits = 0;
        value = 0;
      } else if (JsonBytes.isDigit(b)) {
        if (digits > 0 && value == 0) {
          return null;
        }
        value = value * 10 + (b - '0');
        digits++;
        if (value > 255) {
          return null;
        }
      } else {
        return null;
      }
    }
    if (part != 3 || digits == 0) {
      return null;
    }
    address[15] = (byte) value;
    return address;
  }
}
