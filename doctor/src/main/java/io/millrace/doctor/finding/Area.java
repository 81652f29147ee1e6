package io.millrace.doctor.finding;

/** What a check looks at; the sections of the catalogue. */
public enum Area {
  JVM("JVM and machine"),
  WRITE("Writing"),
  LAYOUT("Indices and shards"),
  MAPPING("Mappings"),
  DISK("Disks"),
  SEARCH("Searching"),
  CLUSTER("Cluster and versions"),
  GC_LOG("GC logs that are given"),
  PIPELINE("Logs and pipelines that are given");

  private final String title;

  Area(String title) {
    this.title = title;
  }

  /** Its heading. */
  public String title() {
    return title;
  }
}
