/*
 * Stands between a process and the system (LD_PRELOAD): its wall clock is ahead by an offset, and what syncs files to disk
 * takes a while longer. Both are read from a file, 8 octets each in nanoseconds, that tests write to while the process runs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

struct control {
    volatile int64_t clock_offset;
    volatile int64_t sync_delay;
};

static const struct control none;
static const struct control *control = &none;
static int (*real_clock_gettime)(clockid_t, struct timespec *);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);

__attribute__((constructor)) static void begin(void) {
    real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    const char *file = getenv("INTERPOSED_CONTROL");
    int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        void *mapped = mmap(NULL, sizeof(struct control), PROT_READ, MAP_SHARED, fd, 0);
        close(fd);
        if (mapped != MAP_FAILED) {
            control = mapped;
        }
    }
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    int result = real_clock_gettime ? real_clock_gettime(clock, out) : (int) syscall(SYS_clock_gettime, clock, out);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        int64_t ns = out->tv_sec * SECOND + out->tv_nsec + control->clock_offset;
        out->tv_sec = ns / SECOND;
        out->tv_nsec = ns % SECOND;
    }
    return result;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    struct timespec now;
    (void) zone;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    if (result == 0 && out) {
        out->tv_sec = now.tv_sec;
        out->tv_usec = now.tv_nsec / 1000;
    }
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) {
        *out = now.tv_sec;
    }
    return now.tv_sec;
}

static void delay(void) {
    int64_t ns = control->sync_delay;
    if (ns > 0) {
        struct timespec wait = {ns / SECOND, ns % SECOND};
        nanosleep(&wait, NULL);
    }
}

int fsync(int fd) {
    delay();
    return real_fsync ? real_fsync(fd) : (int) syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
    delay();
    return real_fdatasync ? real_fdatasync(fd) : (int) syscall(SYS_fdatasync, fd);
}
