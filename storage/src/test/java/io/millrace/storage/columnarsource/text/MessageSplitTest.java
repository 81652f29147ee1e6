package io.millrace.storage.columnarsource.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The split is that of its rule, written down here with regular expressions, and loses nothing. */
class MessageSplitTest {
  private static final Pattern WORD =
      Pattern.compile(
          "(?<uuid>(?<![0-9A-Za-z])[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
              + "(?![0-9A-Za-z]))|[0-9A-Za-z]+");

  private final MessageSplit split = new MessageSplit();

  /** What a message gives by the rule; null if it is refused. */
  private record Parts(String template, List<String> variables) {
    static Parts of(String text, boolean words) {
      if (text.length() > 8 * MessageSplit.MAX_TEMPLATE || text.indexOf(MessageSplit.HOLE) >= 0) {
        return null;
      }
      StringBuilder template = new StringBuilder();
      List<String> variables = new ArrayList<>();
      Matcher word = WORD.matcher(text);
      int taken = 0;
      while (word.find()) {
        template.append(text, taken, word.start());
        taken = word.end();
        String found = word.group();
        if (word.group("uuid") != null) {
          template.append((char) MessageSplit.HOLE);
          variables.add(found);
        } else {
          add(found, words, template, variables);
        }
        if (variables.size() > MessageSplit.MAX_VARIABLES
            || template.length() > MessageSplit.MAX_TEMPLATE) {
          return null;
        }
      }
      template.append(text, taken, text.length());
      return new Parts(template.toString(), variables);
    }

    private static void add(
        String word, boolean words, StringBuilder template, List<String> variables) {
      boolean digits = word.matches(".*[0-9].*");
      if (!digits && !words) {
        template.append(word);
        return;
      }
      boolean hexadecimal = word.matches("[0-9a-fA-F]+");
      String[] runs = word.split("(?<=[0-9])(?=[^0-9])|(?<=[^0-9])(?=[0-9])");
      long numbers = Arrays.stream(runs).filter(run -> Character.isDigit(run.charAt(0))).count();
      boolean time = numbers == 2 && word.matches(".*[0-9]T[0-9].*");
      if (!digits
          || word.matches("[0-9]+")
          || hexadecimal && (words || word.length() >= 6)
          || numbers > 1 && !time
          || variables.size() + 2 * numbers + 1 > MessageSplit.MAX_VARIABLES) {
        template.append((char) MessageSplit.HOLE);
        variables.add(word);
        return;
      }
      for (String run : runs) {
        if (words || Character.isDigit(run.charAt(0))) {
          template.append((char) MessageSplit.HOLE);
          variables.add(run);
        } else {
          template.append(run);
        }
      }
    }
  }

  private void check(byte[] message, int before, int behind) {
    byte[] text = new byte[before + message.length + behind];
    Arrays.fill(text, (byte) '7');
    System.arraycopy(message, 0, text, before, message.length);
    int end = before + message.length;
    for (boolean words : new boolean[] {false, true}) {
      // of one character for each byte: what is beyond ASCII is no word in either
      Parts parts = Parts.of(new String(message, StandardCharsets.ISO_8859_1), words);
      boolean taken = split.split(text, before, end, words);
      assertEquals(parts != null, taken, () -> new String(message, StandardCharsets.UTF_8));
      if (parts == null) {
        continue;
      }
      List<String> variables = new ArrayList<>();
      for (int v = 0; v < split.variables; v++) {
        int start = split.starts[v];
        variables.add(new String(text, start, split.ends[v] - start, StandardCharsets.ISO_8859_1));
      }
      assertEquals(parts.variables, variables);
      assertEquals(
          parts.template,
          new String(split.template.bytes, 0, split.template.length, StandardCharsets.ISO_8859_1));
      assertArrayEquals(message, filled(text));
    }
  }

