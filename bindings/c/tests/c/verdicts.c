/* Verdicts and lines of recorded cases through C: verdicts FILE. The form of the file is in tests/cases.rs. */
#include <polite_robots.h>

#include <stdint.h>

#include "check.h"

static polite_str take(const unsigned char **at) {
    const unsigned char *bytes = *at;
    const uint32_t length = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    polite_str text = {(const char *)bytes + 4, length};
    *at = bytes + 4 + length;
    return text;
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    FILE *file = fopen(arguments[1], "rb");
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
    const long size = ftell(file);
    CHECK(size > 0 && fseek(file, 0, SEEK_SET) == 0);
    unsigned char *cases = malloc((size_t)size);
    CHECK(cases != NULL && fread(cases, 1, (size_t)size, file) == (size_t)size);
    fclose(file);

    unsigned long asked = 0, wrong = 0;
    for (const unsigned char *at = cases; at < cases + size; asked++) {
        const polite_str body = take(&at), agent = take(&at), url = take(&at);
        for (uint8_t i = 0; i < 2; i++, at += 5) {
            polite_options options = {.size = sizeof options};
            options.dialect = i == 0 ? POLITE_DIALECT_GOOGLE : POLITE_DIALECT_RFC9309;
            const uint32_t line = (uint32_t)at[1] | (uint32_t)at[2] << 8 | (uint32_t)at[3] << 16 | (uint32_t)at[4] << 24;
            polite_robot *robots[2] = {NULL, NULL};
            CHECK(polite_robot_new(agent, body, &options, &robots[0]) == POLITE_OK);
            polite_robots_txt *document = polite_robots_txt_parse(body, &options);
            CHECK(polite_robots_txt_robot(document, &agent, 1, &robots[1]) == POLITE_OK);
            polite_robots_txt_free(document);
            for (int way = 0; way < 2; way++) {
                polite_verdict verdict = {.size = sizeof verdict};
                polite_robot_check(robots[way], url, &verdict);
                wrong += verdict.allowed != (at[0] == 1) || verdict.line != line ||
                         polite_robot_allowed(robots[way], url) != verdict.allowed;
                polite_robot_free(robots[way]);
            }
        }
    }
    free(cases);
    printf("C: %lu recorded files in both dialects, %lu wrong verdicts or lines\n", asked, wrong);
    return wrong == 0 && asked > 0 ? 0 : 1;
}
