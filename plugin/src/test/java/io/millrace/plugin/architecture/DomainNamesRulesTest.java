package io.millrace.plugin.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.Feature;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Knob;
import io.millrace.plugin.Features;
import io.millrace.plugin.sources.JavaSource;
import io.millrace.plugin.sources.JavaSource.Piece;
import io.millrace.plugin.sources.Repository;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * No code of a node names a feature of another domain by a string: neither its id nor a setting nor
 * a metric. Such a name is an import that the compiler does not see, so that a rename breaks it in
 * silence. What may be named is read off the features themselves.
 */
class DomainNamesRulesTest {
  /** Code that belongs to no domain may name none. */
  private static final Set<String> NOBODYS = Set.of("kernel", "plugin");

  private record Name(String domain, String text, boolean whole) {
    boolean isIn(String literal) {
      return whole ? literal.equals(text) : literal.startsWith(text);
    }
  }

  private static List<Name> names() {
    List<Name> names = new ArrayList<>();
    for (Feature feature : Features.all()) {
      String domain = feature.id().substring(0, feature.id().indexOf('.'));
      names.add(new Name(domain, feature.id(), false));
      names.add(new Name(domain, feature.prefix(), false));
      names.add(new Name(domain, feature.prefix().replace('.', '_'), false)); // as exporters write
      names.add(new Name(domain, feature.enabled().setting().getKey(), false));
      for (Knob<?> knob : feature.knobs()) {
        names.add(new Name(domain, knob.setting().getKey(), false));
      }
      for (Metric metric : feature.metrics()) {
        if (metric.name().contains("_")) { // one word alone, such as "bytes", names nobody
          names.add(new Name(domain, metric.name(), true));
        }
      }
    }
    return names;
  }

  /** The other domains that a literal names; none where a name is one's own, too. */
  private static Set<String> named(List<Name> names, String module, String literal) {
    Set<String> domains = new TreeSet<>();
    names.stream().filter(name -> name.isIn(literal)).map(Name::domain).forEach(domains::add);
    return domains.contains(module) ? Set.of() : domains;
  }

  @Test
  void noDomainNamesAnother() {
    List<Name> names = names();
    List<String> found = new ArrayList<>();
    int read = 0;
    for (JavaSource source : Repository.javaSources()) {
      String module = source.module();
      if (!source.product() || !(NOBODYS.contains(module) || Directions.DOMAINS.contains(module))) {
        continue;
      }
      for (Piece literal : source.literals()) {
        read++;
        Set<String> domains = named(names, module, literal.text());
        if (!domains.isEmpty()) {
          found.add(source.path() + ":" + literal.line() + " " + literal.text() + " of " + domains);
        }
      }
    }
    assertTrue(read > 1000, "only " + read + " literals were read");
    assertEquals(List.of(), found, "strings by which one domain names another");
  }
}
