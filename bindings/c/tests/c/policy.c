/* Every function of the cache and the pace: answers, fetches, saved bytes, NULLs, sizes, and threads. */
#include <polite_robots.h>

#include <pthread.h>
#include <string.h>

#include "check.h"

#define SECOND UINT64_C(1000)
#define START UINT64_C(1767225600000)
#define TEXT(literal) (literal), sizeof(literal) - 1

static const char FILE_OF_A_SHOP[] = "User-agent: ExampleBot\nDisallow: /cart/\nCrawl-delay: 2.5\n";

static polite_str str(const char *text) {
    polite_str made = {text, strlen(text)};
    return made;
}

static bool is(polite_str text, const char *expected) {
    return text.length == strlen(expected) && (text.length == 0 || memcmp(text.data, expected, text.length) == 0);
}

static polite_cache *cache_of(uint8_t profile) {
    polite_str agent = str("ExampleBot");
    polite_policy policy = {.size = sizeof policy, .profile = profile};
    polite_cache *cache = NULL;
    CHECK(polite_cache_new(&agent, 1, &policy, &cache) == POLITE_OK && cache != NULL);
    return cache;
}

static polite_access ask(polite_cache *cache, const char *url, uint64_t now, polite_robot **robot, polite_fetch **fetch) {
    polite_access access = {.size = sizeof access};
    CHECK(polite_cache_ask(cache, url, strlen(url), POLITE_PAGE_ALONE, now, &access, robot, fetch) == POLITE_OK);
    return access;
}

static polite_fetch *begin(polite_cache *cache, const char *url, uint64_t now) {
    polite_fetch *fetch = NULL;
    CHECK(ask(cache, url, now, NULL, &fetch).answer == POLITE_ANSWER_FETCH && fetch != NULL);
    return fetch;
}

static polite_fetch_step next(polite_fetch *fetch, uint64_t now) {
    polite_fetch_step step = {.size = sizeof step};
    CHECK(polite_fetch_next(fetch, now, &step) == POLITE_OK);
    return step;
}

static void respond(polite_fetch *fetch, uint16_t status, const char *name, const char *value, const char *body, uint64_t now) {
    polite_header header = {str(name), str(value)};
    CHECK(polite_fetch_response(fetch, status, &header, 1, body, strlen(body), POLITE_BODY_COMPLETE, now) == POLITE_OK);
}

