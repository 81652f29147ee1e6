package io.millrace.plugin;

import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;

/**
 * What a page and a test say of a setting: where it is given, when it may change, its default.
 *
 * @param scope {@code cluster, dynamic}, {@code opensearch.yml only}, {@code index, dynamic},
 *     {@code index, while closed} or {@code index, at creation only}
 * @param byDefault as somebody would write it; empty where nothing is set
 */
public record SettingFacts(String scope, String byDefault) {

  /** The facts of one setting. */
  public static SettingFacts of(Setting<?> setting) {
    return new SettingFacts(
        setting.hasIndexScope() ? "index, " + change(setting) : node(setting),
        String.valueOf(setting.getDefaultRaw(Settings.EMPTY)));
  }

  private static String node(Setting<?> setting) {
    return setting.isDynamic() ? "cluster, dynamic" : "opensearch.yml only";
  }

  private static String change(Setting<?> setting) {
    return setting.isDynamic()
        ? "dynamic"
        : setting.isFinal() ? "at creation only" : "while closed";
  }
}
