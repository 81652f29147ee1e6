package io.millrace.it.shippers;

import ch.qos.logback.classic.LoggerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** An application that logs as many lines as its argument says, and ends. */
public class Shop {
  public static void main(String[] arguments) {
    Logger logger = LoggerFactory.getLogger("orders");
    for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
      MDC.put("trace", "t" + i);
      logger.warn("line {}", i);
    }
    ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
  }
}