static void rules(void) {
    polite_cache *cache = cache_of(POLITE_PROFILE_RFC9309);
    polite_robot *robot = NULL;
    polite_fetch *fetch = begin(cache, "https://example.com/cart/1", START), *none = NULL;
    CHECK(ask(cache, "https://example.com/", START, &robot, &none).answer == POLITE_ANSWER_PENDING);
    CHECK(robot == NULL && none == NULL);
    polite_fetch_step step = next(fetch, START);
    CHECK(step.step == POLITE_STEP_GET && is(step.url, "https://example.com/robots.txt") && is(step.host, "example.com"));
    CHECK(step.max_bytes >= 512000 && step.etag.length == 0 && step.address.length == 0);
    respond(fetch, 301, "location", "https://www.example.com/robots.txt", "", START);
    step = next(fetch, START);
    CHECK(is(step.url, "https://www.example.com/robots.txt") && is(step.host, "www.example.com"));
    respond(fetch, 200, "ETag", "\"1\"", FILE_OF_A_SHOP, START);
    CHECK(next(fetch, START).step == POLITE_STEP_DONE);
    CHECK(polite_cache_renew(cache, fetch, START) == POLITE_OK);
    CHECK(polite_cache_end(cache, fetch, START) == POLITE_OK);

    polite_access access = ask(cache, "https://example.com/cart/1", START, &robot, &none);
    CHECK(access.answer == POLITE_ANSWER_DISALLOWED && access.line == 2 && access.group_line == 1 && none == NULL);
    CHECK(access.cause == POLITE_CAUSE_NONE && access.retry_at_ms == 0);
    char sentence[200];
    CHECK(polite_robot_explain(robot, str("/cart/1"), sentence, sizeof sentence) > 0 && strstr(sentence, "line 2") != NULL);
    polite_robot_free(robot);
    CHECK(ask(cache, "https://example.com/", START, NULL, NULL).answer == POLITE_ANSWER_ALLOWED);
    CHECK(polite_cache_explain(cache, TEXT("https://example.com/x"), START, sentence, sizeof sentence) > 0);
    CHECK(polite_cache_explain(cache, TEXT("https://other.example/"), START, sentence, sizeof sentence) == 0);
    CHECK(polite_cache_release(cache, TEXT("https://example.com/")) == POLITE_OK);
    /* Each kind of page gets the answer at hand. */
    for (uint8_t page = POLITE_PAGE_ALONE; page <= POLITE_PAGE_IN_LINE + 1; page++) {
        CHECK(polite_cache_ask(cache, TEXT("https://example.com/"), page, START, &access, NULL, NULL) == POLITE_OK);
        CHECK(access.answer == POLITE_ANSWER_ALLOWED);
    }

    /* Saved bytes go on in another cache, also after an outage, and other bytes change nothing. */
    char *data = NULL;
    size_t length = 0;
    CHECK(polite_cache_save(cache, &data, &length) == POLITE_OK && length > 0);
    polite_cache *other = cache_of(POLITE_PROFILE_RFC9309);
    CHECK(polite_cache_load(other, data, length, START) == POLITE_OK);
    access = ask(other, "https://example.com/cart/1", START, NULL, NULL);
    CHECK(access.answer == POLITE_ANSWER_DISALLOWED && access.line == 2);
    CHECK(polite_cache_load(other, data, length - 1, START) == POLITE_INVALID_SAVED);
    CHECK(polite_cache_load(other, TEXT("\x07xyz"), START) == POLITE_INVALID_SAVED);
    CHECK(polite_cache_load(other, NULL, 9, START) == POLITE_INVALID_SAVED);
    CHECK(polite_cache_load(NULL, data, length, START) == POLITE_NULL);
    polite_saved_free(data, length);
    /* The answer expires after a day; then the request has a condition. */
    fetch = begin(other, "https://example.com/", START + 25 * 3600 * SECOND);
    CHECK(polite_cache_end(other, fetch, START) == POLITE_OK);
    polite_cache_free(other);
    polite_cache_free(cache);
}

