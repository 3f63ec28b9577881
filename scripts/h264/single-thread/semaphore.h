// See pthread.h.
#pragma once
typedef int sem_t;
#define SEM_FAILED ((sem_t *)0)
#define sem_init(a, b, c) 0
#define sem_destroy(a) 0
#define sem_open(...) SEM_FAILED
#define sem_close(a) 0
#define sem_unlink(a) 0
#define sem_post(a) 0
#define sem_wait(a) 0
#define sem_trywait(a) 0
#define sem_timedwait(a, b) ((void)(b), 0)
