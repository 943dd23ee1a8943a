/* Every function of polite_robots.h: answers, NULLs, empty texts, buffers of any size, owners and threads. */
#include <polite_robots.h>

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

static polite_str str(const char *text) {
    polite_str made = {text, strlen(text)};
    return made;
}

static bool is(polite_str text, const char *expected) {
    return text.length == strlen(expected) && (text.length == 0 || memcmp(text.data, expected, text.length) == 0);
}

static const polite_str nothing = {NULL, 0};
/* A length without bytes: empty too. */
static const polite_str no_bytes = {NULL, 10};

static const char FILE_OF_A_SHOP[] =
    "User-agent: ExampleBot\n"
    "Disallow: /cart/\n"
    "Allow: /cart/help$\n"
    "Crawl-delay: 2.5\n"
    "\n"
    "User-agent: *\n"
    "Disallow: /\n"
    "\n"
    "Sitemap: https://example.com/a.xml\n"
    "Sitemap: https://example.com/b.xml # the other\n"
    "Sitemap: /c.xml\n";

static polite_robot *robot_of(const char *agent, const char *body) {
    polite_robot *robot = NULL;
    CHECK(polite_robot_new(str(agent), str(body), NULL, &robot) == POLITE_OK);
    CHECK(robot != NULL);
    return robot;
}

static polite_verdict check_of(const polite_robot *robot, const char *url) {
    polite_verdict verdict = {.size = sizeof verdict};
    polite_robot_check(robot, str(url), &verdict);
    CHECK(verdict.size == sizeof verdict);
    CHECK(verdict.allowed == polite_robot_allowed(robot, str(url)));
    return verdict;
}

static void verdicts(void) {
    polite_robot *robot = robot_of("ExampleBot", FILE_OF_A_SHOP);

    polite_verdict verdict = check_of(robot, "https://example.com/cart/1");
    CHECK(!verdict.allowed && verdict.reason == POLITE_REASON_RULE && verdict.line == 2);
    CHECK(verdict.group_line == 1 && verdict.agent_match == POLITE_AGENT_MATCH_NAMED);
    CHECK(is(verdict.pattern, "/cart/") && verdict.overruled_line == 0 && is(verdict.overruled_pattern, ""));
    CHECK(verdict.cause == POLITE_CAUSE_NONE && verdict.status == 0);

    verdict = check_of(robot, "https://example.com/cart/help");
    CHECK(verdict.allowed && verdict.line == 3 && is(verdict.pattern, "/cart/help$"));
    CHECK(verdict.overruled_line == 2 && is(verdict.overruled_pattern, "/cart/"));

    verdict = check_of(robot, "/");
    CHECK(verdict.allowed && verdict.reason == POLITE_REASON_NO_RULE_MATCHES && verdict.line == 0);
    CHECK(verdict.group_line == 1);
    verdict = check_of(robot, "/robots.txt");
    CHECK(verdict.allowed && verdict.reason == POLITE_REASON_ROBOTS_TXT_ITSELF);
    polite_robot_free(robot);

    robot = robot_of("OtherBot", FILE_OF_A_SHOP);
    verdict = check_of(robot, "/x");
    CHECK(!verdict.allowed && verdict.agent_match == POLITE_AGENT_MATCH_WILDCARD && verdict.group_line == 6);
    polite_robot *named = polite_robot_named_only(robot);
    verdict = check_of(named, "/x");
    CHECK(verdict.allowed && verdict.reason == POLITE_REASON_NO_GROUP);
    CHECK(verdict.agent_match == POLITE_AGENT_MATCH_NONE && verdict.group_line == 0);
    CHECK(!polite_robot_allowed(robot, str("/x")));
    polite_robot_free(named);
    polite_robot_free(robot);

    robot = polite_robot_allow_all(404);
    verdict = check_of(robot, "/x");
    CHECK(verdict.allowed && verdict.reason == POLITE_REASON_BLANKET);
    CHECK(verdict.cause == POLITE_CAUSE_STATUS && verdict.status == 404);
    polite_robot_free(robot);
    robot = polite_robot_disallow_all(0);
    verdict = check_of(robot, "/x");
    CHECK(!verdict.allowed && verdict.cause == POLITE_CAUSE_CONFIGURED && verdict.status == 0);
    CHECK(polite_robot_allowed(robot, str("/robots.txt")));
    polite_robot_free(robot);

    /* Bytes are bytes: NUL, and what is no UTF-8. */
    polite_str nul_inside = {"/a\0b", 4};
    robot = robot_of("*", "User-agent: *\nDisallow: /a%00b\nDisallow: /caf%E9");
    CHECK(!polite_robot_allowed(robot, nul_inside) && polite_robot_allowed(robot, str("/a")));
    CHECK(!polite_robot_allowed(robot, str("/caf\xE9/menu")));
    polite_robot_free(robot);

    polite_options google = {.size = sizeof google, .dialect = POLITE_DIALECT_GOOGLE};
    CHECK(polite_robot_new(str("a"), str("User-agent: *\nAllow: /x/index.html\nDisallow: /x"), &google, &robot) ==
          POLITE_OK);
    verdict = check_of(robot, "/x/");
    CHECK(verdict.allowed && verdict.reason == POLITE_REASON_DIRECTORY_OF_INDEX && verdict.line == 2);
    polite_robot_free(robot);
}