static void outages(void) {
    polite_cache *cache = cache_of(POLITE_PROFILE_RFC9309);
    const char *url = "https://example.com/";
    char sentence[200];
    polite_fetch *fetch = begin(cache, url, START);
    respond(fetch, 503, "Retry-After", "120", "", START);
    CHECK(polite_cache_end(cache, fetch, START) == POLITE_OK);
    polite_robot *robot = NULL;
    polite_access access = ask(cache, url, START, &robot, &fetch);
    CHECK(access.answer == POLITE_ANSWER_CLOSED && access.cause == POLITE_CAUSE_STATUS && access.status == 503);
    CHECK(access.retry_at_ms == START + 120 * SECOND && fetch == NULL && !polite_robot_allowed(robot, str("/")));
    polite_verdict verdict = {.size = sizeof verdict};
    polite_robot_check(robot, str("/"), &verdict);
    CHECK(verdict.cause == POLITE_CAUSE_STATUS && verdict.status == 503);
    polite_robot_free(robot);
    CHECK(polite_cache_set_site(cache, url, strlen(url), POLITE_SITE_AVAILABLE, START) == POLITE_OK);
    CHECK(polite_cache_reset(cache, url, strlen(url)) == POLITE_OK);

    /* A fetch that nobody takes, one that is freed, and one that is given up: the next caller gets another. */
    CHECK(ask(cache, url, START, NULL, NULL).answer == POLITE_ANSWER_FETCH);
    polite_fetch_free(begin(cache, url, START));
    CHECK(polite_cache_end(cache, begin(cache, url, START), START) == POLITE_OK);
    fetch = begin(cache, url, START);
    CHECK(polite_fetch_failed(fetch, POLITE_NET_CONNECT, START) == POLITE_OK);
    CHECK(polite_cache_end(cache, fetch, START) == POLITE_OK);
    access = ask(cache, url, START, NULL, NULL);
    CHECK(access.answer == POLITE_ANSWER_CLOSED && access.cause == POLITE_CAUSE_UNREACHABLE);
    CHECK(access.retry_at_ms > START && access.retry_at_ms != POLITE_NEVER);

    fetch = begin(cache, "http://other.example/", START);
    CHECK(polite_fetch_refused(fetch, START) == POLITE_OK && next(fetch, START).step == POLITE_STEP_DONE);
    /* The cache goes first. */
    polite_cache_free(cache);
    CHECK(next(fetch, START).step == POLITE_STEP_DONE);
    CHECK(polite_cache_end(NULL, fetch, START) == POLITE_NULL);

    /* Every address of a host, a pause, and every address again. */
    cache = cache_of(POLITE_PROFILE_IBM);
    fetch = begin(cache, url, START);
    polite_fetch_step step = next(fetch, START);
    CHECK(step.step == POLITE_STEP_RESOLVE && is(step.host, "example.com") && step.url.length == 0);
    polite_str addresses[] = {str("192.0.2.1"), str("no address"), str("2001:db8::1")};
    CHECK(polite_fetch_resolved(fetch, addresses, 3, START) == POLITE_OK);
    CHECK(is(next(fetch, START).address, "192.0.2.1"));
    CHECK(polite_fetch_failed(fetch, POLITE_NET_READ, START) == POLITE_OK);
    CHECK(is(next(fetch, START).address, "2001:db8::1"));
    CHECK(polite_fetch_failed(fetch, POLITE_NET_READ, START) == POLITE_OK);
    step = next(fetch, START);
    CHECK(step.step == POLITE_STEP_WAIT && step.until_ms == START + 2 * SECOND);
    /* Its end in the pause keeps it for a later question. */
    CHECK(polite_cache_end(cache, fetch, START) == POLITE_OK);
    CHECK(ask(cache, url, START, NULL, NULL).answer == POLITE_ANSWER_CLOSED);
    fetch = begin(cache, url, START + 2 * SECOND);
    CHECK(is(next(fetch, START + 2 * SECOND).address, "192.0.2.1"));
    polite_fetch_free(fetch);
    fetch = begin(cache, "http://other.example/", START);
    CHECK(polite_fetch_by_name(fetch, START) == POLITE_OK && next(fetch, START).step == POLITE_STEP_GET);
    polite_fetch_free(fetch);
    CHECK(polite_last_error(sentence, sizeof sentence) > 0 && strcmp(sentence, "the cache is NULL") == 0);
    polite_cache_free(cache);

    /* A cache with memory for one site has no room for another, and says when to come back. */
    polite_str agent = str("ExampleBot");
    polite_policy tiny = {.size = sizeof tiny, .max_memory = 800};
    CHECK(polite_cache_new(&agent, 1, &tiny, &cache) == POLITE_OK);
    fetch = begin(cache, "http://other.example/", START);
    access = ask(cache, url, START, NULL, NULL);
    CHECK(access.answer == POLITE_ANSWER_CLOSED && access.cause == POLITE_CAUSE_FULL && access.retry_at_ms > START);
    CHECK(polite_cache_ask(cache, url, strlen(url), POLITE_PAGE_IN_TURN, START, &access, NULL, NULL) == POLITE_OK);
    CHECK(access.answer == POLITE_ANSWER_FULL);
    polite_fetch_free(fetch);
    polite_cache_free(cache);
}

static polite_turn turn_at(polite_pace *pace, uint64_t now) {
    polite_turn turn = {.size = sizeof turn};
    CHECK(polite_pace_turn(pace, TEXT("https://example.com/x"), now, &turn) == POLITE_OK);
    return turn;
}

