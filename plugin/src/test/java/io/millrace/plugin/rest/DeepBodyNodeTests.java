package io.millrace.plugin.rest;

import java.util.concurrent.TimeUnit;
import org.opensearch.common.network.NetworkModule;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;

/**
 * Bodies that are nested deeper than the stack of the thread that reads them: stock's parser of
 * well-known text goes one call deeper for each collection of geometries.
 */
public class DeepBodyNodeTests extends RestNodeTestCase {
  private static final String SHAPE = "GEOMETRYCOLLECTION(".repeat(50_000);
  private static final String WHY = "inside one another than the stack of a thread can hold";

  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put(NetworkModule.HTTP_TYPE_KEY, "millrace")
        .build();
  }

  public void testTheyAreRefused() throws Exception {
    ok("PUT", "/deep", "{\"mappings\":{\"properties\":{\"g\":{\"type\":\"geo_shape\"}}}}");
    String query = "{\"query\":{\"geo_shape\":{\"g\":{\"shape\":\"" + SHAPE + "\"}}}}";
    for (String path : new String[] {"/deep/_search", "/deep/_count", "/deep/_validate/query"}) {
      Answer refused = call("POST", path, query);
      assertEquals(path + refused.text(), 400, refused.status());
      assertTrue(refused.text(), refused.text().contains(WHY));
    }
    // what stock counted of these bodies is given back: else the node would refuse all in the end
    CircuitBreaker inFlight =
        internalCluster()
            .getInstance(CircuitBreakerService.class)
            .getBreaker(CircuitBreaker.IN_FLIGHT_REQUESTS);
    assertBusy(() -> assertEquals(0, inFlight.getUsed()), 10, TimeUnit.SECONDS);
  }
}
