/*
 * Stands before the C library of one node (LD_PRELOAD): its disk is slow and its clock is wrong, as
 * a file says that the test and the node map.
 *
 * The disk: each sync and each write of a regular file waits first. The clock: what the time of day
 * is moves by an offset; the monotonic clock, by which threads wait, does not, as on a machine whose
 * clock is set.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The same order as in Breakage.java. */
struct dials {
  _Atomic int64_t clock_nanos;
  _Atomic int64_t sync_nanos;
  _Atomic int64_t write_nanos;
  _Atomic int64_t late; /* counts calls that waited */
};

static struct dials none;
static struct dials *dials = &none;

#define SECOND 1000000000LL
/* The next definition of a symbol, looked up when it is used first. */
#define NEXT(name) \
  static __typeof__(name) *next; \
  if (next == NULL) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void open_dials(void) {
  const char *path = getenv("MILLRACE_BREAKAGE");
  if (path == NULL) return;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *mapped = mmap(NULL, sizeof(struct dials), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped != MAP_FAILED) dials = mapped;
}

static void linger(int fd, int64_t nanos) {
  struct stat file;
  if (nanos <= 0 || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return;
  atomic_fetch_add(&dials->late, 1);
  struct timespec pause = {nanos / SECOND, nanos % SECOND};
  nanosleep(&pause, NULL);
}

int fsync(int fd) {
  NEXT(fsync);
  linger(fd, dials->sync_nanos);
  return next(fd);
}

int fdatasync(int fd) {
  NEXT(fdatasync);
  linger(fd, dials->sync_nanos);
  return next(fd);
}

ssize_t write(int fd, const void *from, size_t bytes) {
  NEXT(write);
  linger(fd, dials->write_nanos);
  return next(fd, from, bytes);
}

ssize_t writev(int fd, const struct iovec *from, int parts) {
  NEXT(writev);
  linger(fd, dials->write_nanos);
  return next(fd, from, parts);
}

ssize_t pwrite(int fd, const void *from, size_t bytes, off_t at) {
  NEXT(pwrite);
  linger(fd, dials->write_nanos);
  return next(fd, from, bytes, at);
}

ssize_t pwrite64(int fd, const void *from, size_t bytes, off64_t at) {
  NEXT(pwrite64);
  linger(fd, dials->write_nanos);
  return next(fd, from, bytes, at);
}

static int64_t shifted(int64_t seconds, int64_t nanos) {
  return seconds * SECOND + nanos + dials->clock_nanos;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  NEXT(clock_gettime);
  int result = next(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t nanos = shifted(now->tv_sec, now->tv_nsec);
    now->tv_sec = nanos / SECOND;
    now->tv_nsec = nanos % SECOND;
  }
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  NEXT(gettimeofday);
  int result = next(now, zone);
  if (result == 0 && now != NULL) {
    int64_t nanos = shifted(now->tv_sec, now->tv_usec * 1000LL);
    now->tv_sec = nanos / SECOND;
    now->tv_usec = nanos % SECOND / 1000;
  }
  return result;
}

time_t time(time_t *to) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (to != NULL) *to = now.tv_sec;
  return now.tv_sec;
}
