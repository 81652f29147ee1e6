package io.millrace.write.lenientparsing;

import java.util.Set;
import org.opensearch.common.lucene.Lucene;
import org.opensearch.index.mapper.FieldMapper;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.mapper.Mapping;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.mapper.SourceFieldMapper;

/**
 * Names under which OpenSearch keeps its own state in a Lucene index, without a mapper that would
 * refuse them in a document.
 *
 * <p>Stock maps such a name like any other. A value of {@code __soft_deletes} then deletes its
 * document, which was acknowledged; a first one of {@code _tombstone} makes the engine fail at its
 * next no-op, and the shard with it; the others have their documents refused by Lucene.
 */
public final class InternalNames {
  private static final Set<String> NAMES =
      Set.of(
          Lucene.SOFT_DELETES_FIELD,
          Lucene.PARENT_FIELD,
          SeqNoFieldMapper.PRIMARY_TERM_NAME,
          SeqNoFieldMapper.TOMBSTONE_NAME,
          SourceFieldMapper.RECOVERY_SOURCE_NAME);

  private InternalNames() {}

  /** Whether a field of this full name would be written into OpenSearch's own. */
  static boolean hold(String path) {
    return NAMES.contains(path);
  }

  /** Whether an update would add a field of such a name. */
  public static boolean in(Mapping update) {
    for (Mapper mapper : update.root()) {
      if (mapper instanceof FieldMapper && NAMES.contains(mapper.name())) {
        return true;
      }
    }
    return false;
  }
}
