package io.millrace.kernel.slot;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.engine.EngineTestCase;

/** What is left of an engine that could not be opened. */
public class EngineSlotFailureTest extends EngineTestCase {
  public void testHooksAreClosedWhenTheEngineDoesNotOpen() {
    AtomicInteger opened = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    EngineExtension extension =
        new EngineExtension() {
          @Override
          public boolean wants(IndexSettings settings) {
            return true;
          }

          @Override
          public ShardHooks open(EngineConfig config) {
            opened.incrementAndGet();
            return new ShardHooks() {
              @Override
              public void closed() {
                closed.incrementAndGet();
              }
            };
          }
        };
    // the test's own engine holds the write lock of the store
    EngineConfig taken = engine.config();
    expectThrows(
        RuntimeException.class,
        () ->
            EngineSlot.factoryFor(List.of(extension), taken.getIndexSettings())
                .orElseThrow()
                .newReadWriteEngine(taken));
    assertEquals(1, opened.get());
    assertEquals(1, closed.get());
  }
}
