package io.millrace.storage.zstandard;

import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.profile.ProfileEntry;
import io.millrace.kernel.settings.Switch;
import java.util.Set;
import java.util.function.Predicate;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.shard.IndexSettingProvider;

/**
 * An index setting, fixed at creation, that adds something to the Zstandard codecs: which values it
 * takes, the codec that it brings along, and where it is refused.
 */
public final class CodecOption {
  private final Setting<Boolean> setting;

  /**
   * An option that is off by default.
   *
   * @param key the setting's whole name
   */
  public CodecOption(String key) {
    setting =
        new Setting<>(
            key, "false", value -> parse(key, value), Property.IndexScope, Property.Final);
  }

  /** As stock parses it, but the error names the setting. */
  private static boolean parse(String key, String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException("[" + key + ": " + value + "] must be true or false");
    };
  }

  /** The setting as OpenSearch knows it. */
  public Setting<Boolean> setting() {
    return setting;
  }

  /** Whether an index has it. */
  public boolean in(Settings settings) {
    return setting.get(settings);
  }

  /** How errors name it. */
  public String named() {
    return "[" + setting.getKey() + ": true] ";
  }

  /** Gives {@code zstandard} to a new index that asks for the option and names no codec. */
  public IndexSettingProvider codecOfNewIndex() {
    String codec = EngineConfig.INDEX_CODEC_SETTING.getKey();
    return new IndexSettingProvider() {
      @Override
      public Settings getAdditionalIndexSettings(
          String index, boolean isDataStreamIndex, Settings settings) {
        return in(settings) && !settings.hasValue(codec)
            ? Settings.builder().put(codec, ZstandardVariant.STANDARD.alias()).build()
            : Settings.EMPTY;
      }
    };
  }

  /**
   * Gives the option to new indices of a profile, where it is on and their codec can hold it.
   *
   * @param fits whether the other settings of templates and request allow it
   */
  public ProfileEntry entry(
      Profile profile, String reason, Switch enabled, Predicate<Settings> fits) {
    return new ProfileEntry(
        profile,
        setting.getKey(),
        "true",
        reason,
        settings -> {
          String codec = settings.get(EngineConfig.INDEX_CODEC_SETTING.getKey());
          boolean held = codec != null && ZstandardVariant.aliases().contains(codec);
          return enabled.on() && held && fits.test(settings) ? "true" : null;
        });
  }

  /** Whether a new index asks for it; a copy by shrink, split or clone only keeps it. */
  public boolean askedBy(IndexSettings index) {
    return in(index.getSettings())
        && !IndexMetadata.INDEX_RESIZE_SOURCE_UUID.exists(index.getSettings());
  }

  /**
   * Refuses a new index that asks for the option where it is off or has no codec to work in.
   *
   * @throws IllegalArgumentException naming the settings, their values and the remedy
   */
  public void validate(IndexSettings index, Switch enabled) {
    if (!enabled.on()) {
      throw new IllegalArgumentException(
          named()
              + "is switched off for new indices by ["
              + enabled.setting().getKey()
              + ": false]; set it to true or leave the index setting out");
    }
    String codec = index.getValue(EngineConfig.INDEX_CODEC_SETTING);
    Set<String> aliases = ZstandardVariant.aliases();
    if (!aliases.contains(codec)) {
      throw new IllegalArgumentException(
          named()
              + "cannot be used with [index.codec: "
              + codec
              + "]; leave the codec out or choose one of "
              + aliases);
    }
  }
}
