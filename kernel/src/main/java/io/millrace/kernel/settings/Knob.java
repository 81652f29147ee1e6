package io.millrace.kernel.settings;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;

/**
 * One setting of a feature: the sentence that explains it and, on a node, its value.
 *
 * <p>A feature declares the knob once, as a field; the plugin binds it before the feature starts.
 * Which values there are follows from the setting's own properties:
 *
 * <ul>
 *   <li>node scope and dynamic: {@link #value} is the default, from {@link #bind} on the node's
 *       value, and then that of every update of the cluster settings;
 *   <li>node scope only: the same without updates;
 *   <li>index scope: a node has no value of it, so {@link #value} refuses; the feature reads it
 *       from the settings of each index.
 * </ul>
 *
 * <p>Reading the value is one volatile read, so hot paths may ask each time.
 */
public final class Knob<T> {
  private final Setting<T> setting;
  private final String doc;
  private final List<Consumer<? super T>> followers = new CopyOnWriteArrayList<>();
  private volatile @Nullable T value;

  /**
   * @param setting what the plugin registers; scope and dynamism are read off its properties
   * @param doc what it does, its unit and when to change it
   */
  public Knob(Setting<T> setting, String doc) {
    this.setting = setting;
    this.doc = doc;
    this.value = setting.hasNodeScope() ? setting.getDefault(Settings.EMPTY) : null;
  }

  /** The registered setting. */
  public Setting<T> setting() {
    return setting;
  }

  /** The setting's name, for errors that say what to change. */
  public String key() {
    return setting.getKey();
  }

  /** What it does, its unit and when to change it. */
  public String doc() {
    return doc;
  }

  /**
   * The value on this node now.
   *
   * @throws IllegalStateException for a setting of an index
   */
  public T value() {
    T now = value;
    if (now == null) {
      throw new IllegalStateException(
          "[" + key() + "] belongs to an index; read it from the settings of that index");
    }
    return now;
  }

  /**
   * Hands over the value of now and every later one, each after {@link #value} answers it.
   *
   * @throws IllegalStateException for a setting of an index
   */
  public void follow(Consumer<? super T> follower) {
    follower.accept(value());
    followers.add(follower);
  }

  /**
   * For what depends on several knobs: runs now, and again after each change of any of them.
   *
   * @throws IllegalStateException when one of them is a setting of an index
   */
  public static void follow(Runnable changed, Knob<?>... knobs) {
    for (Knob<?> knob : knobs) {
      knob.value();
      knob.followers.add(value -> changed.run());
    }
    changed.run();
  }

  /** Takes the node's value and follows later updates; called once by the plugin. */
  public void bind(Settings node, ClusterSettings updates) {
    if (!setting.hasNodeScope()) {
      return;
    }
    take(setting.get(node));
    if (setting.isDynamic()) {
      updates.addSettingsUpdateConsumer(setting, this::take);
    }
  }

  private void take(T now) {
    value = now;
    followers.forEach(follower -> follower.accept(now));
  }
}
