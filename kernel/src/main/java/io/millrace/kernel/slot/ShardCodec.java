package io.millrace.kernel.slot;

import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.codecs.Codec;
import org.opensearch.index.codec.CodecService;
import org.opensearch.index.engine.EngineConfig;

/**
 * Gives the engine of a shard another codec: what an {@link EngineExtension} does that must know
 * the codec which the shard really has, whatever {@code index.codec} names. {@link CodecLayer}s
 * stand beneath it.
 */
public final class ShardCodec {
  private static final Logger logger = LogManager.getLogger(ShardCodec.class);

  private ShardCodec() {}

  /** The same configuration, with a codec that is taken whatever name is asked for. */
  public static EngineConfig with(EngineConfig config, Codec codec) {
    return config.toBuilder()
        .codecService(
            new CodecService(null, config.getIndexSettings(), logger, List.of()) {
              @Override
              public Codec codec(String name) {
                return codec;
              }
            })
        .build();
  }
}
