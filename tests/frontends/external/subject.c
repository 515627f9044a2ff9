/* A subject in C: so many draws of 6, or those of the vectors. */
static double covered;
#define RLCHECK_COVERAGE covered
#include "rlcheck.h"

static uint64_t roll(uint64_t n) { covered += 0.5; return rlcheck_draw(n); }

int main(int argc, char **argv)
{
    static const uint64_t sizes[] = {6, 2, 1, 1000000, UINT64_C(9007199254740992)};
    long draws = argc > 1 ? atol(argv[1]) : 0;
    if (!rlcheck_connect())
        return 4;
    for (long i = 0; i < draws; i++)
        rlcheck_draw(6);
    if (draws == 0) {
        printf("[");
        for (int i = 0; i < 5; i++)
            printf("%s%" PRIu64, i ? ", " : "", roll(sizes[i]));
        printf("]\n");
    }
    rlcheck_end("pass");
    return 0;
}
