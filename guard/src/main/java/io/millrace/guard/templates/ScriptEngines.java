package io.millrace.guard.templates;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.opensearch.script.ScriptEngine;
import org.opensearch.script.ScriptService;
import org.opensearch.script.TemplateScript;

/**
 * The engines of a node, of which those for templates are put behind a {@link BoundedEngine}, and
 * all others behind a {@link SteadyEngine}.
 *
 * <p>A plugin may bring an engine, but not stand before that of a module (ScriptModule refuses a
 * second one of its name), and the module {@code lang-mustache} lets no plugin extend it. Templates
 * are rendered in eight places at least (search templates, the processors of pipelines, rank
 * evaluation, suggestions), all of them through {@link ScriptService}. So its private map is
 * replaced, once, before the node has rendered anything.
 */
final class ScriptEngines {
  private static final String MAP = "engines";

  private ScriptEngines() {}

  /** How an engine is put behind another. */
  interface Guard {
    ScriptEngine around(ScriptEngine engine);
  }

  /**
   * Puts a guard around every engine that renders templates, and another one around the rest.
   *
   * @param on whether the feature is on
   * @return how many render templates
   * @throws ReflectiveOperationException where the service is not built as in OpenSearch 3.8.0;
   *     nothing is changed then
   */
  static int guard(ScriptService scripts, BooleanSupplier on, Guard guard)
      throws ReflectiveOperationException {
    Field field = ScriptService.class.getDeclaredField(MAP);
    field.setAccessible(true);
    Map<String, ScriptEngine> engines = new HashMap<>();
    int guarded = 0;
    for (Map.Entry<?, ?> entry : ((Map<?, ?>) field.get(scripts)).entrySet()) {
      ScriptEngine engine = (ScriptEngine) entry.getValue();
      if (engine.getSupportedContexts().contains(TemplateScript.CONTEXT) && rendersAlone(engine)) {
        engine = guard.around(engine);
        guarded++;
      } else {
        engine = new SteadyEngine(engine, on);
      }
      engines.put((String) entry.getKey(), engine);
    }
    field.set(scripts, Map.copyOf(engines));
    return guarded;
  }

  /** Painless takes part in the context of templates too, and in all others. */
  private static boolean rendersAlone(ScriptEngine engine) {
    return engine.getSupportedContexts().size() == 1;
  }
}
