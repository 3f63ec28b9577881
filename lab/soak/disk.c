// Stands before the disk of one mongod: while FULL_FILE exists, writes find no space; while SLOW_FILE exists, each
// write to the disk takes 300 ms.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static int is_there(const char *name) {
  const char *path = getenv(name);
  return path && access(path, F_OK) == 0;
}

static void wait_if_slow(void) {
  if (is_there("SLOW_FILE")) usleep(300000);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  if (is_there("FULL_FILE")) { errno = ENOSPC; return -1; }
  return NEXT(pwrite64)(fd, bytes, count, offset);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  if (is_there("FULL_FILE")) { errno = ENOSPC; return -1; }
  return NEXT(pwrite)(fd, bytes, count, offset);
}
int fsync(int fd) { wait_if_slow(); return NEXT(fsync)(fd); }
int fdatasync(int fd) { wait_if_slow(); return NEXT(fdatasync)(fd); }
