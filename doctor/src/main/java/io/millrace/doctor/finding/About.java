package io.millrace.doctor.finding;

/**
 * What is known of a check before it runs; its entry in the catalogue and in {@code --explain}.
 *
 * @param id in lower case with hyphens; never changes
 * @param area where it stands in the catalogue
 * @param title what is wrong when it fires, in a few words
 * @param fires the condition, with its thresholds
 * @param why what it costs
 * @param source who says so: a page, a paper, a member of the server's code
 * @param effect what the cure brings
 */
public record About(
    String id, Area area, String title, String fires, String why, String source, String effect) {}
