/* A first program: may ExampleBot fetch these pages, and why?
 *
 *   cc first.c $(pkg-config --cflags --libs polite-robots) -o first && ./first
 */
#include <polite_robots.h>

#include <stdio.h>
#include <string.h>

static polite_str str(const char *text) {
    polite_str made = {text, strlen(text)};
    return made;
}

int main(void) {
    const char *page = "https://example.com/search?q=robots";
    char text[300];

    /* The rules of a page are at this address. Fetch it with the client of your choice. */
    if (polite_robots_url(str(page), text, sizeof text) > 0) printf("rules: %s\n", text);
    const char *body =
        "User-agent: *\n"
        "Disallow: /search\n"
        "Allow: /search/about\n"
        "Crawl-delay: 2\n";

    /* One robot for each site, to be kept: any number of threads may ask it. */
    polite_robot *robot = NULL;
    if (polite_robot_new(str("ExampleBot"), str(body), NULL, &robot) != POLITE_OK) {
        polite_last_error(text, sizeof text);
        fprintf(stderr, "%s\n", text);
        return 1;
    }

    const char *pages[] = {page, "https://example.com/search/about"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        polite_robot_explain(robot, str(pages[i]), text, sizeof text);
        printf("%s %s: %s\n", polite_robot_allowed(robot, str(pages[i])) ? "yes" : "no ", pages[i], text);
    }

    polite_verdict verdict = {.size = sizeof verdict};
    polite_robot_check(robot, str(page), &verdict);
    printf("line %u: %.*s\n", (unsigned)verdict.line, (int)verdict.pattern.length, verdict.pattern.data);

    uint64_t seconds;
    if (polite_robot_crawl_delay(robot, &seconds, NULL)) printf("delay: %lu s\n", (unsigned long)seconds);
    polite_robot_free(robot);
    return 0;
}
