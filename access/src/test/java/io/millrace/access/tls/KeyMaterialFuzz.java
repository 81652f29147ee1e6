package io.millrace.access.tls;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Broken certificates and keys: an error that names the file, whatever is in it. {@code
 * -Dmillrace.fuzz.certificates=1000000} for a long run, {@code -Dmillrace.fuzz.seed=N} for another
 * sequence.
 */
class KeyMaterialFuzz {
  private static final int ROUNDS = Integer.getInteger("millrace.fuzz.certificates", 1_000);
  private static final long SEED = Long.getLong("millrace.fuzz.seed", 20261122L);

  @TempDir private Path dir;
  private final Random random = new Random(SEED);

  @Test
  void brokenFiles() throws IOException {
    KeyMaterial.Paths good =
        new TestCertificates(dir.resolve("good")).node("n1", "10.0.0.1").transport("n1");
    Path file = dir.resolve("broken.pem");
    List<Path> all = good.all();
    for (int i = 0; i < ROUNDS; i++) {
      int which = random.nextInt(all.size());
      byte[] broken = broken(Files.readAllBytes(all.get(which)));
      Files.write(file, broken);
      KeyMaterial.Paths paths =
          new KeyMaterial.Paths(
              which == 0 ? file : all.get(0),
              which == 1 ? file : all.get(1),
              which == 2 ? file : all.get(2));
      try {
        KeyMaterial.read(paths); // what was broken may not matter, such as a line break
      } catch (IOException e) {
        assertNotNull(e.getMessage());
        if (!e.getMessage().contains(file.toString())) {
          fail("seed " + SEED + ", round " + i + ": no file in [" + e.getMessage() + "]");
        }
      } catch (RuntimeException e) {
        fail("seed " + SEED + ", round " + i, e);
      }
    }
  }

  private byte[] broken(byte[] bytes) {
    byte[] broken = bytes.clone();
    switch (random.nextInt(4)) {
      case 0 -> {
        for (int times = 1 + random.nextInt(4); times > 0; times--) {
          broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
        }
      }
      case 1 -> broken = Arrays.copyOf(broken, random.nextInt(broken.length));
      case 2 -> {
        int from = random.nextInt(broken.length);
        int to = from + random.nextInt(broken.length - from);
        byte[] less = new byte[broken.length - (to - from)];
        System.arraycopy(broken, 0, less, 0, from);
        System.arraycopy(broken, to, less, from, broken.length - to);
        broken = less;
      }
      default -> {
        byte[] noise = new byte[random.nextInt(200)];
        random.nextBytes(noise);
        byte[] more = Arrays.copyOf(broken, broken.length + noise.length);
        System.arraycopy(noise, 0, more, broken.length, noise.length);
        broken = more;
      }
    }
    return broken;
  }
}
