package io.millrace.plugin.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.plugin.sources.ClassPath;
import io.millrace.plugin.sources.JavaSource;
import io.millrace.plugin.sources.JavaSource.Piece;
import io.millrace.plugin.sources.Repository;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Comments and pages cite code as {@code Class#member}, and what they cite exists: the class path
 * holds the server, Lucene and this product's node, the sources hold the rest. A citation by line,
 * as {@code File} and a number, is refused: nothing tells when it has moved.
 */
class CitationsTest {
  private static final Pattern BY_LINE =
      Pattern.compile(
          "\\b[A-Z]\\w*[a-z]\\w*(\\.java)?:\\d+|\\.java#L\\d+|\\b[A-Z]\\w+ \\(\\d+, \\d+ at ");
  private static final Pattern BY_NAME =
      Pattern.compile(
          "(?<![\\w./#@-])(?:[a-z]\\w*\\.)*([A-Z]\\w*(?:\\.[A-Z]\\w*)*)#([A-Za-z]\\w*)");

  private static final Pattern TYPE =
      Pattern.compile("\\b(?:class|interface|enum|record) ([A-Z]\\w*)");

  private final ClassPath classPath = new ClassPath();
  private final List<JavaSource> sources = Repository.javaSources();

  /** By the types they declare, nested ones too: modules that are built later have no classes. */
  private final Map<String, List<JavaSource>> ours = new HashMap<>();

  private final List<String> wrong = new ArrayList<>();
  private int read;

  CitationsTest() {
    for (JavaSource source : sources) {
      Matcher type = TYPE.matcher(source.code());
      while (type.find()) {
        ours.computeIfAbsent(type.group(1), name -> new ArrayList<>()).add(source);
      }
    }
  }

  @Test
  void commentsCiteWhatExists() {
    for (JavaSource source : sources) {
      for (Piece comment : source.comments()) {
        check(source.path() + ":" + comment.line(), joined(comment.text()));
      }
    }
    assertTrue(read > 50, "only " + read + " citations were read");
    assertEquals(List.of(), wrong);
  }

  @Test
  void pagesCiteWhatExists() {
    for (Path page : Repository.pages()) {
      check(page.toString(), Repository.read(page));
    }
    assertEquals(List.of(), wrong);
  }

  /** A comment's text as it reads: a name may be broken over two lines. */
  private static String joined(String comment) {
    return comment.replaceAll("\\n\\s*\\*? ?", " ");
  }

  private void check(String where, String text) {
    Matcher line = BY_LINE.matcher(text);
    while (line.find()) {
      wrong.add(where + " cites a line: " + line.group() + "; name the method, as Class#method");
    }
    Matcher name = BY_NAME.matcher(text);
    while (name.find()) {
      read++;
      if (!exists(name.group(1), name.group(2))) {
        wrong.add(where + " cites " + name.group() + ", which is not there");
      }
    }
  }

  private boolean exists(String type, String member) {
    if (type.equals("Class")) {
      return true; // stands for any, where the form itself is spoken of
    }
    return classPath.classes(type).stream()
            .anyMatch(full -> classPath.members(full).contains(member))
        || ours.getOrDefault(type.replaceAll(".*\\.", ""), List.of()).stream()
            .anyMatch(source -> source.code().matches("(?s).*\\b" + member + "\\b.*"));
  }
}