static void paces(void) {
    polite_pace *pace = NULL, *other = NULL;
    polite_turn turn = {.size = sizeof turn};
    CHECK(polite_pace_new(NULL, &pace) == POLITE_OK);
    CHECK(turn_at(pace, START).turn == POLITE_TURN_READY);
    CHECK(polite_pace_start(pace, TEXT("https://example.com/1"), START, &turn) == POLITE_OK && turn.turn == POLITE_TURN_READY);
    /* http and https are one host, and others have turns of their own. */
    CHECK(polite_pace_start(pace, TEXT("http://example.com/2"), START, &turn) == POLITE_OK && turn.turn == POLITE_TURN_BUSY);
    CHECK(polite_pace_turn(pace, TEXT("https://example.org/"), START, &turn) == POLITE_OK && turn.turn == POLITE_TURN_READY);
    CHECK(polite_pace_response(pace, TEXT("https://example.com/1"), 200, NULL, 0, POLITE_SIGNAL_NONE, START, START) == POLITE_OK);
    turn = turn_at(pace, START);
    CHECK(turn.turn == POLITE_TURN_NOT_BEFORE && turn.until_ms == START + SECOND);

    polite_robot *robot = NULL;
    CHECK(polite_robot_new(str("ExampleBot"), str(FILE_OF_A_SHOP), NULL, &robot) == POLITE_OK);
    CHECK(polite_pace_crawl_delay(pace, TEXT("https://example.com/"), robot, START) == POLITE_OK);
    CHECK(turn_at(pace, START).until_ms == START + 5 * SECOND / 2);
    CHECK(polite_pace_crawl_delay(pace, TEXT("https://example.com/"), NULL, START) == POLITE_OK);
    CHECK(turn_at(pace, START).until_ms == START + SECOND);
    polite_robot_free(robot);

    uint64_t now = START + SECOND;
    polite_header wait = {str("Retry-After"), str("60")};
    CHECK(polite_pace_start(pace, TEXT("https://example.com/2"), now, &turn) == POLITE_OK && turn.turn == POLITE_TURN_READY);
    CHECK(polite_pace_response(pace, TEXT("https://example.com/2"), 503, &wait, 1, POLITE_SIGNAL_NONE, now, now) == POLITE_OK);
    CHECK(turn_at(pace, now).until_ms == now + 60 * SECOND);

    char *data = NULL;
    size_t length = 0;
    CHECK(polite_pace_save(pace, now, &data, &length) == POLITE_OK);
    CHECK(polite_pace_new(NULL, &other) == POLITE_OK);
    CHECK(polite_pace_load(other, data, length) == POLITE_OK && polite_pace_load(other, TEXT("x")) == POLITE_INVALID_SAVED);
    CHECK(turn_at(other, now).until_ms == now + 60 * SECOND);
    polite_saved_free(data, length);

    now += 60 * SECOND;
    CHECK(polite_pace_start(other, TEXT("https://example.com/3"), now, &turn) == POLITE_OK && turn.turn == POLITE_TURN_READY);
    CHECK(polite_pace_cancel(other, TEXT("https://example.com/3"), now) == POLITE_OK);
    CHECK(turn_at(other, now).turn == POLITE_TURN_NOT_BEFORE);
    now += 60 * SECOND;
    CHECK(polite_pace_start(other, TEXT("https://example.com/4"), now, &turn) == POLITE_OK && turn.turn == POLITE_TURN_READY);
    CHECK(polite_pace_failed(other, TEXT("https://example.com/4"), POLITE_NET_CONNECT, now, now) == POLITE_OK);
    CHECK(turn_at(other, now).until_ms > now);
    now += 3600 * SECOND;
    CHECK(polite_pace_start(other, TEXT("https://example.com/5"), now, &turn) == POLITE_OK && turn.turn == POLITE_TURN_READY);
    CHECK(polite_pace_response(other, TEXT("https://example.com/5"), 200, NULL, 0, POLITE_SIGNAL_CHALLENGE, now, now) == POLITE_OK);
    CHECK(turn_at(other, now).until_ms > now + 3600 * SECOND);
    polite_pace_free(other);
    polite_pace_free(pace);

    /* Half of a second between requests, by the caller. */
    polite_policy policy = {.size = sizeof policy, .min_delay_ms = 500};
    CHECK(polite_pace_new(&policy, &pace) == POLITE_OK);
    CHECK(polite_pace_start(pace, TEXT("https://example.com/x"), START, &turn) == POLITE_OK);
    CHECK(polite_pace_cancel(pace, TEXT("https://example.com/x"), START) == POLITE_OK);
    CHECK(turn_at(pace, START).until_ms == START + 500);
    /* Hosts that are as new are forgotten. */
    char url[64];
    for (int host = 0; host < 20000; host++) {
        sprintf(url, "https://h%d.example/", host);
        CHECK(polite_pace_start(pace, url, strlen(url), START + (uint64_t)host * SECOND, &turn) == POLITE_OK);
        CHECK(polite_pace_cancel(pace, url, strlen(url), START + (uint64_t)host * SECOND) == POLITE_OK);
    }
    CHECK(polite_pace_save(pace, START + 20000 * SECOND, &data, &length) == POLITE_OK && length < 300 * 2048);
    polite_saved_free(data, length);
    polite_pace_free(pace);
}

