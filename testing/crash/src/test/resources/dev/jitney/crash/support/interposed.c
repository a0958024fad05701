/*
 * A library between a process and the operating system (LD_PRELOAD). It moves the wall clock by an offset and delays syncs of
 * files. Both values are read from a file, 8 bytes each in nanoseconds, which tests change while the process runs.
 * The library lists each synced file in another file, one path a line, in the order of the calls.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL
/* The limit in seconds between monotonic time and wall clock time, because no machine is up for so long. */
#define WALL_CLOCK_SECONDS 1000000000LL

struct control {
    volatile int64_t clock_offset;
    volatile int64_t sync_delay;
};

static const struct control none;
static const struct control *control = &none;
static int synced = -1;
static int (*real_clock_gettime)(clockid_t, struct timespec *);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static ssize_t (*real_pwrite64)(int, const void *, size_t, off64_t);
static int (*real_cond_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

/* The plain name may refer to the oldest version of the function, which has other condition variables. */
static void *cond_timedwait(void) {
    void *found = NULL;
#ifdef __GLIBC__
    found = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
#endif
    return found ? found : dlsym(RTLD_NEXT, "pthread_cond_timedwait");
}

__attribute__((constructor)) static void begin(void) {
    real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_pwrite64 = dlsym(RTLD_NEXT, "pwrite64");
    real_cond_timedwait = cond_timedwait();
    const char *file = getenv("INTERPOSED_CONTROL");
    int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        void *mapped = mmap(NULL, sizeof(struct control), PROT_READ, MAP_SHARED, fd, 0);
        close(fd);
        if (mapped != MAP_FAILED) {
            control = mapped;
        }
    }
    const char *list = getenv("INTERPOSED_SYNCED");
    synced = list ? open(list, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
}

static void list(int fd) {
    if (synced >= 0) {
        char name[64];
        char path[4096];
        snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
        ssize_t length = readlink(name, path, sizeof(path) - 1);
        if (length > 0) {
            path[length] = '\n';
            if (write(synced, path, length + 1) < 0) {
                return; /* the test then fails because the line is missing */
            }
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

/*
 * Waits until a time by this wall clock, which the system does not know: where it is behind, threads that wait in vain
 * again and again would spin.
 */
int pthread_cond_timedwait(
        pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    struct timespec real = *until;
    if (until->tv_sec > WALL_CLOCK_SECONDS) {
        int64_t ns = until->tv_sec * SECOND + until->tv_nsec - control->clock_offset;
        real.tv_sec = ns / SECOND;
        real.tv_nsec = ns % SECOND;
    }
    return real_cond_timedwait(condition, mutex, &real);
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
    int result = real_fsync ? real_fsync(fd) : (int) syscall(SYS_fsync, fd);
    list(fd);
    return result;
}

int fdatasync(int fd) {
    delay();
    int result = real_fdatasync ? real_fdatasync(fd) : (int) syscall(SYS_fdatasync, fd);
    list(fd);
    return result;
}

/* Handles writes to files that were opened with O_SYNC or O_DSYNC. */
ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) {
    if (control->sync_delay > 0 && (fcntl(fd, F_GETFL) & O_DSYNC)) {
        delay();
    }
    return real_pwrite64 ? real_pwrite64(fd, from, size, at) : syscall(SYS_pwrite64, fd, from, size, at);
}
