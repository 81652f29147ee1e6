package io.millrace.doctor.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.check.Check;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CatalogueTest {
  private final List<Check> all = Catalogue.all();

  @Test
  void everyCheckHasAnIdOfItsOwnAndATest() throws Exception {
    Set<String> ids = new HashSet<>();
    for (Check check : all) {
      About about = check.about();
      assertTrue(about.id().matches("[a-z0-9]+(-[a-z0-9]+)*"), about.id());
      assertTrue(ids.add(about.id()), about.id() + " stands twice");
      assertNotNull(Class.forName(check.getClass().getName() + "Test"), about.id());
      for (String text :
          List.of(about.title(), about.fires(), about.why(), about.source(), about.effect())) {
        assertTrue(text.length() > 10, about.id() + ": " + text);
      }
      assertFalse(about.fires().endsWith("."), about.id());
    }
  }

  @Test
  void areasStandTogether() {
    List<Area> order = all.stream().map(check -> check.about().area()).distinct().toList();
    List<Area> sorted =
        all.stream().map(check -> check.about().area()).sorted().distinct().toList();
    assertEquals(sorted, order);
  }

  @Test
  void anUnknownIdNamesItsNeighbours() {
    ExpectedFailure failure =
        assertThrows(ExpectedFailure.class, () -> Catalogue.byId("heap-size"));
    assertTrue(String.valueOf(failure.remedy()).contains("heap-unequal"), failure.remedy());
    assertTrue(
        String.valueOf(assertThrows(ExpectedFailure.class, () -> Catalogue.byId("swapp")).remedy())
            .contains("swap"));
    assertEquals(
        "Did you mean refresh-interval?",
        assertThrows(ExpectedFailure.class, () -> Catalogue.byId("refesh-intervall")).remedy());
    assertEquals(
        "'millrace doctor --list' names them all.",
        assertThrows(ExpectedFailure.class, () -> Catalogue.byId("xyzzy")).remedy());
    assertEquals("refresh-interval", Catalogue.byId("Refresh_Interval").about().id());
    assertTrue(CataloguePage.explain(Catalogue.byId("swap")).contains("bootstrap.memory_lock"));
  }

  /** docs/doctor.md holds what the checks say; -Dmillrace.docs.rewrite=true puts it there. */
  @Test
  void thePageIsInStep() throws IOException {
    Path page = Path.of("..", "docs", "doctor.md");
    String text = Files.readString(page);
    int begin = text.indexOf(CataloguePage.BEGIN) + CataloguePage.BEGIN.length();
    int end = text.indexOf(CataloguePage.END);
    assertTrue(begin > 0 && end >= begin, "the page lost its marks");
    String expected =
        text.substring(0, begin)
            + "\n"
            + CataloguePage.write(all).strip()
            + "\n"
            + text.substring(end);
    if (Boolean.getBoolean("millrace.docs.rewrite")) {
      Files.writeString(page, expected);
    }
    assertEquals(expected, Files.readString(page), "run with -Dmillrace.docs.rewrite=true");
  }
}
