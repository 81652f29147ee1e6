package io.millrace.cli.ingest.lines;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Under which names programs write the time, the level, the message and the host, in JSON, logfmt
 * and CSV. The list of a role is in the order of trust: the first that a document has counts.
 */
final class KnownNames {
  /** What a field says about an event. */
  enum Role {
    TIME,
    LEVEL,
    MESSAGE,
    HOST
  }

  /** No name of that role. */
  static final int UNKNOWN = Integer.MAX_VALUE;

  private static final Map<Role, Map<String, Integer>> RANKS =
      Map.of(
          Role.TIME,
          ranks(
              List.of(
                  "@timestamp",
                  "timestamp",
                  "time",
                  "ts",
                  "@t",
                  "t",
                  "__realtime_timestamp",
                  "_source_realtime_timestamp",
                  "datetime",
                  "date_time",
                  "date-time",
                  "date and time",
                  "eventtime",
                  "event_time",
                  "requestreceivedtimestamp",
                  "stagetimestamp",
                  "timecreated",
                  "timegenerated",
                  "utctime",
                  "asctime",
                  "timestamp_ms",
                  "timemillis",
                  "instant",
                  "epochsecond",
                  "start_time",
                  "logtime",
                  "log_time",
                  "event_timestamp",
                  "created_at",
                  "createdat",
                  "syslog_timestamp",
                  "eventtimestamp",
                  "edgestarttimestamp",
                  "_time",
                  "$date",
                  "date",
                  "created",
                  "observedtimestamp",
                  "timeunixnano",
                  "receivedtimestamp",
                  "start",
                  "lasttimestamp",
                  "published",
                  "msec",
                  "epoch",
                  "epoch_ms",
                  "epoch_millis",
                  "unixtime",
                  "unix_time")),
          Role.LEVEL,
          ranks(
              List.of(
                  "level",
                  "log.level",
                  "severity",
                  "lvl",
                  "loglevel",
                  "log_level",
                  "levelname",
                  "level_name",
                  "@l",
                  "severity_text",
                  "severitytext",
                  "severitylevel",
                  "s",
                  "l",
                  "priority",
                  "pri",
                  "sev",
                  "leveldisplayname",
                  "level_text",
                  "log_severity",
                  "error_severity",
                  "severitynumber",
                  "severity_number")),
          Role.MESSAGE,
          ranks(
              List.of(
                  "message",
                  "msg",
                  "log",
                  "short_message",
                  "@m",
                  "@mt",
                  "renderedmessage",
                  "messagetemplate",
                  "body",
                  "text",
                  "description",
                  "logmessage",
                  "syslogmessage",
                  "textpayload",
                  "event",
                  "m")),
          Role.HOST,
          ranks(
              List.of(
                  "host",
                  "hostname",
                  "host.name",
                  "_hostname",
                  "host_name",
                  "source_host",
                  "computer",
                  "computername",
                  "s-computername",
                  "machinename",
                  "machine",
                  "devname",
                  "device_name",
                  "server",
                  "server_name")));

  /** A name that only says that it is some time; far behind all that are known. */
  private static final int SOME_TIME = 10_000;

  private static final String[] TIMES = {"time", "date", "stamp"};

  /** Times that are not when something happened, and lengths of time. */
  private static final String[] OTHER_TIMES = {
    "expir",
    "valid",
    "until",
    "birth",
    "updat",
    "modif",
    "next",
    "last",
    "end",
    "timeout",
    "zone",
    "runtime",
    "uptime",
    "elapsed",
    "duration",
    "due"
  };

  private KnownNames() {}

  private static Map<String, Integer> ranks(List<String> names) {
    Map<String, Integer> ranks = new HashMap<>();
    for (String name : names) {
      ranks.put(name, ranks.size());
    }
    return Map.copyOf(ranks);
  }

  /**
   * How much a name is trusted for the time of a document: as {@link #rank} says, or behind all
   * those when it only sounds like a time, as {@code reqTimeSec} does.
   */
  static int timeRank(String name) {
    int rank = rank(Role.TIME, name);
    if (rank != UNKNOWN || name.length() > 26) {
      return rank;
    }
    String lower = name.toLowerCase(Locale.ROOT);
    return contains(lower, TIMES) && !contains(lower, OTHER_TIMES) ? SOME_TIME : UNKNOWN;
  }

  /** Whether a rank of {@link #timeRank} is that of a name that is not known. */
  static boolean onlySounds(int rank) {
    return rank == SOME_TIME;
  }

  private static boolean contains(String name, String[] parts) {
    for (String part : parts) {
      if (name.contains(part)) {
        return true;
      }
    }
    return false;
  }

  /** How much a name is trusted for a role: 0 is most, {@link #UNKNOWN} not at all. */
  static int rank(Role role, String name) {
    if (name.length() > 26) {
      return UNKNOWN;
    }
    return RANKS.getOrDefault(role, Map.of()).getOrDefault(name.toLowerCase(Locale.ROOT), UNKNOWN);
  }
}
