/* Counts what holds and what does not; a failure is printed with its place, and the program goes on. */
#ifndef RATELIMIT_TESTS_EXPECT_H
#define RATELIMIT_TESTS_EXPECT_H

#include <stdio.h>

static unsigned long expect_passed, expect_failed;

#define EXPECT(condition) expect((condition) != 0, __FILE__, __LINE__, #condition)

static inline int expect(int holds, const char *file, int line, const char *condition) {
  if (holds) {
    expect_passed++;
  } else {
    expect_failed++;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
  }
  return holds;
}

/* Writes the counts to the stream that nothing else is on; returns what main does. */
static inline int expect_report(FILE *stream, const char *program) {
  fprintf(stream, "%s: %lu passed, %lu failed\n", program, expect_passed, expect_failed);
  return expect_failed != 0 || expect_passed == 0;
}

#endif
