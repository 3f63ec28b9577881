/*
 * Preloaded into a mongod (LD_PRELOAD): shifts its wall clock by the milliseconds in the file CLOCK_FILE, which is read
 * about ten times a second. Ends of waits by that clock are shifted back, so that the server waits as long as it meant.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset_ms;
static struct timespec last;
static int (*real_gettime)(clockid_t, struct timespec *);

static void read_offset(void) {
  if (!real_gettime) real_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  struct timespec now;
  real_gettime(CLOCK_MONOTONIC, &now);
  long since_ms = (now.tv_sec - last.tv_sec) * 1000 + (now.tv_nsec - last.tv_nsec) / 1000000;
  if (last.tv_sec && since_ms < 100) return;
  last = now;
  const char *name = getenv("CLOCK_FILE");
  if (!name) return;
  int file = open(name, O_RDONLY);
  if (file < 0) return;
  char text[40] = {0};
  if (read(file, text, 39) > 0) offset_ms = atol(text);
  close(file);
}

static struct timespec shifted(struct timespec time, long ms) {
  long long ns = (long long)time.tv_sec * 1000000000LL + time.tv_nsec + ms * 1000000LL;
  return (struct timespec){.tv_sec = ns / 1000000000LL, .tv_nsec = ns % 1000000000LL};
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  read_offset();
  int failed = real_gettime(clock, time);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    *time = shifted(*time, offset_ms);
  return failed;
}

int gettimeofday(struct timeval *value, void *zone) {
  (void)zone;
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  value->tv_sec = time.tv_sec;
  value->tv_usec = time.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *out) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  if (out) *out = time.tv_sec;
  return time.tv_sec;
}

/* A small time is one since the start of the machine. */
static struct timespec back(const struct timespec *until) {
  read_offset();
  return until->tv_sec < 1000000000L ? *until : shifted(*until, -offset_ms);
}

int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
  static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (!real) real = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  struct timespec time = back(until);
  return real(c, m, &time);
}

int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                           const struct timespec *until) {
  static int (*real)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
  struct timespec time = clock == CLOCK_REALTIME ? back(until) : *until;
  return real(c, m, clock, &time);
}

int sem_timedwait(sem_t *s, const struct timespec *until) {
  static int (*real)(sem_t *, const struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "sem_timedwait");
  struct timespec time = back(until);
  return real(s, &time);
}