static void nulls(void) {
    polite_cache *cache = NULL;
    polite_pace *pace = NULL;
    polite_fetch_step step = {.size = sizeof step};
    polite_turn turn = {.size = sizeof turn};
    polite_str agent = str("a b");
    char *data = NULL;
    size_t length = 0;
    CHECK(polite_cache_new(&agent, 1, NULL, &cache) == POLITE_INVALID_TOKEN && cache == NULL);
    CHECK(polite_cache_new(NULL, 1, NULL, &cache) == POLITE_NULL && polite_cache_new(NULL, 0, NULL, NULL) == POLITE_NULL);
    CHECK(polite_cache_ask(NULL, TEXT("http://a/"), 0, START, NULL, NULL, NULL) == POLITE_NULL);
    CHECK(polite_cache_release(NULL, NULL, 1) == POLITE_NULL && polite_cache_reset(NULL, NULL, 1) == POLITE_NULL);
    CHECK(polite_cache_set_site(NULL, NULL, 1, 1, START) == POLITE_NULL);
    CHECK(polite_cache_explain(NULL, NULL, 1, START, NULL, 9) == 0);
    CHECK(polite_cache_renew(NULL, NULL, START) == POLITE_NULL && polite_cache_end(NULL, NULL, START) == POLITE_NULL);
    CHECK(polite_cache_save(NULL, &data, &length) == POLITE_NULL && polite_pace_save(NULL, START, &data, &length) == POLITE_NULL);
    CHECK(polite_fetch_next(NULL, START, &step) == POLITE_NULL && polite_fetch_failed(NULL, 0, START) == POLITE_NULL);
    CHECK(polite_fetch_response(NULL, 200, NULL, 1, NULL, 1, 0, START) == POLITE_NULL);
    CHECK(polite_fetch_refused(NULL, START) == POLITE_NULL && polite_fetch_by_name(NULL, START) == POLITE_NULL);
    CHECK(polite_fetch_resolved(NULL, NULL, 0, START) == POLITE_NULL);
    CHECK(polite_pace_new(NULL, NULL) == POLITE_NULL && polite_pace_load(NULL, NULL, 1) == POLITE_NULL);
    CHECK(polite_pace_turn(NULL, NULL, 1, START, NULL) == POLITE_NULL && polite_pace_start(NULL, NULL, 1, START, &turn) == POLITE_NULL);
    CHECK(polite_pace_response(NULL, NULL, 1, 200, NULL, 1, 0, START, START) == POLITE_NULL);
    CHECK(polite_pace_failed(NULL, NULL, 1, 0, START, START) == POLITE_NULL && polite_pace_cancel(NULL, NULL, 1, START) == POLITE_NULL);
    CHECK(polite_pace_crawl_delay(NULL, NULL, 1, NULL, START) == POLITE_NULL);
    polite_cache_free(NULL);
    polite_pace_free(NULL);
    polite_fetch_free(NULL);
    polite_saved_free(NULL, 9);

    cache = cache_of(255);
    CHECK(polite_pace_new(NULL, &pace) == POLITE_OK);
    CHECK(polite_cache_ask(cache, TEXT("mailto:a@b"), 0, START, NULL, NULL, NULL) == POLITE_INVALID_URL);
    CHECK(polite_cache_ask(cache, NULL, 9, 0, START, NULL, NULL, NULL) == POLITE_INVALID_URL);
    CHECK(polite_cache_release(cache, NULL, 0) == POLITE_INVALID_URL && polite_pace_cancel(pace, NULL, 0, START) == POLITE_INVALID_URL);
    CHECK(polite_pace_start(pace, TEXT("http://a/"), START, NULL) == POLITE_NULL);
    CHECK(polite_cache_end(cache, NULL, START) == POLITE_OK && polite_cache_renew(cache, NULL, START) == POLITE_NULL);
    CHECK(polite_cache_save(cache, NULL, &length) == POLITE_NULL && polite_pace_save(pace, START, &data, NULL) == POLITE_NULL);
    /* An answer, a step and a turn are written up to the size of their caller. */
    polite_fetch *fetch = begin(cache, "http://a/", START);
    CHECK(polite_fetch_next(fetch, START, NULL) == POLITE_NULL && polite_fetch_resolved(fetch, NULL, 1, START) == POLITE_NULL);
    for (uint32_t size = 0; size <= sizeof step + 8; size++) {
        unsigned char *exact = malloc(size < 4 ? 4 : size);
        CHECK(exact != NULL);
        memcpy(exact, &size, sizeof size);
        CHECK(polite_fetch_next(fetch, START, (polite_fetch_step *)(void *)exact) == POLITE_OK);
        CHECK(polite_pace_turn(pace, TEXT("http://a/"), START, (polite_turn *)(void *)exact) == POLITE_OK);
        CHECK(polite_cache_ask(cache, TEXT("http://a/"), 0, START, (polite_access *)(void *)exact, NULL, NULL) == POLITE_OK);
        free(exact);
    }
    polite_fetch_free(fetch);
    polite_pace_free(pace);
    polite_cache_free(cache);
}

