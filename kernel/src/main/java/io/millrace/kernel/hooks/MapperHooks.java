package io.millrace.kernel.hooks;

import java.util.Map;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.mapper.MetadataFieldMapper;
import org.opensearch.plugins.MapperPlugin;

/** Field types, as {@link MapperPlugin} takes them. */
public interface MapperHooks extends HookRegistry.Holder {

  /** A field type; the name must be none of stock's. */
  default void mapper(String type, Mapper.TypeParser parser) {
    Collector.of(this).mappers.add(parser, type);
  }

  /** A metadata field that every index has; the name must be none of stock's. */
  default void metadataMapper(String name, MetadataFieldMapper.TypeParser parser) {
    Collector.of(this).metadataMappers.add(parser, name);
  }

  /** What was declared. */
  final class Collector {
    private final Declarations<Mapper.TypeParser> mappers;
    private final Declarations<MetadataFieldMapper.TypeParser> metadataMappers;

    private Collector(HookRegistry registry) {
      mappers = registry.declarations("field type");
      metadataMappers = registry.declarations("metadata field");
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }
  }

  /** What OpenSearch asks for. */
  interface Adapter extends MapperPlugin, HookRegistry.Holder {
    @Override
    default Map<String, Mapper.TypeParser> getMappers() {
      return Collector.of(this).mappers.byName();
    }

    @Override
    default Map<String, MetadataFieldMapper.TypeParser> getMetadataMappers() {
      return Collector.of(this).metadataMappers.byName();
    }
  }
}
