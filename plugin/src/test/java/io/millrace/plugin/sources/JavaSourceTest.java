package io.millrace.plugin.sources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.plugin.sources.JavaSource.Piece;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JavaSourceTest {
  private static JavaSource source(String... lines) {
    return JavaSource.of(
        Repository.root().resolve("write/src/main/java/io/millrace/write/A.java"),
        String.join("\n", lines));
  }

  @Test
  void codeCommentsAndLiteralsAreToldApart() {
    JavaSource source =
        source(
            "package io.millrace.write;",
            "/** Says \"no\" and // nothing. */",
            "class A { String a = \"// \\\" text\"; char c = '\"'; } // end 'x'",
            "String block = \"\"\"",
            "  a \"quoted\" word /* stays */",
            "  \"\"\";",
            "int b; /* io.millrace.guard.G */");
    assertEquals(
        List.of(
            new Piece(2, "/** Says \"no\" and // nothing. */"),
            new Piece(3, "// end 'x'"),
            new Piece(7, "/* io.millrace.guard.G */")),
        source.comments());
    assertEquals(
        List.of(
            new Piece(3, "// \\\" text"), new Piece(4, "\n  a \"quoted\" word /* stays */\n  ")),
        source.literals());
    assertTrue(source.code().contains("int b;"), source.code());
    assertFalse(source.code().contains("text"), source.code());
    assertEquals(source.text().length(), source.code().length());
    assertEquals("io.millrace.write", source.packageName());
    assertEquals("write", source.module());
    assertEquals("A", source.typeName());
  }

  @Test
  void packagesAreNamedByImportsAndInTheCode() {
    JavaSource source =
        source(
            "package io.millrace.write;",
            "import static io.millrace.guard.http.Gate.open;",
            "import io.millrace.kernel.Feature.Kind;",
            "import io.millrace.storage.merge.*;",
            "class A { io.millrace.observe.Gc gc; String s = \"io.millrace.plugin.P\"; }");
    assertEquals(
        Set.of(
            "io.millrace.guard.http",
            "io.millrace.kernel",
            "io.millrace.storage.merge",
            "io.millrace.observe"),
        source.packagesNamed());
  }

  @Test
  void theSuperclassIsThatOfTheOutermostType() {
    assertEquals(
        "B", source("class Inner extends C {}", "class A<T> extends x.y.B<T> {}").superclass());
    assertEquals("", source("class A implements I {", "class Inner extends C {} }").superclass());
  }
}
