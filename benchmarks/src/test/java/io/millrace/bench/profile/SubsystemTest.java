package io.millrace.bench.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SubsystemTest {
  private static final String CHAIN = "org.apache.lucene.index.IndexingChain.processDocument";
  private static final String INVERT = "org.apache.lucene.index.IndexingChain$PerField.invert";
  private static final String ENGINE = "org.opensearch.index.engine.InternalEngine.index";

  @Test
  void theInnermostPartOfTheChainCounts() {
    assertEquals(
        Subsystem.TERM_HASH,
        Subsystem.of(
            List.of(
                "org.apache.lucene.util.BytesRefHash.findHash",
                "org.apache.lucene.index.TermsHashPerField.add",
                INVERT,
                CHAIN,
                ENGINE)));
    assertEquals(
        Subsystem.POSTINGS,
        Subsystem.of(
            List.of(
                "org.apache.lucene.index.FreqProxTermsWriterPerField.addTerm",
                "org.apache.lucene.index.TermsHashPerField.add",
                INVERT,
                CHAIN,
                ENGINE)));
    assertEquals(Subsystem.CHAIN, Subsystem.of(List.of(CHAIN, ENGINE)));
    assertEquals(Subsystem.ENGINE, Subsystem.of(List.of(ENGINE)));
  }

  @Test
  void aFlushByAWritingThreadIsAFlush() {
    assertEquals(
        Subsystem.FLUSH_TERMS,
        Subsystem.of(
            List.of(
                "org.apache.lucene.index.FreqProxTermsWriter.flush",
                "org.apache.lucene.index.DocumentsWriterPerThread.flush",
                ENGINE)));
  }

  @Test
  void anUnknownStackIsOther() {
    assertEquals(Subsystem.OTHER, Subsystem.of(List.of()));
    assertEquals(Subsystem.OTHER, Subsystem.of(List.of("java.lang.Thread.run")));
  }
}
