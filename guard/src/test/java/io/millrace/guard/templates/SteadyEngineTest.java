package io.millrace.guard.templates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.script.FieldScript;
import org.opensearch.script.ScriptContext;
import org.opensearch.script.ScriptEngine;
import org.opensearch.script.ScriptException;

class SteadyEngineTest {
  /** Reads its code as a parser does that goes down with every parenthesis. */
  private static final ScriptEngine DEEP =
      new ScriptEngine() {
        @Override
        public String getType() {
          return "deep";
        }

        @Override
        public <F> F compile(
            String name, String code, ScriptContext<F> context, Map<String, String> params) {
          int depth = down(code, 0);
          FieldScript.Factory factory =
              (values, lookup) -> {
                throw new UnsupportedOperationException("depth " + depth);
              };
          return context.factoryClazz.cast(factory);
        }

        private int down(String code, int at) {
          return at < code.length() && code.charAt(at) == '(' ? 1 + down(code, at + 1) : 0;
        }

        @Override
        public Set<ScriptContext<?>> getSupportedContexts() {
          return Set.of(FieldScript.CONTEXT);
        }
      };

  @Test
  void aScriptThatIsTooDeepIsTheFaultOfWhoSentIt() {
    ScriptEngine engine = new SteadyEngine(DEEP, () -> true);
    ScriptException refusal =
        assertThrows(
            ScriptException.class,
            () -> engine.compile("n", "(".repeat(10_000_000), FieldScript.CONTEXT, Map.of()));
    assertEquals(RestStatus.BAD_REQUEST, refusal.status());
    assertTrue(refusal.getMessage().contains("[10000000] characters in [deep]"));
  }

  @Test
  void offTheEngineDoesAsItDoes() {
    ScriptEngine engine = new SteadyEngine(DEEP, () -> false);
    assertThrows(
        StackOverflowError.class,
        () -> engine.compile("n", "(".repeat(10_000_000), FieldScript.CONTEXT, Map.of()));
  }

  @Test
  void everyOtherScriptIsTheEnginesOwn() {
    ScriptEngine engine = new SteadyEngine(DEEP, () -> true);
    assertEquals("deep", engine.getType());
    assertEquals(DEEP.getSupportedContexts(), engine.getSupportedContexts());
    assertTrue(
        engine.compile("n", "((", FieldScript.CONTEXT, Map.of()) instanceof FieldScript.Factory);
  }
}
