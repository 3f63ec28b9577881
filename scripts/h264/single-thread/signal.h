// See pthread.h: signals are not used.
#pragma once
