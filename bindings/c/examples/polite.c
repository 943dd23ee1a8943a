/* A crawl that cannot be rude: the cache says which robots.txt is due and what it permits, the pace when a host has its
 * turn. `get` stands for an HTTP client that follows no redirects.
 *
 *   cc polite.c $(pkg-config --cflags --libs polite-robots) -o polite && ./polite
 */
#include <polite_robots.h>

#include <stdio.h>
#include <string.h>

typedef struct {
    uint16_t status;
    polite_header header;
    const char *body;
} response;

static polite_str str(const char *text) {
    polite_str made = {text, strlen(text)};
    return made;
}

/* A site with a robots.txt, and one that is down. Other errors of a client are for polite_fetch_failed and polite_pace_failed. */
static response get(const char *url) {
    response down = {503, {str("Retry-After"), str("120")}, "We are sorry"};
    response page = {200, {str("ETag"), str("\"1\"")}, "<!DOCTYPE html>"};
    if (strncmp(url, "https://down.example/", 21) == 0) return down;
    if (strstr(url, "/robots.txt") != NULL) page.body = "User-agent: *\nDisallow: /private\nCrawl-delay: 5\n";
    return page;
}

/* Waits for the turn of the host; a crawler does other work meanwhile. The clock of this program is `*now`. */
static response ask_in_turn(polite_pace *pace, const char *url, uint64_t *now) {
    polite_turn turn = {.size = sizeof turn};
    while (polite_pace_start(pace, url, strlen(url), *now, &turn) == POLITE_OK && turn.turn == POLITE_TURN_NOT_BEFORE)
        *now = turn.until_ms;
    response got = get(url);
    printf("  GET %s: %d\n", url, got.status);
    polite_pace_response(pace, url, strlen(url), got.status, &got.header, 1, POLITE_SIGNAL_NONE, *now, *now);
    return got;
}

static void fetch_robots_txt(polite_cache *cache, polite_pace *pace, polite_fetch *fetch, uint64_t *now) {
    char url[2000];
    polite_fetch_step step = {.size = sizeof step};
    /* POLITE_STEP_RESOLVE comes with one profile alone, and a fetch that ends in a wait goes on with a later question. */
    while (polite_fetch_next(fetch, *now, &step) == POLITE_OK && step.step == POLITE_STEP_GET) {
        snprintf(url, sizeof url, "%.*s", (int)step.url.length, step.url.data);
        response got = ask_in_turn(pace, url, now);
        polite_fetch_response(fetch, got.status, &got.header, 1, got.body, strlen(got.body), POLITE_BODY_COMPLETE, *now);
    }
    polite_cache_end(cache, fetch, *now);
}

int main(void) {
    const char *urls[] = {"https://example.com/a", "https://example.com/private/b", "https://down.example/c", "https://example.com/d"};
    const uint64_t start = UINT64_C(1767225600000);
    uint64_t now = start;
    polite_str agent = str("ExampleBot");
    polite_cache *cache;
    polite_pace *pace;
    if (polite_cache_new(&agent, 1, NULL, &cache) != POLITE_OK || polite_pace_new(NULL, &pace) != POLITE_OK) return 1;

    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        const char *url = urls[i];
        polite_access access = {.size = sizeof access};
        polite_robot *robot = NULL;
        polite_fetch *fetch = NULL;
        if (polite_cache_ask(cache, url, strlen(url), POLITE_PAGE_ALONE, now, &access, &robot, &fetch) != POLITE_OK) continue;
        if (access.answer == POLITE_ANSWER_FETCH) {
            fetch_robots_txt(cache, pace, fetch, &now);
            polite_cache_ask(cache, url, strlen(url), POLITE_PAGE_ALONE, now, &access, &robot, NULL);
        }
        char why[300] = "";
        polite_robot_explain(robot, str(url), why, sizeof why);
        printf("%s: %s\n", url, why);
        if (access.answer == POLITE_ANSWER_CLOSED) printf("  again in %d s\n", (int)((access.retry_at_ms - now) / 1000));
        polite_pace_crawl_delay(pace, url, strlen(url), robot, now);
        polite_robot_free(robot);
        if (access.answer == POLITE_ANSWER_ALLOWED) {
            ask_in_turn(pace, url, &now);
            printf("  after %d s\n", (int)((now - start) / 1000));
        }
    }
    polite_pace_free(pace);
    polite_cache_free(cache);
    return 0;
}
