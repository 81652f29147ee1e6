package io.millrace.agent;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/** The JVM's own, in which every transformer is a {@link SparingTransformer}. */
final class SparingInstrumentation implements Instrumentation {
  private final Instrumentation jvm;
  private final Map<ClassFileTransformer, ClassFileTransformer> wrapped = new ConcurrentHashMap<>();

  SparingInstrumentation(Instrumentation jvm) {
    this.jvm = jvm;
  }

  private ClassFileTransformer wrap(ClassFileTransformer transformer) {
    ClassFileTransformer sparing = new SparingTransformer(transformer);
    wrapped.put(transformer, sparing);
    return sparing;
  }

  @Override
  public void addTransformer(ClassFileTransformer transformer, boolean canRetransform) {
    jvm.addTransformer(wrap(transformer), canRetransform);
  }

  @Override
  public void addTransformer(ClassFileTransformer transformer) {
    jvm.addTransformer(wrap(transformer));
  }

  @Override
  public boolean removeTransformer(ClassFileTransformer transformer) {
    @Nullable ClassFileTransformer sparing = wrapped.remove(transformer);
    return sparing != null && jvm.removeTransformer(sparing);
  }

  @Override
  public boolean isRetransformClassesSupported() {
    return jvm.isRetransformClassesSupported();
  }

  @Override
  public void retransformClasses(Class<?>... classes) throws UnmodifiableClassException {
    jvm.retransformClasses(classes);
  }

  @Override
  public boolean isRedefineClassesSupported() {
    return jvm.isRedefineClassesSupported();
  }

  @Override
  public void redefineClasses(ClassDefinition... definitions)
      throws ClassNotFoundException, UnmodifiableClassException {
    jvm.redefineClasses(definitions);
  }

  @Override
  public boolean isModifiableClass(Class<?> type) {
    return jvm.isModifiableClass(type);
  }

  @Override
  public Class<?>[] getAllLoadedClasses() {
    return jvm.getAllLoadedClasses();
  }

  @Override
  public Class<?>[] getInitiatedClasses(@Nullable ClassLoader loader) {
    return jvm.getInitiatedClasses(loader);
  }

  @Override
  public long getObjectSize(Object object) {
    return jvm.getObjectSize(object);
  }

  @Override
  public void appendToBootstrapClassLoaderSearch(JarFile jar) {
    jvm.appendToBootstrapClassLoaderSearch(jar);
  }

  @Override
  public void appendToSystemClassLoaderSearch(JarFile jar) {
    jvm.appendToSystemClassLoaderSearch(jar);
  }

  @Override
  public boolean isNativeMethodPrefixSupported() {
    return jvm.isNativeMethodPrefixSupported();
  }

  @Override
  public void setNativeMethodPrefix(ClassFileTransformer transformer, String prefix) {
    jvm.setNativeMethodPrefix(wrapped.getOrDefault(transformer, transformer), prefix);
  }

  @Override
  public void redefineModule(
      Module module,
      Set<Module> extraReads,
      Map<String, Set<Module>> extraExports,
      Map<String, Set<Module>> extraOpens,
      Set<Class<?>> extraUses,
      Map<Class<?>, List<Class<?>>> extraProvides) {
    jvm.redefineModule(module, extraReads, extraExports, extraOpens, extraUses, extraProvides);
  }

  @Override
  public boolean isModifiableModule(Module module) {
    return jvm.isModifiableModule(module);
  }
}
