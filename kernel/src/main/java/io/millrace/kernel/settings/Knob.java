package io.millrace.kernel.settings;

import org.opensearch.common.settings.Setting;

/**
 * One setting of a feature with the sentence that explains it.
 *
 * @param setting the registered setting; its scope and dynamism are read off its properties
 * @param doc what it does, its unit and when to change it
 */
public record Knob<T>(Setting<T> setting, String doc) {}
