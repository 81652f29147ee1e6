package io.millrace.guard.templates;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;

class TemplateSourceTest {
  private static void is(String source, int text, int dots, String... sections) {
    assertEquals(
        new TemplateSource(source.length(), text, dots, Set.of(sections)),
        TemplateSource.of(source));
  }

  @Test
  void eachSectionHasItsOwnText() {
    is("abc{{#l}}de{{#m}}fghi{{/m}}f{{/l}}", 4, 0, "l", "m");
    is("abcdef{{x}}g{{#l}}h{{/l}}", 7, 0, "l");
  }

  @Test
  void allFormsOfTheValueCount() {
    is("{{#l}}{{.}}{{ . }}{{{.}}}{{&.}}{{& . }}{{{ . }}}{{l.x}}{{/l}}", 0, 6, "l");
  }

  @Test
  void aSectionForWhatIsMissingBelongsToTheOneAroundIt() {
    is("{{#l}}ab{{^x}}cd{{.}}{{/x}}e{{/l}}", 5, 1, "l");
  }

  @Test
  void aNameWithDotsIsEnteredForEachPart() {
    is("{{#a.b.c}}{{/a.b.c}}", 0, 0, "a", "b", "c");
  }

  @Test
  void commentsWriteNothing() {
    is("{{! a comment. }}x", 1, 0);
  }

  @Test
  void otherDelimitersAreTakenForText() {
    is("{{=<% %>=}}<%.%><%a.b%>", 23, 2);
  }

  @Test
  void whatIsNotClosedIsText() {
    is("ab{{cd", 6, 0);
    is("", 0, 0);
  }
}
