// OpenH264 includes this whatever the number of threads. It is run with one: nothing to wait for.
#pragma once
typedef int fg_nothing;
#define pthread_t fg_nothing
#define pthread_attr_t fg_nothing
#define pthread_mutex_t fg_nothing
#define pthread_mutexattr_t fg_nothing
#define pthread_cond_t fg_nothing
#define PTHREAD_SCOPE_SYSTEM 0
#define SCHED_FIFO 0
#define pthread_attr_init(a) ((void)(a), 0)
#define pthread_attr_destroy(a) ((void)(a), 0)
#define pthread_attr_setscope(a, b) 0
#define pthread_attr_setschedpolicy(a, b) 0
#define pthread_create(a, b, c, d) ((void)(c), (void)(d), 1)
#define pthread_join(a, b) 0
#define pthread_self() 0
#define pthread_mutex_init(a, b) 0
#define pthread_mutex_destroy(a) 0
#define pthread_mutex_lock(a) 0
#define pthread_mutex_unlock(a) 0
#define pthread_cond_init(a, b) 0
#define pthread_cond_destroy(a) 0
#define pthread_cond_signal(a) 0
#define pthread_cond_broadcast(a) 0
#define pthread_cond_wait(a, b) 0
#define pthread_cond_timedwait(a, b, c) ((void)(c), 0)
