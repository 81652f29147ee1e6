package io.millrace.cli.expert;

/** A URL without the password that may stand in it. */
final class NodeAddress {
  private NodeAddress() {}

  static String shown(String url) {
    String bare = url.replaceFirst("^(https?://)[^/@]+@", "$1").replaceFirst("/+$", "");
    return bare.contains("://") ? bare : "http://" + bare;
  }
}
