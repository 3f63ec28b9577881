// See pthread.h: one processor, whatever the machine has.
#pragma once
#define sysctlbyname(...) (-1)
