/* The C client of `rlcheck guide`: one header. Protocol: docs/reference/protocol.md.
 *
 *     rlcheck_connect();                 once; gives 0 when no guide is there, then draws are random
 *     uint64_t i = rlcheck_draw(6);      0..5
 *     double x = rlcheck_double();       0 <= x < 1
 *     rlcheck_end("fail");               or "pass", or "invalid"; a program that just ends has passed
 *
 * Define RLCHECK_COVERAGE as an expression for how much is covered so far, before including this.
 * POSIX, and glibc for call stacks; elsewhere a state is the place of the draw alone.
 */
#ifndef RLCHECK_H
#define RLCHECK_H

#include <inttypes.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <execinfo.h>
extern char __executable_start, etext;
#endif
#ifndef RLCHECK_COVERAGE
#define RLCHECK_COVERAGE 0.0
#endif

#define RLCHECK_VERSION 1
#define RLCHECK_FRAMES 32
#define RLCHECK_LONGEST 4096
#define RLCHECK_LOOKS 60

static struct {
    int reads, writes;
    FILE *recording;
    uint64_t drawn;
    char heard[RLCHECK_LONGEST];
    size_t start, stop;
} rlcheck_guide = {-1, -1, NULL, 0, "", 0, 0};

static void rlcheck_fail(const char *why)
{
    fprintf(stderr, "rlcheck: %s\n", why);
    exit(3);
}

static void rlcheck_send(const char *line, size_t left)
{
    while (left > 0) {
        ssize_t sent = write(rlcheck_guide.writes, line, left);
        if (sent <= 0)
            rlcheck_fail("the guide has gone");
        line += sent;
        left -= (size_t)sent;
    }
}

/* Look for an answer before waiting for it: most come sooner than a sleeping core wakes up. */
static void rlcheck_look(void)
{
    struct pollfd answer = {.fd = rlcheck_guide.reads, .events = POLLIN};
    for (int looks = 0; looks < RLCHECK_LOOKS && poll(&answer, 1, 0) == 0;)
        looks++;
}

/* The next line of the guide, without its end. */
static const char *rlcheck_receive(void)
{
    char *heard = rlcheck_guide.heard;
    for (;;) {
        char *from = heard + rlcheck_guide.start;
        char *end = memchr(from, '\n', rlcheck_guide.stop - rlcheck_guide.start);
        if (end) {
            *end = 0;
            rlcheck_guide.start = (size_t)(end - heard) + 1;
            return from;
        }
        memmove(heard, from, rlcheck_guide.stop - rlcheck_guide.start);
        rlcheck_guide.stop -= rlcheck_guide.start;
        rlcheck_guide.start = 0;
        if (rlcheck_guide.stop == RLCHECK_LONGEST)
            rlcheck_fail("the guide sent a line that is too long");
        rlcheck_look();
        ssize_t more = read(rlcheck_guide.reads, heard + rlcheck_guide.stop, RLCHECK_LONGEST - rlcheck_guide.stop);
        if (more <= 0)
            rlcheck_fail("the guide has gone");
        rlcheck_guide.stop += (size_t)more;
    }
}

static int rlcheck_connect(void)
{
    const char *address = getenv("RLCHECK_GUIDE");
    char line[RLCHECK_LONGEST];
    int version = 0;
    if (!address || !*address)
        return 0;
    if (sscanf(address, "fd:%d,%d", &rlcheck_guide.reads, &rlcheck_guide.writes) != 2) {
        if (strncmp(address, "unix:", 5) == 0) {
            struct sockaddr_un to = {.sun_family = AF_UNIX};
            int made = socket(AF_UNIX, SOCK_STREAM, 0);
            strncpy(to.sun_path, address + 5, sizeof to.sun_path - 1);
            if (made < 0 || connect(made, (struct sockaddr *)&to, sizeof to) != 0)
                rlcheck_fail("the guide's socket cannot be reached");
            rlcheck_guide.reads = rlcheck_guide.writes = made;
        } else {
            rlcheck_guide.recording = fopen(address, "r");
            if (!rlcheck_guide.recording || !fgets(line, sizeof line, rlcheck_guide.recording) ||
                !strstr(line, "\"rlcheck\": \"actions\"") || !strstr(line, "\"version\": 1"))
                rlcheck_fail("RLCHECK_GUIDE names no recording that this client reads");
            while (!strchr(line, '\n') && fgets(line, sizeof line, rlcheck_guide.recording))
                continue;
            return 1;
        }
    }
    snprintf(line, sizeof line, "{\"rlcheck\": %d, \"client\": \"c\"}\n", RLCHECK_VERSION);
    rlcheck_send(line, strlen(line));
    if (sscanf(rlcheck_receive(), "{\"rlcheck\": %d}", &version) != 1 || version != RLCHECK_VERSION)
        rlcheck_fail("the guide speaks another version");
    return 1;
}

static uint64_t rlcheck_replayed(uint64_t n)
{
    uint64_t known, action;
    if (fscanf(rlcheck_guide.recording, " {\"n\": %" SCNu64 ", \"action\": %" SCNu64 "}", &known, &action) != 2)
        rlcheck_fail("the recording ends here, or is no recording");
    if (known != n || action >= n)
        rlcheck_fail("the recording is of another number of options");
    return action;
}

/* One of n options; `where` names the place. Call it through rlcheck_draw(n). */
static uint64_t rlcheck_draw_at(uint64_t n, const char *where, int line_number)
{
    char line[RLCHECK_LONGEST];
    uint64_t action;
    size_t used;
    rlcheck_guide.drawn++;
    if (n == 0)
        rlcheck_fail("a draw needs at least one option");
    if (rlcheck_guide.recording)
        return rlcheck_replayed(n);
    if (rlcheck_guide.writes < 0)
        return (uint64_t)((double)rand() / ((double)RAND_MAX + 1.0) * (double)n);
    used = (size_t)snprintf(line, sizeof line, "{\"n\": %" PRIu64 ", \"coverage\": %.17g, \"state\": [", n,
                            (double)(RLCHECK_COVERAGE));
#ifdef __GLIBC__
    void *stack[RLCHECK_FRAMES];
    /* Addresses as offsets into the program: the loader moves it in memory from run to run. */
    for (int frame = backtrace(stack, RLCHECK_FRAMES) - 1; frame > 0; frame--)
        if ((char *)stack[frame] >= &__executable_start && (char *)stack[frame] < &etext)
            used += (size_t)snprintf(line + used, sizeof line - used, "\"%zx\", ",
                                     (size_t)((char *)stack[frame] - &__executable_start));
#endif
    used += (size_t)snprintf(line + used, sizeof line - used, "\"%.200s:%d\"]}\n", where, line_number);
    rlcheck_send(line, used);
    const char *answer = rlcheck_receive();
    if (sscanf(answer, "{\"action\": %" SCNu64 "}", &action) != 1 || action >= n)
        rlcheck_fail(answer);
    return action;
}

#define rlcheck_draw(n) rlcheck_draw_at((n), __func__, __LINE__)
#define rlcheck_double() ((double)rlcheck_draw(UINT64_C(1) << 53) / (double)(UINT64_C(1) << 53))

static void rlcheck_end(const char *how)
{
    char line[128];
    if (rlcheck_guide.writes < 0)
        return;
    snprintf(line, sizeof line, "{\"end\": \"%.20s\", \"coverage\": %.17g}\n", how, (double)(RLCHECK_COVERAGE));
    rlcheck_send(line, strlen(line));
}

#endif
