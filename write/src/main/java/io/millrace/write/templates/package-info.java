/**
 * Index templates that the node keeps in the cluster. To read in this order: {@link
 * io.millrace.write.templates.ShippedTemplate}, {@link io.millrace.write.templates.TemplateKeeper},
 * {@link io.millrace.write.templates.UserTemplatesFirst}.
 */
@NullMarked
package io.millrace.write.templates;

import org.jspecify.annotations.NullMarked;
