package io.millrace.plugin.sources;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One Java file, taken apart into code, comments and string literals.
 *
 * @param file where it stands
 * @param text all of it
 * @param code the text with comments and the contents of literals as spaces: what the compiler acts
 *     on; lines and columns stay
 * @param comments each comment with its slashes and stars
 * @param literals each string literal without its quotes, escapes as written
 */
public record JavaSource(
    Path file, String text, String code, List<Piece> comments, List<Piece> literals) {
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern OURS =
      Pattern.compile("\\b(io\\.millrace(?:\\.[a-z]\\w*)*)\\.[A-Z*]");

  /** A comment or a literal, and the line on which it begins, counted from 1. */
  public record Piece(int line, String text) {}

  static JavaSource read(Path file) {
    return of(file, Repository.read(file));
  }

  /** The parts of a file of this text. */
  static JavaSource of(Path file, String text) {
    Scan scan = new Scan(text);
    scan.run();
    return new JavaSource(file, text, scan.code.toString(), scan.comments, scan.literals);
  }

  /** The file's path from the root of the checkout, with slashes. */
  public String path() {
    return Repository.root().relativize(file).toString().replace('\\', '/');
  }

  /** The module's folder: what stands before {@code /src/}. */
  public String module() {
    String path = path();
    int end = path.indexOf("/src/");
    if (end < 0) {
      throw new IllegalStateException(path + " is not below a src folder");
    }
    return path.substring(0, end);
  }

  /** What it is compiled with: {@code main}, {@code test} or another folder below src. */
  public String sourceSet() {
    String[] folders = path().substring(module().length()).split("/");
    return folders[2];
  }

  /** Whether it is part of the product, and neither of its tests nor of its benchmarks. */
  public boolean product() {
    return sourceSet().equals("main");
  }

  /** The package that it declares. */
  public String packageName() {
    Matcher matcher = PACKAGE.matcher(code);
    if (!matcher.find()) {
      throw new IllegalStateException(path() + " declares no package");
    }
    return matcher.group(1);
  }

  /** The name of its outermost type: that of the file. */
  public String typeName() {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - ".java".length());
  }

  /** The simple name of the class that its outermost type extends; empty where it says none. */
  public String superclass() {
    Matcher matcher =
        Pattern.compile("\\bclass " + typeName() + "\\b[^{]*?\\bextends ([\\w.]+)").matcher(code);
    return matcher.find() ? matcher.group(1).replaceAll(".*\\.", "") : "";
  }

  /** The packages of this product that it names, by an import or in the code itself. */
  public Set<String> packagesNamed() {
    Set<String> packages = new TreeSet<>();
    Matcher matcher = OURS.matcher(code);
    while (matcher.find()) {
      packages.add(matcher.group(1));
    }
    return packages;
  }

  /** Walks over the text once; what it is in decides where the next piece ends. */
  private static final class Scan {
    private final String text;
    private final StringBuilder code = new StringBuilder();
    private final List<Piece> comments = new ArrayList<>();
    private final List<Piece> literals = new ArrayList<>();
    private int at;
    private int line = 1;

    private Scan(String text) {
      this.text = text;
    }

    private void run() {
      while (at < text.length()) {
        if (text.startsWith("//", at)) {
          comments.add(skip(lineEnd(), 0));
        } else if (text.startsWith("/*", at)) {
          comments.add(skip(after("*/", at + 2, false), 0));
        } else if (text.startsWith("\"\"\"", at)) {
          literals.add(skip(after("\"\"\"", at + 3, true), 3));
        } else if (text.charAt(at) == '"') {
          literals.add(skip(after("\"", at + 1, true), 1));
        } else if (text.charAt(at) == '\'') {
          skip(after("'", at + 1, true), 1);
        } else {
          take(text.charAt(at));
        }
      }
    }

    private void take(char character) {
      code.append(character);
      if (character == '\n') {
        line++;
      }
      at++;
    }

    private int lineEnd() {
      int end = text.indexOf('\n', at);
      return end < 0 ? text.length() : end;
    }

    /** The place behind the next {@code mark}; a backslash takes the character behind it along. */
    private int after(String mark, int from, boolean escapes) {
      int place = from;
      while (place < text.length()) {
        if (text.startsWith(mark, place)) {
          return place + mark.length();
        }
        place += escapes && text.charAt(place) == '\\' ? 2 : 1;
      }
      return text.length();
    }

    /** Leaves the piece up to {@code end} out of the code, and returns it without its quotes. */
    private Piece skip(int end, int quotes) {
      Piece piece = new Piece(line, text.substring(at + quotes, end - quotes));
      while (at < end) {
        char character = text.charAt(at);
        code.append(character == '\n' ? '\n' : ' ');
        if (character == '\n') {
          line++;
        }
        at++;
      }
      return piece;
    }
  }
}
