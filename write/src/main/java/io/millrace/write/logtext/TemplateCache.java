package io.millrace.write.logtext;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Terms;
import org.jspecify.annotations.Nullable;

/**
 * The template dictionaries of a node's open segments, least recently used first out.
 *
 * <p>Bounded by bytes; a dictionary that alone would pass the bound is read anew for each query. An
 * entry goes when its segment is closed (Lucene's core closed listener). Building happens outside
 * the lock: two queries that miss at once both read, and one result stays.
 */
final class TemplateCache {
  private record Key(IndexReader.CacheKey segment, String field) {}

  private final LinkedHashMap<Key, TemplateDictionary> entries =
      new LinkedHashMap<>(16, 0.75f, true);
  private long limit;
  private long bytes;

  final LongAdder hits = new LongAdder();
  final LongAdder reads = new LongAdder();
  final LongAdder evictions = new LongAdder();

  TemplateCache(long limitBytes) {
    this.limit = limitBytes;
  }

  /** The dictionary of a field, or null where the segment has no such field. */
  @Nullable TemplateDictionary get(LeafReader reader, String field) throws IOException {
    Terms terms = reader.terms(field);
    if (terms == null) {
      return null;
    }
    IndexReader.CacheHelper helper = reader.getCoreCacheHelper();
    if (helper == null) {
      reads.increment();
      return TemplateDictionary.read(terms);
    }
    Key key = new Key(helper.getKey(), field);
    synchronized (this) {
      TemplateDictionary cached = entries.get(key);
      if (cached != null) {
        hits.increment();
        return cached;
      }
    }
    TemplateDictionary read = TemplateDictionary.read(terms);
    reads.increment();
    if (put(key, read)) {
      helper.addClosedListener(closed -> remove(key));
    }
    return read;
  }

  private synchronized boolean put(Key key, TemplateDictionary dictionary) {
    if (dictionary.bytes() > limit || entries.containsKey(key)) {
      return false;
    }
    entries.put(key, dictionary);
    bytes += dictionary.bytes();
    shrink();
    return true;
  }

  private synchronized void remove(Key key) {
    TemplateDictionary removed = entries.remove(key);
    if (removed != null) {
      bytes -= removed.bytes();
    }
  }

  private void shrink() {
    Iterator<Map.Entry<Key, TemplateDictionary>> eldest = entries.entrySet().iterator();
    while (bytes > limit && eldest.hasNext()) {
      bytes -= eldest.next().getValue().bytes();
      eldest.remove();
      evictions.increment();
    }
  }

  /** Sets the bound in bytes and keeps to it at once. */
  synchronized void limit(long limitBytes) {
    limit = limitBytes;
    shrink();
  }

  /** Bytes held now. */
  synchronized long bytes() {
    return bytes;
  }

  /** Templates held now, over all segments. */
  synchronized long templates() {
    List<TemplateDictionary> all = new ArrayList<>(entries.values());
    return all.stream().mapToLong(d -> d.templates.length).sum();
  }
}
