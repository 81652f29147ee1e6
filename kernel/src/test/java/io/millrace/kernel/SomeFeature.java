package io.millrace.kernel;

import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.function.Consumer;

/** A feature that only declares. */
public final class SomeFeature implements Feature {
  private final String id;
  private final Consumer<Hooks> declaration;
  private final Switch enabled;

  /**
   * @param declaration what it hooks into
   */
  public SomeFeature(String id, Consumer<Hooks> declaration) {
    this.id = id;
    this.declaration = declaration;
    this.enabled = Feature.switchFor(id, true);
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String summary() {
    return "Declares what a test needs";
  }

  @Override
  public List<String> sources() {
    return List.of("a test");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public void declare(Hooks hooks) {
    declaration.accept(hooks);
  }

  /** A plugin of these features. */
  public static FeaturePlugin plugin(SomeFeature... features) {
    return new FeaturePlugin(List.of(features)) {};
  }
}
