/**
 * What an index is for, and what the features of a node set for it: the composition of the product,
 * which belongs to no domain. To read in this order: {@link io.millrace.kernel.profile.Profile},
 * {@link io.millrace.kernel.profile.ProfileEntry}, {@link io.millrace.kernel.profile.LeftOut},
 * {@link io.millrace.kernel.profile.Profiles}.
 */
@NullMarked
package io.millrace.kernel.profile;

import org.jspecify.annotations.NullMarked;
