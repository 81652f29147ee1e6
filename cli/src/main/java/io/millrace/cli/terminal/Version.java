package io.millrace.cli.terminal;

/** The version of this build, from its jar. */
public final class Version {
  private Version() {}

  /** Such as {@code 3.8.0.1}; of classes outside a jar nothing is known. */
  public static String ofMillrace() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "of a class folder" : version;
  }
}
