package io.millrace.storage.columnarsource.column;

import io.millrace.storage.columnarsource.section.PackedLongs;
import io.millrace.storage.columnarsource.text.Base64Text;
import io.millrace.storage.columnarsource.text.HexText;
import io.millrace.storage.columnarsource.text.TimeText;

/** The first byte of a column in a block's directory. The numbers never change their meaning. */
public final class ColumnKind {
  /** One text for all: length (vint); text. */
  static final int CONSTANT = 0;

  /** Whole numbers: {@link PackedLongs}. */
  static final int NUMBER = 1;

  /** Whole numbers that hardly change: first (zlong), {@link PackedLongs} of the differences. */
  static final int NUMBER_STEPS = 2;

  /** Digits of one width: width (vint), {@link PackedLongs}. */
  static final int PADDED = 3;

  /** Decimals: scale (byte), digits that stay (byte), {@link PackedLongs}. */
  static final int DECIMAL = 4;

  /** {@link TimeText}: layout, {@link PackedLongs}. */
  static final int TIME = 5;

  /** {@link TimeText}: layout, first (zlong), {@link PackedLongs} of the differences. */
  static final int TIME_STEPS = 6;

  /** {@link HexText}: flags (byte), packed length (vint); packed. */
  static final int HEX = 7;

  /** Distinct texts: number (vint), their lengths and the value's number: {@link PackedLongs}. */
  static final int DICTIONARY = 8;

  /** Template and variables, see {@link TemplateEncoder}. */
  static final int TEMPLATE = 9;

  /** Bytes together (vint), lengths as {@link PackedLongs}; text. */
  static final int TEXT = 10;

  /** {@link Base64Text}: as {@link #TEXT}, of the decoded bytes. */
  static final int BASE64 = 11;

  private ColumnKind() {}
}
