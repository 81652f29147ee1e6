package io.millrace.guard.phases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.builder.SearchSourceBuilder;

class AskedTextTest {
  private static SearchSourceBuilder source(String word) {
    return new SearchSourceBuilder().query(QueryBuilders.termQuery("field", word));
  }

  @Test
  void theSameSearchIsWrittenOnce() {
    SearchSourceBuilder source = source("a");
    assertSame(AskedText.of(source), AskedText.of(source));
    assertEquals("", AskedText.of(null));
  }

  @Test
  void equalOnesAndManyAreToldApart() {
    List<SearchSourceBuilder> sources = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      sources.add(source("w" + i));
    }
    for (int round = 0; round < 2; round++) {
      for (SearchSourceBuilder source : sources) {
        assertEquals(source.toString(), AskedText.of(source));
      }
    }
  }

  @Test
  void longOnesAreNotKept() {
    SearchSourceBuilder source = source("x".repeat(10_000));
    assertNotSame(AskedText.of(source), AskedText.of(source));
    assertEquals(source.toString(), AskedText.of(source));
  }
}
