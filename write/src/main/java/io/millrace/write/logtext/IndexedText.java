package io.millrace.write.logtext;

import java.util.Set;
import org.apache.lucene.analysis.Analyzer;

/**
 * What a field of one index was written of.
 *
 * @param paths where its values stand in a source
 * @param analyzer that makes tokens of them
 */
record IndexedText(Set<String> paths, Analyzer analyzer) {}