static void sizes(void) {
    polite_robot *robot = robot_of("ExampleBot", "User-agent: *\nDisallow: /");
    for (uint32_t size = 0; size <= sizeof(polite_verdict) + 8; size++) {
        unsigned char room[sizeof(polite_verdict) + 16];
        memset(room, 0xAA, sizeof room);
        polite_verdict first;
        memset(&first, 0xAA, sizeof first);
        first.size = size;
        memcpy(room, &first, sizeof first.size);
        /* The memory of a verdict is that of malloc, so that a checker sees each byte beyond it. */
        unsigned char *exact = malloc(size < 4 ? 4 : size);
        CHECK(exact != NULL);
        memcpy(exact, room, size < 4 ? 4 : size);
        polite_robot_check(robot, str("/x"), (polite_verdict *)(void *)exact);
        uint32_t kept;
        memcpy(&kept, exact, sizeof kept);
        CHECK(kept == size);
        if (size > offsetof(polite_verdict, allowed)) CHECK(exact[offsetof(polite_verdict, allowed)] == 0);
        free(exact);
    }
    polite_robot_free(robot);

    /* Options that end before a field leave it at its default. */
    const char *body = "User-agent: *\nDisallow: /a%7eb\nDisallow: /long";
    struct {
        polite_options options;
        int after;
    } larger = {{.size = sizeof larger, .dialect = POLITE_DIALECT_GOOGLE, .max_bytes = 33}, 1};
    struct {
        uint32_t size;
        bool is_google, is_cut;
    } rows[] = {
        {0, false, false}, {4, false, false}, {5, true, false}, {8, true, false},
        {15, true, false}, {16, true, true},  {24, true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        larger.options.size = rows[i].size;
        CHECK(polite_robot_new(str("a"), str(body), &larger.options, &robot) == POLITE_OK);
        CHECK(polite_robot_allowed(robot, str("/a~b")) == rows[i].is_google);
        CHECK(polite_robot_allowed(robot, str("/long")) == rows[i].is_cut);
        polite_robot_free(robot);
    }
    larger.options.size = sizeof larger.options;
    larger.options.dialect = 77;
    CHECK(polite_robot_new(str("a"), str(body), &larger.options, &robot) == POLITE_OK);
    CHECK(!polite_robot_allowed(robot, str("/a~b")));
    polite_robot_free(robot);
}

static void texts(void) {
    polite_robot *robot = robot_of("ExampleBot", FILE_OF_A_SHOP);
    const char *sentence = "disallowed by line 2: Disallow: /cart/ in the named group on line 1";
    const size_t length = strlen(sentence);
    CHECK(polite_robot_explain(robot, str("/cart/1"), NULL, 0) == length);
    CHECK(polite_robot_explain(robot, str("/cart/1"), NULL, 100) == length);
    for (size_t capacity = 0; capacity < length + 3; capacity++) {
        char *buffer = malloc(capacity + 1);
        CHECK(buffer != NULL);
        memset(buffer, '#', capacity + 1);
        CHECK(polite_robot_explain(robot, str("/cart/1"), buffer, capacity) == length);
        CHECK(buffer[capacity] == '#');
        if (capacity > 0) {
            const size_t copied = capacity - 1 < length ? capacity - 1 : length;
            CHECK(memcmp(buffer, sentence, copied) == 0 && buffer[copied] == '\0');
        }
        free(buffer);
    }

    uint64_t seconds = 7;
    uint32_t nanoseconds = 7;
    CHECK(polite_robot_crawl_delay(robot, &seconds, &nanoseconds) && seconds == 2 && nanoseconds == 500000000);
    CHECK(polite_robot_crawl_delay(robot, NULL, NULL));

    polite_str sitemaps[3];
    CHECK(polite_robot_sitemaps(robot, 0, NULL, 0) == 3 && polite_robot_sitemaps(robot, 1, NULL, 9) == 2);
    CHECK(polite_robot_sitemaps(robot, 0, sitemaps, 2) == 3);
    CHECK(is(sitemaps[0], "https://example.com/a.xml") && is(sitemaps[1], "https://example.com/b.xml"));
    CHECK(polite_robot_sitemaps(robot, 2, sitemaps, 3) == 1 && is(sitemaps[0], "/c.xml"));
    CHECK(polite_robot_sitemaps(robot, 3, sitemaps, 3) == 0 && polite_robot_sitemaps(robot, SIZE_MAX, sitemaps, 3) == 0);
    polite_robot_free(robot);

    robot = robot_of("OtherBot", FILE_OF_A_SHOP);
    seconds = 7;
    CHECK(!polite_robot_crawl_delay(robot, &seconds, &nanoseconds) && seconds == 7);
    polite_robot_free(robot);

    char buffer[200];
    CHECK(polite_robots_url(str("HTTPS://user@Example.COM:443/deep?q#top"), buffer, sizeof buffer) == 30);
    CHECK(strcmp(buffer, "https://example.com/robots.txt") == 0);
    CHECK(polite_robots_url(str("HTTPS://user@Example.COM:443/deep?q#top"), buffer, 6) == 30);
    CHECK(strcmp(buffer, "https") == 0);
    strcpy(buffer, "as it was");
    CHECK(polite_robots_url(str("mailto:a@example.com"), buffer, sizeof buffer) == 0);
    CHECK(strcmp(buffer, "as it was") == 0);
    CHECK(polite_last_error(buffer, sizeof buffer) > 0 && strstr(buffer, "mailto:a@example.com") != NULL);

    const char *header = "Mozilla/5.0 (compatible; ExampleBot/2.1; +https://example.com/bot)";
    CHECK(polite_product_token(str(header), buffer, sizeof buffer) == 10 && strcmp(buffer, "ExampleBot") == 0);
    CHECK(polite_product_token(str("(no name)"), buffer, sizeof buffer) == 0);
    CHECK(strcmp(buffer, "ExampleBot") == 0);
}

static void errors(void) {
    char buffer[200];
    polite_robot *robot = (polite_robot *)(void *)buffer;
    CHECK(polite_robot_new(str("ExampleBot/2.1"), nothing, NULL, &robot) == POLITE_INVALID_TOKEN);
    CHECK(robot == (polite_robot *)(void *)buffer);
    const size_t length = polite_last_error(NULL, 0);
    CHECK(polite_last_error(buffer, sizeof buffer) == length && strlen(buffer) == length);
    CHECK(strstr(buffer, "`ExampleBot` was probably meant") != NULL);
    /* A success leaves it. */
    polite_robot_free(robot_of("a", ""));
    CHECK(polite_last_error(NULL, 0) == length);
    CHECK(polite_last_error(buffer, 2) == length && strlen(buffer) == 1);
    CHECK(polite_robot_new(str("\xFF"), nothing, NULL, &robot) == POLITE_INVALID_TOKEN);
    CHECK(polite_robot_new(nothing, nothing, NULL, &robot) == POLITE_INVALID_TOKEN);
}

static void documents(void) {
    polite_robots_txt *file = polite_robots_txt_parse(str(FILE_OF_A_SHOP), NULL);
    CHECK(file != NULL);
    polite_robot *robot = NULL;
    polite_str agents[] = {str("ExampleBot-Image"), str("ExampleBot")};
    CHECK(polite_robots_txt_robot(file, agents, 1, &robot) == POLITE_OK);
    CHECK(!polite_robot_allowed(robot, str("/x")));
    polite_robot_free(robot);
    CHECK(polite_robots_txt_robot(file, agents, 2, &robot) == POLITE_OK);
    CHECK(polite_robot_allowed(robot, str("/x")) && !polite_robot_allowed(robot, str("/cart/")));
    polite_robot_free(robot);
    CHECK(polite_robots_txt_robot_first(file, agents, 2, &robot) == POLITE_OK);
    CHECK(polite_robot_allowed(robot, str("/x")));
    polite_robot_free(robot);
    CHECK(polite_robots_txt_robot(file, NULL, 0, &robot) == POLITE_OK);
    CHECK(!polite_robot_allowed(robot, str("/x")));
    polite_robot_free(robot);
    CHECK(polite_robots_txt_robot_first(file, NULL, 0, &robot) == POLITE_OK);
    polite_robot_free(robot);

    robot = NULL;
    agents[1] = str("no token");
    CHECK(polite_robots_txt_robot(file, agents, 2, &robot) == POLITE_INVALID_TOKEN && robot == NULL);
    CHECK(polite_robots_txt_robot_first(file, agents, 2, &robot) == POLITE_INVALID_TOKEN && robot == NULL);

    polite_str sitemaps[3];
    CHECK(polite_robots_txt_sitemaps(file, 1, sitemaps, 3) == 2 && is(sitemaps[1], "/c.xml"));

    /* A robot outlives its document, and a second handle the first. */
    CHECK(polite_robots_txt_robot(file, agents, 1, &robot) == POLITE_OK);
    polite_robots_txt_free(file);
    polite_robot *second = polite_robot_clone(robot);
    CHECK(second != NULL && second != robot);
    polite_robot_free(robot);
    CHECK(!polite_robot_allowed(second, str("/x")));
    polite_robot_free(second);
}

struct lines {
    unsigned count;
    bool is_any_too_long;
    char text[1000];
};

static void take_line(void *context, const polite_line *line) {
    struct lines *lines = context;
    CHECK(line->size == sizeof *line);
    lines->count++;
    lines->is_any_too_long |= line->is_line_too_long;
    CHECK(line->line == lines->count);
    char text[200];
    snprintf(text, sizeof text, "%u %.*s=%.*s%s%s%s%s%s%s\n", line->tag, (int)line->name.length,
             line->name.length > 0 ? line->name.data : "", (int)line->value.length,
             line->value.length > 0 ? line->value.data : "", line->is_typo ? " typo" : "", line->is_empty ? " empty" : "",
             line->is_comment ? " comment" : "", line->has_comment ? " has_comment" : "",
             line->has_directive ? " directive" : "", line->is_missing_colon ? " no_colon" : "");
    strcat(lines->text, text);
}

static void lines(void) {
    const char *body =
        "# for all\n\nUser agent: *\nDisalow /x # why\nDisallowed: /y\nallow: \nsite-map: /m\nCrawl delay: 1\nhtml\n: /";
    struct lines found = {0, false, ""};
    polite_options google = {.size = sizeof google, .dialect = POLITE_DIALECT_GOOGLE};
    polite_robots_txt *file = polite_robots_txt_parse(str(body), &google);
    polite_robots_txt_lines(file, take_line, &found);
    polite_robots_txt_lines(file, NULL, &found);
    polite_robots_txt_free(file);
    CHECK(strcmp(found.text,
                 "0 = comment has_comment\n"
                 "0 = empty\n"
                 "1 User agent=* typo directive\n"
                 "3 Disalow=/x typo has_comment directive no_colon\n"
                 "3 Disallowed=/y directive\n"
                 "2 allow= directive\n"
                 "4 site-map=/m typo directive\n"
                 "0 Crawl delay=1 directive\n"
                 "0 =\n"
                 "0 =\n") == 0);
    CHECK(!found.is_any_too_long);
    char *longest = malloc(20000);
    CHECK(longest != NULL);
    memset(longest, 'x', 20000);
    memcpy(longest, "Allow: /", 8);
    found.count = 0;
    found.text[0] = '\0';
    polite_str body_of_one_line = {longest, 20000};
    file = polite_robots_txt_parse(body_of_one_line, NULL);
    polite_robots_txt_lines(file, take_line, &found);
    CHECK(found.is_any_too_long);
    CHECK(found.count == 1 && strncmp(found.text, "2 Allow=/xxx", 12) == 0);
    polite_robots_txt_free(file);
    free(longest);
}

static void nulls(void) {
    polite_robot *robot = NULL;
    polite_robots_txt *file = NULL;
    polite_str agent = str("a");
    uint64_t seconds = 1;
    char buffer[8] = "kept";

    CHECK(polite_robot_new(agent, nothing, NULL, NULL) == POLITE_NULL);
    CHECK(polite_robots_txt_robot(NULL, &agent, 1, &robot) == POLITE_NULL && robot == NULL);
    CHECK(polite_robots_txt_robot_first(NULL, &agent, 1, &robot) == POLITE_NULL && robot == NULL);
    CHECK(polite_last_error(NULL, 0) == strlen("the document is NULL"));
    CHECK(!polite_robot_allowed(NULL, str("/")));
    polite_robot_check(NULL, str("/"), NULL);
    polite_verdict verdict;
    memset(&verdict, 0xAA, sizeof verdict);
    verdict.size = sizeof verdict;
    polite_robot_check(NULL, str("/"), &verdict);
    CHECK(!verdict.allowed && verdict.reason == POLITE_REASON_NO_ROBOT && verdict.pattern.length == 0);
    CHECK(polite_robot_explain(NULL, str("/"), buffer, sizeof buffer) == 0 && strcmp(buffer, "kept") == 0);
    CHECK(!polite_robot_crawl_delay(NULL, &seconds, NULL) && seconds == 1);
    CHECK(polite_robot_sitemaps(NULL, 0, NULL, 0) == 0 && polite_robots_txt_sitemaps(NULL, 0, NULL, 5) == 0);
    CHECK(polite_robot_clone(NULL) == NULL && polite_robot_named_only(NULL) == NULL);
    polite_robot_free(NULL);
    polite_robots_txt_free(NULL);
    polite_robots_txt_lines(NULL, take_line, NULL);
    polite_robots_txt_lines(NULL, NULL, NULL);
    CHECK(polite_robots_url(nothing, buffer, sizeof buffer) == 0 && polite_robots_url(no_bytes, NULL, 0) == 0);
    CHECK(polite_product_token(nothing, buffer, sizeof buffer) == 0 && polite_product_token(no_bytes, NULL, 9) == 0);

    /* An empty file, with and without a pointer, allows everything; so does an empty URL about no file. */
    polite_str files[] = {nothing, no_bytes, {"", 0}, {"not read", 0}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        CHECK(polite_robot_new(agent, files[i], NULL, &robot) == POLITE_OK);
        CHECK(polite_robot_allowed(robot, nothing) && polite_robot_allowed(robot, no_bytes));
        polite_robot_check(robot, nothing, NULL);
        CHECK(polite_robot_sitemaps(robot, 0, NULL, 0) == 0);
        polite_robot_free(robot);
        file = polite_robots_txt_parse(files[i], NULL);
        CHECK(file != NULL);
        CHECK(polite_robots_txt_robot(file, NULL, 1, &robot) == POLITE_NULL);
        CHECK(polite_robots_txt_robot_first(file, NULL, 2, &robot) == POLITE_NULL);
        CHECK(polite_robots_txt_robot(file, &agent, 1, NULL) == POLITE_NULL);
        CHECK(polite_robots_txt_robot(file, &nothing, 1, &robot) == POLITE_INVALID_TOKEN);
        CHECK(polite_robots_txt_robot(file, &no_bytes, 1, &robot) == POLITE_INVALID_TOKEN);
        struct lines found = {0, false, ""};
        polite_robots_txt_lines(file, take_line, &found);
        CHECK(found.count == 1);
        polite_robots_txt_free(file);
    }
    CHECK(polite_abi_version() == ((uint32_t)POLITE_ABI_MAJOR << 16 | POLITE_ABI_MINOR));
}

static void *ask_often(void *shared) {
    const polite_robot *robot = shared;
    char buffer[100];
    for (int i = 0; i < 200; i++) {
        char url[40];
        snprintf(url, sizeof url, "/cart/%d", i);
        CHECK(!polite_robot_allowed(robot, str(url)));
        CHECK(polite_robot_allowed(robot, str("/cart/help")));
        polite_verdict verdict = check_of(robot, url);
        CHECK(verdict.line == 2 && is(verdict.pattern, "/cart/"));
        polite_robot *own = polite_robot_clone(robot);
        CHECK(polite_robot_explain(own, str("/"), buffer, sizeof buffer) > 0);
        polite_robot_free(own);
        /* Each thread has errors of its own. */
        polite_robot *none = NULL;
        CHECK(polite_robot_new(str(url), nothing, NULL, &none) == POLITE_INVALID_TOKEN);
        CHECK(polite_last_error(buffer, sizeof buffer) > 0 && strstr(buffer, url) != NULL);
    }
    return NULL;
}

static void threads(void) {
    polite_robot *robot = robot_of("ExampleBot", FILE_OF_A_SHOP);
    pthread_t threads[8];
    for (size_t i = 0; i < 8; i++) CHECK(pthread_create(&threads[i], NULL, ask_often, robot) == 0);
    for (size_t i = 0; i < 8; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    polite_robot_free(robot);
}

/* The functions without structs by value give the same answers, and the sentence of a failure. */
static void bytes(void) {
    static const char body[] = "User-agent: *\nDisallow: /search\n";
    static const char url[] = "https://example.com/search?q";
    char text[200], error[200];
    polite_robot *robot = NULL;
    CHECK(polite_robot_new_bytes("ExampleBot", 10, body, sizeof body - 1, NULL, &robot, error, sizeof error) == POLITE_OK);
    CHECK(!polite_robot_allowed_bytes(robot, url, sizeof url - 1) && polite_robot_allowed_bytes(robot, "/", 1));
    polite_verdict verdict = {.size = sizeof verdict};
    polite_robot_check_bytes(robot, url, sizeof url - 1, &verdict);
    CHECK(!verdict.allowed && verdict.line == 2 && is(verdict.pattern, "/search"));
    CHECK(polite_robot_explain_bytes(robot, url, sizeof url - 1, text, sizeof text) == strlen(text));
    CHECK(strstr(text, "line 2") != NULL);
    polite_robot_free(robot);

    polite_robots_txt *document = polite_robots_txt_parse_bytes(body, sizeof body - 1, NULL);
    CHECK(polite_robots_txt_robot_bytes(document, "ExampleBot", 10, &robot, NULL, 0) == POLITE_OK);
    CHECK(!polite_robot_allowed_bytes(robot, url, sizeof url - 1));
    polite_robot_free(robot);
    robot = NULL;
    CHECK(polite_robots_txt_robot_bytes(document, "Ex/1", 4, &robot, error, sizeof error) == POLITE_INVALID_TOKEN);
    CHECK(robot == NULL && strstr(error, "`Ex/1`") != NULL);
    polite_robots_txt_free(document);
    CHECK(polite_robot_new_bytes("Ex/2", 4, NULL, 10, NULL, &robot, error, sizeof error) == POLITE_INVALID_TOKEN);
    CHECK(robot == NULL && strstr(error, "`Ex/2`") != NULL);

    CHECK(polite_robots_url_bytes(url, sizeof url - 1, text, sizeof text, error, sizeof error) == strlen(text));
    CHECK(strcmp(text, "https://example.com/robots.txt") == 0);
    CHECK(polite_robots_url_bytes("mailto:a@b", 10, text, sizeof text, error, sizeof error) == 0);
    CHECK(strstr(error, "mailto") != NULL);
    CHECK(polite_robots_url_bytes(NULL, 10, NULL, 0, NULL, 0) == 0);
    CHECK(polite_product_token_bytes("ExampleBot/2.1", 14, text, sizeof text) == 10);
    CHECK(strcmp(text, "ExampleBot") == 0);
    CHECK(!polite_robot_allowed_bytes(NULL, NULL, 1));
}

int main(void) {
    CHECK(polite_last_error(NULL, 0) == 0);
    verdicts();
    bytes();
    sizes();
    texts();
    errors();
    documents();
    lines();
    nulls();
    threads();
    puts("C: every function answered");
    return 0;
}