  private byte[] filled(byte[] text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int v = 0;
    for (int i = 0; i < split.template.length; i++) {
      byte b = split.template.bytes[i];
      if (b == MessageSplit.HOLE) {
        out.write(text, split.starts[v], split.ends[v] - split.starts[v]);
        v++;
      } else {
        out.write(b);
      }
    }
    assertEquals(split.variables, v);
    return out.toByteArray();
  }

  private void check(String message) {
    check(message.getBytes(StandardCharsets.UTF_8), 0, 0);
    check(message.getBytes(StandardCharsets.UTF_8), 3, 40);
  }

  @Test
  void words() {
    byte[] text =
        "node17 took 12ms at 2026-11-21T05:09Z of 4f9ac2 be".getBytes(StandardCharsets.UTF_8);
    assertTrue(split.split(text, 0, text.length, false));
    assertEquals(
        "node\1 took \1ms at \1-\1-\1T\1:\1Z of \1 be",
        new String(split.template.bytes, 0, split.template.length, StandardCharsets.UTF_8));
    assertEquals(8, split.variables);
    assertFalse(split.split(new byte[] {'a', 1}, 0, 2, false));
  }

  @Test
  void namedCases() {
    String uuid = "54fadb41-2c4e-40cd-baed-9335e4c35a9e";
    for (String message :
        List.of(
            "",
            "a",
            "1",
            " ",
            "\\u001b[0m \\n \\\"",
            uuid,
            "x" + uuid,
            uuid + "x",
            uuid + "-",
            uuid.substring(1),
            uuid.substring(0, 35),
            uuid.toUpperCase(Locale.ROOT) + " " + uuid + "," + uuid.replace('4', 'g'),
            uuid.replaceFirst("-", "_"),
            "21T05 2T3T4 T5 5T 12t34 1a2b 1x2x3 cafe01 cafebabe Cafe 0x1F",
            "\u00e9t\u00e91 \u7528\u62377 \ud83d\ude0042 \u0661",
            "end of an array 1234567")) {
      check(message);
    }
  }

  @Test
  void limits() {
    check("a ".repeat(MessageSplit.MAX_TEMPLATE / 2));
    check("a ".repeat(MessageSplit.MAX_TEMPLATE / 2) + "b");
    check("a ".repeat(MessageSplit.MAX_TEMPLATE / 2) + "1 2");
    check("a" + " ".repeat(3 * MessageSplit.MAX_TEMPLATE));
    check(" ".repeat(3 * MessageSplit.MAX_TEMPLATE) + "a");
    check("1".repeat(8 * MessageSplit.MAX_TEMPLATE));
    check("1".repeat(8 * MessageSplit.MAX_TEMPLATE + 1));
    for (int variables = MessageSplit.MAX_VARIABLES - 5; variables < 135; variables++) {
      check("1 ".repeat(variables));
      check("1 ".repeat(variables) + "node17x tail");
      check("1 ".repeat(variables) + "21T05");
    }
  }

  @Test
  void randomTexts() {
    Random random = new Random(9);
    String[] pieces = {
      "a",
      "F",
      "g",
      "Z",
      "0",
      "9",
      "12345678",
      "abcdef",
      "T",
      "-",
      ":",
      " ",
      "=",
      "\\n",
      "\u00e9",
      "\ud83d\ude00",
      "54fadb41-2c4e-40cd-baed-9335e4c35a9e",
      "-4e2c-",
      "status",
      "\u0000"
    };
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(40); n > 0; n--) {
        text.append(pieces[random.nextInt(pieces.length)]);
      }
      check(
          text.toString().getBytes(StandardCharsets.UTF_8), random.nextInt(9), random.nextInt(50));
    }
  }

  @Test
  void bytesOfNoEncoding() {
    Random random = new Random(10);
    for (int round = 0; round < 5_000; round++) {
      byte[] text = new byte[random.nextInt(200)];
      random.nextBytes(text);
      if (round % 2 == 0) {
        for (int i = 0; i < text.length; i++) {
          text[i] |= text[i] == MessageSplit.HOLE ? 2 : 0;
        }
      }
      check(text, random.nextInt(9), random.nextInt(50));
    }
  }
}
