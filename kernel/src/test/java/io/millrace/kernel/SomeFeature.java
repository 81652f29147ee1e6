package io.millrace.kernel;

import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.function.Consumer;

/** A feature that only declares. */
public record SomeFeature(String id, Consumer<Hooks> declaration) implements Feature {
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
    return Feature.switchFor(id, true);
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
