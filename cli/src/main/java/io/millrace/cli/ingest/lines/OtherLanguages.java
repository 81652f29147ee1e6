package io.millrace.cli.ingest.lines;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Months and days of the week as programs write them in the languages of their users: German,
 * French, Spanish, Italian, Portuguese, Dutch and those of Scandinavia. A word is looked up only
 * where a number follows, and only when it is not English.
 */
final class OtherLanguages {
  private static final String[] MONTHS = {
    "jän jänner januar janvier janv enero ene gennaio gen janeiro januari",
    "februar février févr fév fevr fev febrero febbraio fevereiro februari",
    "märz mär mrz mars marzo março maart mrt marts",
    "avril avr abril abr aprile",
    "mai mayo maggio mag maio mei maj",
    "juni juin junio giugno giu junho",
    "juli juillet juil julio luglio lug julho",
    "août aout aoû agosto ago augustus augusti",
    "septembre septiembre setiembre settembre set setembro",
    "oktober okt octobre octubre ottobre ott outubro out",
    "novembre noviembre novembro",
    "dezember dez décembre déc decembre diciembre dic dicembre dezembro desember des"
  };
  private static final Set<String> DAYS =
      Set.of(
          ("mo di mi do fr sa so montag dienstag mittwoch donnerstag freitag samstag sonnabend"
                  + " sonntag lun mer jeu ven sam dim lundi mardi mercredi jeudi vendredi samedi"
                  + " dimanche mié jue vie sáb dom lunes martes miércoles jueves viernes sábado"
                  + " domingo gio sab lunedì martedì mercoledì giovedì venerdì sabato domenica seg"
                  + " ter qua qui sex ma wo vr za zo maandag dinsdag woensdag donderdag vrijdag"
                  + " zaterdag zondag")
              .split(" "));
  private static final Map<String, Integer> NUMBERS = numbers();
  private static final int LONGEST = 10;

  private OtherLanguages() {}

  private static Map<String, Integer> numbers() {
    Map<String, Integer> all = new HashMap<>();
    for (int i = 0; i < MONTHS.length; i++) {
      for (String word : MONTHS[i].split(" ")) {
        all.put(word, i + 1);
      }
    }
    return Map.copyOf(all);
  }

  private static String word(String s, int from, int end) {
    return s.substring(from, end).toLowerCase(Locale.ROOT);
  }

  /** The month that a word names, 1 to 12, or 0. */
  static int month(String s, int from, int end) {
    return end - from < 3 || end - from > LONGEST ? 0 : NUMBERS.getOrDefault(word(s, from, end), 0);
  }

  /** Whether a word is a day of the week. */
  static boolean isDay(String s, int from, int end) {
    return end - from >= 2 && end - from <= LONGEST && DAYS.contains(word(s, from, end));
  }
}