static polite_cache *shared_cache;
static polite_pace *shared_pace;

/* Asks for pages of a few sites until each is allowed; a fetch goes to one thread alone. */
static void *crawl(void *fetches) {
    char url[64];
    for (int page = 0; page < 400; page++) {
        sprintf(url, "https://h%d.example/%d", page % 20, page);
        polite_fetch *fetch = NULL;
        polite_robot *robot = NULL;
        polite_access access = ask(shared_cache, url, START, &robot, &fetch);
        CHECK(access.answer == POLITE_ANSWER_ALLOWED || access.answer == POLITE_ANSWER_PENDING || fetch != NULL);
        if (fetch != NULL) {
            CHECK(next(fetch, START).step == POLITE_STEP_GET);
            respond(fetch, 200, "ETag", "\"1\"", FILE_OF_A_SHOP, START);
            CHECK(polite_cache_end(shared_cache, fetch, START) == POLITE_OK);
            ++*(int *)fetches;
        }
        polite_robot_free(robot);
        polite_turn turn = {.size = sizeof turn};
        CHECK(polite_pace_start(shared_pace, url, strlen(url), START, &turn) == POLITE_OK);
        CHECK(turn.turn != POLITE_TURN_READY || polite_pace_cancel(shared_pace, url, strlen(url), START) == POLITE_OK);
    }
    return NULL;
}

static void threads(void) {
    pthread_t started[8];
    int fetches[8] = {0}, sum = 0;
    shared_cache = cache_of(POLITE_PROFILE_RFC9309);
    CHECK(polite_pace_new(NULL, &shared_pace) == POLITE_OK);
    for (int i = 0; i < 8; i++) CHECK(pthread_create(&started[i], NULL, crawl, &fetches[i]) == 0);
    for (int i = 0; i < 8; i++) {
        CHECK(pthread_join(started[i], NULL) == 0);
        sum += fetches[i];
    }
    CHECK(sum == 20);
    polite_cache_free(shared_cache);
    polite_pace_free(shared_pace);
}

int main(void) {
    rules();
    outages();
    paces();
    nulls();
    threads();
    puts("C: the cache and the pace answered");
    return 0;
}
