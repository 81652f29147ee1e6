package io.millrace.pipelines.streams;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.search.Query;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.index.IngestionConsumerFactory;
import org.opensearch.index.IngestionShardConsumer;
import org.opensearch.index.IngestionShardPointer;
import org.opensearch.index.Message;
import org.opensearch.plugins.IngestionConsumerPlugin;
import org.opensearch.plugins.Plugin;

/** A stream in memory, of one partition, that a test fills, stops and breaks. */
public final class MemoryStream extends Plugin implements IngestionConsumerPlugin {
  private final List<Line> lines = new CopyOnWriteArrayList<>();
  private volatile int readable = Integer.MAX_VALUE;
  private volatile boolean broken;

  /** Adds a record that is produced now. */
  void add(String json) {
    lines.add(new Line(json.getBytes(StandardCharsets.UTF_8), System.currentTimeMillis()));
  }

  /** Gives no more than the first records. */
  void readable(int records) {
    readable = records;
  }

  /** Fails on every read. */
  void broken(boolean now) {
    broken = now;
  }

  @Override
  @SuppressWarnings("rawtypes") // as the interface has it
  public Map<String, IngestionConsumerFactory> getIngestionConsumerFactories() {
    return Map.of(getType(), new Factory());
  }

  @Override
  public String getType() {
    return "MEMORY";
  }

  private record Line(byte[] payload, long timestamp) implements Message<byte[]> {
    @Override
    public byte[] getPayload() {
      return payload;
    }

    @Override
    public Long getTimestamp() {
      return timestamp;
    }
  }

  private record Place(long offset) implements IngestionShardPointer {
    @Override
    public byte[] serialize() {
      return ByteBuffer.allocate(Long.BYTES).putLong(offset).array();
    }

    @Override
    public String asString() {
      return Long.toString(offset);
    }

    @Override
    public Field asPointField(String field) {
      return new LongPoint(field, offset);
    }

    @Override
    public Query newRangeQueryGreaterThan(String field) {
      return LongPoint.newRangeQuery(field, offset, Long.MAX_VALUE);
    }

    @Override
    public int compareTo(IngestionShardPointer other) {
      return Long.compare(offset, ((Place) other).offset);
    }
  }

  private final class Factory implements IngestionConsumerFactory<Reader, Place> {
    @Override
    public Reader createShardConsumer(String client, int shard, IndexMetadata index) {
      return new Reader(shard);
    }

    @Override
    public Place parsePointerFromString(String pointer) {
      return new Place(Long.parseLong(pointer));
    }
  }

  private final class Reader implements IngestionShardConsumer<Place, Line> {
    private final int shard;
    private long next;

    private Reader(int shard) {
      this.shard = shard;
    }

    @Override
    public List<ReadResult<Place, Line>> readNext(
        Place from, boolean included, long most, int timeoutMillis) {
      next = included ? from.offset() : from.offset() + 1;
      return readNext(most, timeoutMillis);
    }

    @Override
    public List<ReadResult<Place, Line>> readNext(long most, int timeoutMillis) {
      if (broken) {
        throw new IllegalStateException("the stream is broken");
      }
      List<ReadResult<Place, Line>> read = new ArrayList<>();
      while (next < Math.min(lines.size(), readable) && read.size() < most) {
        read.add(new ReadResult<>(new Place(next), lines.get((int) next)));
        next++;
      }
      return read;
    }

    @Override
    public Place earliestPointer() {
      return new Place(0);
    }

    @Override
    public Place latestPointer() {
      return new Place(lines.size());
    }

    @Override
    public Place pointerFromTimestampMillis(long millis) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Place pointerFromOffset(String offset) {
      return new Place(Long.parseLong(offset));
    }

    @Override
    public int getShardId() {
      return shard;
    }

    @Override
    public long getPointerBasedLag(IngestionShardPointer expected) {
      return lines.size() - next;
    }

    @Override
    public void close() {}
  }
}
