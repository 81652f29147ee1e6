package io.millrace.kernel.hooks;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the features of one node declared, and which of them declares now.
 *
 * <p>Holds one collector per hook interface and knows none of them, so that a new kind of hook
 * changes nothing here.
 */
public final class HookRegistry {
  private final Map<Class<?>, Object> collectors = new IdentityHashMap<>();
  private @Nullable String declaring;

  /** What has a registry: the hooks that a feature sees, and the plugin that answers for them. */
  @FunctionalInterface
  public interface Holder {
    /** The registry of this node. */
    HookRegistry registry();
  }

  /** The view that features have of a registry. */
  private record DeclaredHooks(HookRegistry registry) implements Hooks {}

  /**
   * Lets one owner declare its hooks.
   *
   * @param owner how errors name it, for example a feature's id
   */
  public void declare(String owner, Consumer<Hooks> declaration) {
    declaring = owner;
    try {
      declaration.accept(new DeclaredHooks(this));
    } finally {
      declaring = null;
    }
  }

  /**
   * Who declares now.
   *
   * @throws IllegalStateException when nobody does: OpenSearch has asked for the hooks already, and
   *     what comes later would be lost without a word
   */
  String declaring() {
    if (declaring == null) {
      throw new IllegalStateException(
          "hooks are declared in Feature.declare and not later; move the call there");
    }
    return declaring;
  }

  /** The collector of a hook interface, made when it is first needed. */
  <C> C collector(Class<C> type, Function<HookRegistry, C> empty) {
    Object collector = collectors.get(type);
    if (collector == null) {
      collector = empty.apply(this);
      collectors.put(type, collector);
    }
    return type.cast(collector);
  }

  /**
   * An empty list of things to declare.
   *
   * @param kind what they are, for errors: {@code analyzer}
   */
  <T> Declarations<T> declarations(String kind) {
    return new Declarations<>(this, kind);
  }
}
