package io.millrace.write.logtext;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IntsRefBuilder;
import org.apache.lucene.util.RamUsageEstimator;
import org.jspecify.annotations.Nullable;

/**
 * The templates of one field in one segment, and for each token the templates that hold it.
 *
 * <p>Immutable. Read off the segment's term dictionary: templates are its first terms, since they
 * begin with a control character.
 */
final class TemplateDictionary {
  private static final int[] NONE = new int[0];

  /** Template terms in the segment's order. */
  final BytesRef[] templates;

  private final BytesRef[] tokens;
  private final int[][] owners;
  private final long bytes;
  private final boolean reserved;
  private final boolean disjoint;

  /** Documents of each template. */
  final int[] frequencies;

  /** Documents that hold a value without template. */
  final int free;

  /** The documents of each template. */
  final TemplateDocuments documents;

  /** What {@link TokenView} counted once for the segment. */
  volatile TokenView.@Nullable Figures figures;

  private volatile @Nullable TermDigest digest;

  private TemplateDictionary(
      BytesRef[] templates,
      int[] frequencies,
      int free,
      BytesRef[] tokens,
      int[][] owners,
      boolean reserved,
      int withField,
      TemplateDocuments documents) {
    this.frequencies = frequencies;
    this.documents = documents;
    this.free = free;
    this.disjoint = Arrays.stream(frequencies).asLongStream().sum() + free == withField;
    this.templates = templates;
    this.tokens = tokens;
    this.owners = owners;
    this.reserved = reserved;
    long size = 64 + documents.bytes();
    for (BytesRef template : templates) {
      size += 52 + template.length;
    }
    for (int i = 0; i < tokens.length; i++) {
      size += 24 + RamUsageEstimator.sizeOf(owners[i]); // the token's bytes are its template's
    }
    this.bytes = size;
  }

  /** Reads the templates of a segment's field. */
  static TemplateDictionary read(Terms terms) throws IOException {
    List<BytesRef> templates = new ArrayList<>();
    Map<BytesRef, IntsRefBuilder> owners = new HashMap<>();
    TermsEnum termsEnum = terms.iterator();
    boolean reserved = false;
    int free = 0;
    IntsRefBuilder frequencies = new IntsRefBuilder();
    TemplateDocuments.Builder documents = new TemplateDocuments.Builder();
    for (BytesRef term = termsEnum.next(); term != null; term = termsEnum.next()) {
      if (!Reserved.isReserved(term)) {
        break;
      }
      reserved = true;
      if (term.bytes[term.offset] != Reserved.POSITION) {
        free = termsEnum.docFreq();
        continue;
      }
      BytesRef template = BytesRef.deepCopyOf(term);
      int id = templates.size();
      templates.add(template);
      frequencies.append(termsEnum.docFreq());
      documents.add(termsEnum);
      forEachToken(
          template,
          token -> {
            IntsRefBuilder ids = owners.computeIfAbsent(token, t -> new IntsRefBuilder());
            if (ids.length() == 0 || ids.intAt(ids.length() - 1) != id) {
              ids.append(id);
            }
          });
    }
    BytesRef[] tokens = owners.keySet().toArray(new BytesRef[0]);
    Arrays.sort(tokens);
    int[][] ids = new int[tokens.length][];
    for (int i = 0; i < tokens.length; i++) {
      IntsRefBuilder builder = owners.get(tokens[i]);
      ids[i] = builder == null ? NONE : Arrays.copyOf(builder.ints(), builder.length());
    }
    return new TemplateDictionary(
        templates.toArray(new BytesRef[0]),
        Arrays.copyOf(frequencies.ints(), frequencies.length()),
        free,
        tokens,
        ids,
        reserved,
        terms.getDocCount(),
        documents.build());
  }

  private static void forEachToken(
      BytesRef template, java.util.function.Consumer<BytesRef> consumer) {
    int end = template.offset + template.length;
    int start = template.offset + 1;
    for (int i = start; i <= end; i++) {
      if (i == end
          || template.bytes[i] == Reserved.POSITION
          || template.bytes[i] == Reserved.WHOLE) {
        if (i > start) {
          consumer.accept(new BytesRef(template.bytes, start, i - start));
        }
        start = i + 1;
      }
    }
  }

  /** Whether the segment's field holds any reserved term, that is, was written by log_text. */
  boolean reserved() {
    return reserved;
  }

  /**
   * Whether no document holds both a template and a value without one. Where it is so, no document
   * holds a token by a template and by a posting of the token's own.
   */
  boolean disjoint() {
    return disjoint;
  }

  /** Distinct tokens over all templates, sorted. */
  BytesRef[] tokens() {
    return tokens;
  }

  /** The templates that hold the token at this place of {@link #tokens}. */
  int[] owners(int token) {
    return owners[token];
  }

  /** The templates that hold a token. */
  int[] owners(BytesRef token) {
    int i = Arrays.binarySearch(tokens, token);
    return i < 0 ? NONE : owners[i];
  }

  /** What it holds in memory without its digest, in bytes. */
  long bytes() {
    return bytes;
  }

  /** Of the segment's own tokens; null where none is kept. */
  @Nullable TermDigest digest() {
    return digest;
  }

  /** For the cache alone, which counts it. */
  void digest(@Nullable TermDigest kept) {
    digest = kept;
  }

  /** Positions of a template; a hole is null. */
  static Position[] positions(BytesRef template) {
    List<Position> out = new ArrayList<>();
    int end = template.offset + template.length;
    int i = template.offset;
    while (i < end) {
      int start = ++i; // after POSITION
      while (i < end && template.bytes[i] > Reserved.WHOLE || i < end && template.bytes[i] < 0) {
        i++;
      }
      BytesRef part = i == start ? null : new BytesRef(template.bytes, start, i - start);
      BytesRef whole = null;
      if (i < end && template.bytes[i] == Reserved.WHOLE) {
        start = ++i;
        while (i < end && template.bytes[i] != Reserved.POSITION) {
          i++;
        }
        whole = new BytesRef(template.bytes, start, i - start);
      }
      out.add(new Position(part, whole));
    }
    return out.toArray(new Position[0]);
  }

  /**
   * One position of a template.
   *
   * @param part the token, null for a hole
   * @param whole the whole token that starts here, if any
   */
  record Position(@Nullable BytesRef part, @Nullable BytesRef whole) {}
}
