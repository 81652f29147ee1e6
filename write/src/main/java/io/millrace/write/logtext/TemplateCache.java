package io.millrace.write.logtext;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Terms;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/**
 * The template dictionaries of a node's open segments, least recently used first out.
 *
 * <p>Bounded by bytes; a dictionary that alone would pass the bound is read anew for each query.
 * The entries of a segment go when it is closed (Lucene's core closed listener, one for a segment
 * however often its dictionaries are evicted and read again). Building happens outside the lock:
 * two queries that miss at once both read, and one result stays.
 */
final class TemplateCache {
  private record Key(IndexReader.CacheKey segment, String field) {}

  private final LinkedHashMap<Key, TemplateDictionary> entries =
      new LinkedHashMap<>(16, 0.75f, true);

  /** The open segments that are listened to, each with the fields it was asked for. */
  private final Map<IndexReader.CacheKey, Set<String>> listened = new HashMap<>();

  private long limit;
  private long bytes;
  private @Nullable CircuitBreaker breaker;

  final LongAdder hits = new LongAdder();
  final LongAdder reads = new LongAdder();
  final LongAdder evictions = new LongAdder();

  TemplateCache(long limitBytes) {
    this.limit = limitBytes;
  }

  /** The dictionary of a field, or null where the segment has no such field. */
  @Nullable TemplateDictionary get(LeafReader reader, String field) throws IOException {
    Terms terms = LogTextReaders.stored(reader, field);
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
    if (wants(read)) {
      listen(helper);
      put(key, read);
    }
    return read;
  }

  private synchronized boolean wants(TemplateDictionary dictionary) {
    return dictionary.bytes() <= limit;
  }

  /**
   * Outside the lock, since a closing segment holds its listeners' lock and then asks for ours; and
   * before anything is put, so that nothing stays of a segment that is closed already.
   */
  private void listen(IndexReader.CacheHelper helper) {
    IndexReader.CacheKey segment = helper.getKey();
    synchronized (this) {
      if (listened.putIfAbsent(segment, new HashSet<>()) != null) {
        return;
      }
    }
    boolean done = false;
    try {
      helper.addClosedListener(this::forget);
      done = true;
    } finally {
      if (!done) {
        forget(segment);
      }
    }
  }

  private synchronized void put(Key key, TemplateDictionary dictionary) {
    Set<String> fields = listened.get(key.segment);
    if (fields == null || dictionary.bytes() > limit || entries.containsKey(key)) {
      return;
    }
    try {
      if (breaker != null) {
        breaker.addEstimateBytesAndMaybeBreak(
            dictionary.bytes(), "log_text templates of " + key.field);
      }
    } catch (CircuitBreakingException e) {
      return; // the query that read it goes on; the next one reads it anew
    }
    fields.add(key.field);
    entries.put(key, dictionary);
    bytes += dictionary.bytes();
    shrink();
  }

  private synchronized void forget(IndexReader.CacheKey segment) {
    Set<String> fields = listened.remove(segment);
    if (fields == null) {
      return;
    }
    for (String field : fields) {
      TemplateDictionary removed = entries.remove(new Key(segment, field));
      if (removed != null) {
        release(removed);
      }
    }
  }

  /** Whether there is room for the digest of a segment's tokens, which takes no other's room. */
  synchronized boolean mayKeep(TemplateDictionary dictionary, long tokens) {
    return bytes + TermDigest.estimate(tokens) <= limit && entries.containsValue(dictionary);
  }

  /** Keeps a digest with its dictionary, where that is cached and there is room. */
  synchronized void keep(TemplateDictionary dictionary, TermDigest digest) {
    if (dictionary.digest() != null
        || bytes + digest.bytes() > limit
        || !entries.containsValue(dictionary)) {
      return;
    }
    try {
      if (breaker != null) {
        breaker.addEstimateBytesAndMaybeBreak(digest.bytes(), "log_text digest");
      }
    } catch (CircuitBreakingException e) {
      return; // searches look at all tokens, as they did before
    }
    dictionary.digest(digest);
    bytes += digest.bytes();
  }

  /** Digests go before dictionaries, which every search needs. */
  private void shrink() {
    for (TemplateDictionary dictionary : entries.values()) {
      if (bytes <= limit) {
        return;
      }
      dropDigest(dictionary);
    }
    Iterator<Map.Entry<Key, TemplateDictionary>> eldest = entries.entrySet().iterator();
    while (bytes > limit && eldest.hasNext()) {
      release(eldest.next().getValue());
      eldest.remove();
      evictions.increment();
    }
  }

  private void release(TemplateDictionary dictionary) {
    dropDigest(dictionary);
    freed(dictionary.bytes());
  }

  private void dropDigest(TemplateDictionary dictionary) {
    TermDigest digest = dictionary.digest();
    if (digest != null) {
      dictionary.digest(null);
      freed(digest.bytes());
    }
  }

  private void freed(long less) {
    bytes -= less;
    if (breaker != null) {
      breaker.addWithoutBreaking(-less);
    }
  }

  /** Counts what is cached towards a breaker, the node's; called before any segment is open. */
  synchronized void count(CircuitBreaker nodes) {
    if (breaker == null) {
      breaker = nodes;
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

  /** Open segments that are listened to. */
  synchronized int segments() {
    return listened.size();
  }

  /** Templates held now, over all segments. */
  synchronized long templates() {
    List<TemplateDictionary> all = new ArrayList<>(entries.values());
    return all.stream().mapToLong(d -> d.templates.length).sum();
  }
}
