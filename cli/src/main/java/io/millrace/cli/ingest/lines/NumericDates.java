package io.millrace.cli.ingest.lines;

import java.time.LocalDateTime;
import java.time.Year;
import java.time.ZoneId;

/**
 * Dates that begin with one or two digits, and dates that leave something open: which number is the
 * day, and which year it is.
 */
abstract class NumericDates extends ClockGrammar {
  NumericDates(ZoneId zone) {
    super(zone);
  }

  /** A date that begins with one or two digits: which of the three it is, the rest decides. */
  boolean numbers() {
    int from = at;
    int count = digits(at);
    int first = Integer.parseInt(s, at, at + count, 10);
    at += count;
    char separator = charAt(at);
    if (Character.isLetter(separator)) {
      return run(from, count, first);
    }
    if ("/-. ".indexOf(separator) < 0) {
      return false;
    }
    at++;
    if ((separator == ' ' || separator == '.') && charAt(at) == ' ') {
      at++; // "6. Mai 2024"
    }
    if (Character.isLetter(charAt(at))) {
      marks.add('d', from, count);
      day = first;
      return monthWord() && yearBehind(separator);
    }
    int secondAt = at;
    int secondCount = digits(at);
    if (separator == ' ' || secondCount < 1 || secondCount > 2) {
      return false;
    }
    int other = Integer.parseInt(s, at, at + secondCount, 10);
    at += secondCount;
    boolean third = charAt(at) == separator && digits(at + 1) > 0 && digits(at + 1) != 3;
    int thirdCount = third ? digits(at + 1) : 0;
    // "05/06-10:11" has no year, and neither has "30.10. 16:49"
    if (third && thirdCount <= 2 && charAt(at + 1 + thirdCount) == ':' && separator == '-') {
      third = false;
    }
    if (!third || thirdCount > 4) {
      orderOpen = first <= 12 && other <= 12;
      boolean dayFirst = dayFirst(first, other, separator, charAt(at) == '.');
      orderRead = dayFirst ? DateOrder.DAY_MONTH_YEAR : DateOrder.MONTH_DAY_YEAR;
      pair(from, count, first, secondAt, secondCount, other, dayFirst);
      if (separator == '.') {
        skip('.');
      }
      dateGuessed = true;
      return month >= 1 && month <= 12 && day >= 1 && day <= 31 && guessYear();
    }
    at++;
    int thirdAt = at;
    int last = Integer.parseInt(s, at, at + thirdCount, 10);
    at += thirdCount;
    DateOrder chosen = choose(first, count, other, last, thirdCount, separator);
    orderRead = chosen;
    if (chosen == DateOrder.YEAR_MONTH_DAY) {
      marks.add('Y', from, count);
      marks.add('m', secondAt, secondCount);
      marks.add('d', thirdAt, thirdCount);
      year = century(first);
      month = other;
      day = last;
    } else {
      pair(from, count, first, secondAt, secondCount, other, chosen == DateOrder.DAY_MONTH_YEAR);
      marks.add('Y', thirdAt, thirdCount);
      year = thirdCount == 4 ? last : century(last);
    }
    return valid() && thirdCount != 1 | chosen == DateOrder.YEAR_MONTH_DAY;
  }

  /** {@code 06May2024}. */
  private boolean run(int from, int count, int first) {
    marks.add('d', from, count);
    day = first;
    if (!monthWord() || digits(at) != 4) {
      return false;
    }
    year = take(4, 'Y');
    return valid();
  }

  private void pair(
      int from, int count, int first, int otherFrom, int otherCount, int other, boolean dayFirst) {
    marks.add(dayFirst ? 'd' : 'm', from, count);
    marks.add(dayFirst ? 'm' : 'd', otherFrom, otherCount);
    day = dayFirst ? first : other;
    month = dayFirst ? other : first;
  }

  private boolean dayFirst(int first, int other, char separator, boolean dotBehind) {
    if (first > 12 || other > 12) {
      return first > 12;
    }
    return order == DateOrder.CUSTOM
        ? separator == '.' && dotBehind
        : order == DateOrder.DAY_MONTH_YEAR;
  }

  private DateOrder choose(
      int first, int firstCount, int other, int last, int lastCount, char separator) {
    boolean yearCan = lastCount <= 2 && firstCount == 2 && other <= 12 && last <= 31 && last > 0;
    boolean dayCan = lastCount != 1 && first <= 31 && other <= 12 && first > 0;
    boolean monthCan = lastCount != 1 && first <= 12 && other <= 31 && first > 0;
    orderOpen = (yearCan ? 1 : 0) + (dayCan ? 1 : 0) + (monthCan ? 1 : 0) > 1;
    if (orderOpen && dayCan && monthCan && first == other && !yearCan) {
      orderOpen = false;
    }
    if (order == DateOrder.YEAR_MONTH_DAY && yearCan
        || order == DateOrder.DAY_MONTH_YEAR && dayCan
        || order == DateOrder.MONTH_DAY_YEAR && monthCan) {
      return order;
    }
    if (yearCan && separator != '.' && (!dayCan && !monthCan || isNearer(first, last))) {
      return DateOrder.YEAR_MONTH_DAY;
    }
    if (dayCan && (!monthCan || separator != '/')) {
      return DateOrder.DAY_MONTH_YEAR;
    }
    return monthCan || !yearCan ? DateOrder.MONTH_DAY_YEAR : DateOrder.YEAR_MONTH_DAY;
  }

  /** Of two years of two digits, which is the one that logs are from: the later, if not to come. */
  private boolean isNearer(int first, int last) {
    int now = local(reference).getYear();
    int one = now - century(first);
    int other = now - century(last);
    return other < 0 || one >= 0 && one <= other;
  }

  /** After day and month: a year of four or two digits, or a clock. */
  boolean yearBehind(char separator) {
    int mark = at;
    skip('.');
    if (skip(separator) || skip(' ') || skip(',')) {
      skip(' ');
      int count = digits(at);
      if ((count == 4 || count == 2) && charAt(at + count) != (separator == '.' ? '.' : ':')
          || count == 4) {
        year = take(count, 'Y');
        year = count == 2 ? century(year) : year;
        return valid();
      }
    }
    at = mark;
    return guessYear();
  }

  boolean guessYear() {
    if (month < 1 || month > 12 || day < 1 || day > 31) {
      return false;
    }
    dateGuessed = true;
    LocalDateTime now = local(reference).plusDays(1);
    boolean later =
        month > now.getMonthValue() || (month == now.getMonthValue() && day > now.getDayOfMonth());
    year = later ? now.getYear() - 1 : now.getYear();
    if (month == 2 && day == 29) {
      while (!Year.isLeap(year)) {
        year--;
      }
    }
    return true;
  }

  boolean monthWord() {
    int end = TimeWords.wordEnd(s, at);
    month = TimeWords.month(s, at, end);
    if (month == 0 && numberBehind(end)) {
      month = OtherLanguages.month(s, at, end);
    }
    at = end;
    return month > 0;
  }

  /** Whether a number stands behind the word that ends here. */
  boolean numberBehind(int end) {
    int i = end;
    while (i < s.length() && i - end < 3 && ".,-/ ".indexOf(s.charAt(i)) >= 0) {
      i++;
    }
    return i > end && digit(charAt(i));
  }

  boolean valid() {
    return month >= 1 && month <= 12 && day >= 1 && day <= 31 && year >= 1970 && year < 2100;
  }
}
