package io.millrace.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.IllegalClassFormatException;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** Another transformer, asked only about classes that {@link Ancestry} does not rule out. */
final class SparingTransformer implements ClassFileTransformer {
  private final ClassFileTransformer asked;
  private final Ancestry ancestry = new Ancestry();

  SparingTransformer(ClassFileTransformer asked) {
    this.asked = asked;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes)
      throws IllegalClassFormatException {
    if (redefined == null && name != null && ancestry.rulesOut(loader, name, bytes)) {
      return null;
    }
    return asked.transform(module, loader, name, redefined, domain, bytes);
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes)
      throws IllegalClassFormatException {
    return asked.transform(loader, name, redefined, domain, bytes);
  }
}
