package io.millrace.kernel.hooks;

import java.util.Map;
import java.util.function.Function;
import org.opensearch.ingest.Processor;
import org.opensearch.plugins.IngestPlugin;

/** Processors of ingest pipelines, as {@link IngestPlugin} takes them. */
public interface IngestHooks extends HookRegistry.Holder {

  /** A processor that a pipeline may name. */
  default void processor(String type, Function<Processor.Parameters, Processor.Factory> factory) {
    Collector.of(this).processors.add(factory, type);
  }

  /** A processor that OpenSearch asks for every index, without a pipeline that names it. */
  default void systemProcessor(
      String type, Function<Processor.Parameters, Processor.Factory> factory) {
    Collector.of(this).systemProcessors.add(factory, type);
  }

  /** What was declared. */
  final class Collector {
    private final Declarations<Function<Processor.Parameters, Processor.Factory>> processors;
    private final Declarations<Function<Processor.Parameters, Processor.Factory>> systemProcessors;

    private Collector(HookRegistry registry) {
      processors = registry.declarations("ingest processor");
      systemProcessors = registry.declarations("system ingest processor");
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }
  }

  /** What OpenSearch asks for. */
  interface Adapter extends IngestPlugin, HookRegistry.Holder {
    @Override
    default Map<String, Processor.Factory> getProcessors(Processor.Parameters parameters) {
      return Collector.of(this).processors.byName(factory -> factory.apply(parameters));
    }

    @Override
    default Map<String, Processor.Factory> getSystemIngestProcessors(
        Processor.Parameters parameters) {
      return Collector.of(this).systemProcessors.byName(factory -> factory.apply(parameters));
    }
  }
}
