package io.millrace.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class CostTest {
  /** A merge leaves its sources on the disk for as long as a search reads them. */
  @Test
  void countsWhatSearchesSeeOfPrimaries() throws IOException {
    String answer =
        """
        {"indices":{"logs-demo":{"shards":{
          "0":[
            {"routing":{"primary":true},"segments":{
              "_0":{"size_in_bytes":70,"search":false},
              "_4":{"size_in_bytes":30,"search":true}}},
            {"routing":{"primary":false},"segments":{"_9":{"size_in_bytes":31,"search":true}}}],
          "1":[
            {"routing":{"primary":true},"segments":{"_2":{"size_in_bytes":12,"search":true}}}]}}}}
        """;
    assertEquals(42, Cost.searched(new ObjectMapper().readTree(answer)));
    assertEquals(0, Cost.searched(null));
  }

  @Test
  void saysWhatItIsOfAnothers() {
    assertEquals("0.50 x the bytes, 0.25 x the CPU", new Cost(5, 1).beside(new Cost(10, 4)));
  }
}
