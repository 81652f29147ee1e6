package io.millrace.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Lets OpenSearch's search for classes that are there twice ask {@link JarSearch} first, and tell
 * it afterwards. A class that is not as expected stays as it is.
 */
final class JarSearchTransformer implements ClassFileTransformer {
  static final String SEARCH = "org/opensearch/common/bootstrap/JarHell";

  private static final String METHOD = "checkJarHell";
  private static final String DESCRIPTOR = "(Ljava/util/Set;Ljava/util/function/Consumer;)V";
  private static final String ASKED = Type.getInternalName(JarSearch.class);

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] file) {
    return SEARCH.equals(name) && redefined == null ? changed(file) : null;
  }

  static byte[] changed(byte[] file) {
    ClassReader reader = new ClassReader(file);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            MethodVisitor method =
                super.visitMethod(access, name, descriptor, signature, exceptions);
            boolean search =
                name.equals(METHOD)
                    && descriptor.equals(DESCRIPTOR)
                    && (access & Opcodes.ACC_STATIC) != 0;
            return search ? new Asking(method) : method;
          }
        },
        0);
    return writer.toByteArray();
  }

  private static final class Asking extends MethodVisitor {
    Asking(MethodVisitor method) {
      super(Opcodes.ASM9, method);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      Label search = new Label();
      super.visitVarInsn(Opcodes.ALOAD, 0);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, ASKED, "isKnown", "(Ljava/util/Set;)Z", false);
      super.visitJumpInsn(Opcodes.IFEQ, search);
      super.visitInsn(Opcodes.RETURN);
      super.visitLabel(search);
      super.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN) {
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, ASKED, "passed", "(Ljava/util/Set;)V", false);
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitMaxs(int stack, int locals) {
      super.visitMaxs(Math.max(stack, 1), locals);
    }
  }
}
