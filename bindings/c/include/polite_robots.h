/* polite_robots.h: may this agent fetch this URL, and which line of robots.txt decides?
 *
 * Made by cbindgen from the crate polite-robots-c; bindings/c/README.md is its guide.
 *
 * A polite_str has a length, and nothing needs a NUL at its end. Every pointer may be NULL, and the answer for it is
 * said. No input is undefined but for a pointer that points at less than it says, or at what was freed. */

#ifndef POLITE_ROBOTS_H
#define POLITE_ROBOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Grows when a program has to be compiled again; the soname of the shared library ends with it.
 */
#define POLITE_ABI_MAJOR 0

/**
 * Grows when functions, values or fields are added. A program needs at least the one that it was
 * compiled with.
 */
#define POLITE_ABI_MINOR 2

/**
 * The result of a function that can fail. Its outputs are written only if it is `POLITE_OK`.
 */
typedef enum {
    /**
     * The outputs are written.
     */
    POLITE_OK = 0,
    /**
     * An agent is neither a product token nor `*`. `polite_last_error` names the token that was
     * probably meant.
     */
    POLITE_INVALID_TOKEN = 1,
    /**
     * A URL has no robots.txt.
     */
    POLITE_INVALID_URL = 2,
    /**
     * A pointer that the function needs is NULL.
     */
    POLITE_NULL = 3,
    /**
     * A fault of this library, which was caught at its border.
     */
    POLITE_PANIC = 4
} polite_result;

/**
 * The groups of the file that the rules are from.
 */
enum polite_agent_match
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * No group of the file is for this agent.
     */
    POLITE_AGENT_MATCH_NONE = 0,
    /**
     * No group names the agent, so the `User-agent: *` groups apply.
     */
    POLITE_AGENT_MATCH_WILDCARD = 1,
    /**
     * Groups name the agent. The `*` groups do not count then.
     */
    POLITE_AGENT_MATCH_NAMED = 2
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_agent_match polite_agent_match;
#else
typedef uint8_t polite_agent_match;
#endif /* __STDC_VERSION__ >= 202311L */
#endif /* __cplusplus */

/**
 * The event that decides about a whole site in place of a robots.txt.
 */
enum polite_cause
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * The reason is not `POLITE_REASON_BLANKET`.
     */
    POLITE_CAUSE_NONE = 0,
    /**
     * The crawler's operator decided so.
     */
    POLITE_CAUSE_CONFIGURED = 1,
    /**
     * The request for the robots.txt was answered with the HTTP status in `status`.
     */
    POLITE_CAUSE_STATUS = 2,
    /**
     * A cause that this version of the ABI has no number for.
     */
    POLITE_CAUSE_OTHER = 255
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_cause polite_cause;
#else
typedef uint8_t polite_cause;
#endif /* __STDC_VERSION__ >= 202311L */
#endif /* __cplusplus */

/**
 * The reading of a file that decides verdicts.
 */
enum polite_dialect
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * RFC 9309, with the tolerance of malformed lines that it permits. The default.
     */
    POLITE_DIALECT_RFC9309 = 0,
    /**
     * The verdict and the matching line of Google's open-source C++ matcher.
     */
    POLITE_DIALECT_GOOGLE = 1
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_dialect polite_dialect;
#else
typedef uint8_t polite_dialect;
#endif /* __STDC_VERSION__ >= 202311L */
#endif /* __cplusplus */

/**
 * The reason of a verdict.
 */
enum polite_reason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * There was no robot to ask, so the URL is disallowed.
     */
    POLITE_REASON_NO_ROBOT = 0,
    /**
     * The matching rule with the most bytes decided; `Allow` on a tie.
     */
    POLITE_REASON_RULE = 1,
    /**
     * Google dialect only: an `Allow` for an `index.htm` page allowed the directory of the page
     * too.
     */
    POLITE_REASON_DIRECTORY_OF_INDEX = 2,
    /**
     * Groups apply to the agent, but none of their rules matches.
     */
    POLITE_REASON_NO_RULE_MATCHES = 3,
    /**
     * The file has no group for the agent.
     */
    POLITE_REASON_NO_GROUP = 4,
    /**
     * The URL is `/robots.txt`, which is always allowed, but not in the Google dialect.
     */
    POLITE_REASON_ROBOTS_TXT_ITSELF = 5,
    /**
     * There was no file to read, and the answer for the whole site follows from `cause`.
     */
    POLITE_REASON_BLANKET = 6,
    /**
     * A reason that this version of the ABI has no number for.
     */
    POLITE_REASON_OTHER = 255
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_reason polite_reason;
#else
typedef uint8_t polite_reason;
#endif /* __STDC_VERSION__ >= 202311L */
#endif /* __cplusplus */

/**
 * The meaning of a line.
 */
enum polite_tag
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * No record, or a record with another field name.
     */
    POLITE_TAG_UNKNOWN = 0,
    /**
     * A `User-agent` record.
     */
    POLITE_TAG_USER_AGENT = 1,
    /**
     * An `Allow` record.
     */
    POLITE_TAG_ALLOW = 2,
    /**
     * A `Disallow` record.
     */
    POLITE_TAG_DISALLOW = 3,
    /**
     * A `Sitemap` record.
     */
    POLITE_TAG_SITEMAP = 4
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_tag polite_tag;
#else
typedef uint8_t polite_tag;
#endif /* __STDC_VERSION__ >= 202311L */
#endif /* __cplusplus */

/**
 * A robots.txt for one agent: the rules that apply to it, compiled. It outlives the document that
 * it was made from.
 *
 * It never changes: any number of threads may ask one robot at the same time, without a lock. Free
 * it once with `polite_robot_free`, when no thread uses it any more.
 */
typedef struct polite_robot polite_robot;

/**
 * A robots.txt for every agent.
 *
 * It never changes: any number of threads may use one document at the same time, without a lock.
 * Free it once with `polite_robots_txt_free`, when no thread uses it any more.
 */
typedef struct polite_robots_txt polite_robots_txt;

/**
 * How a robots.txt is read. Begin with zeros and `size`, which lets the struct grow:
 * `polite_options options = {.size = sizeof options};`. NULL stands for the defaults.
 *
 * A plain value of the caller, read during the call alone: threads may share one that nobody
 * changes.
 */
typedef struct {
    /**
     * `sizeof(polite_options)` of the caller. Fields beyond it have their defaults.
     */
    uint32_t size;
    /**
     * A `polite_dialect`. Other values count as `POLITE_DIALECT_RFC9309`.
     */
    uint8_t dialect;
    /**
     * Zeros.
     */
    uint8_t reserved[3];
    /**
     * The number of bytes after which the file is cut, back to the end of the last whole line; 0
     * for no limit. RFC 9309 asks for at least 512000. No file is read beyond 512 MiB.
     */
    uint64_t max_bytes;
} polite_options;

/**
 * Some bytes, with their length: they need not be text, and no NUL ends them.
 *
 * As an argument it is read during the call alone. As a result it is valid as long as its owner,
 * which the function that returns it names. One whose `data` is NULL is empty, whatever its
 * `length`. A plain value: any thread may have a copy.
 */
typedef struct {
    /**
     * The first byte.
     */
    const char *data;
    /**
     * The number of bytes.
     */
    size_t length;
} polite_str;

/**
 * The answer to "may this agent fetch this URL?", with its evidence. Set `size` before each call,
 * which lets the struct grow: `polite_verdict verdict = {.size = sizeof verdict};`.
 *
 * A plain value of the caller, with nothing to be freed; its patterns belong to the robot. Threads
 * need one each while it is written.
 */
typedef struct {
    /**
     * `sizeof(polite_verdict)` of the caller. Nothing beyond it is written.
     */
    uint32_t size;
    /**
     * Whether the URL may be fetched.
     */
    bool allowed;
    /**
     * A `polite_reason`.
     */
    uint8_t reason;
    /**
     * A `polite_agent_match`.
     */
    uint8_t agent_match;
    /**
     * A `polite_cause`.
     */
    uint8_t cause;
    /**
     * The HTTP status of `POLITE_CAUSE_STATUS`; 0 otherwise.
     */
    uint16_t status;
    /**
     * The line of the rule that decided, from 1; 0 if none did.
     */
    uint32_t line;
    /**
     * The line of the `User-agent` record by which the group applies to the agent; 0 if none does.
     */
    uint32_t group_line;
    /**
     * The line of the longest matching rule of the opposite kind; 0 if there is none.
     */
    uint32_t overruled_line;
    /**
     * The pattern of the rule that decided, in compared form; empty if none did. Valid as long as
     * the robot.
     */
    polite_str pattern;
    /**
     * The pattern of the rule on `overruled_line`; empty if there is none. Valid as long as the
     * robot.
     */
    polite_str overruled_pattern;
} polite_verdict;

/**
 * A line of a robots.txt, as the dialect of the document reads it. It is valid until the function
 * that gets it returns, its texts until the document is freed. A plain value: a copy may go to any
 * thread.
 */
typedef struct {
    /**
     * `sizeof(polite_line)` of the library. Fields beyond it are not there.
     */
    uint32_t size;
    /**
     * The number of the line, from 1.
     */
    uint32_t line;
    /**
     * A `polite_tag`.
     */
    uint8_t tag;
    /**
     * The field name is a misspelling of one that `tag` names, such as `Disalow`.
     */
    bool is_typo;
    /**
     * Nothing or white space.
     */
    bool is_empty;
    /**
     * A comment and nothing else.
     */
    bool is_comment;
    /**
     * A comment, maybe after something else.
     */
    bool has_comment;
    /**
     * A record: `name` and `value` are set.
     */
    bool has_directive;
    /**
     * More than the 16,663 bytes that Google's matcher reads.
     */
    bool is_line_too_long;
    /**
     * A record with white space in place of its colon.
     */
    bool is_missing_colon;
    /**
     * The field name as written, without white space around it; empty if the line is not a record.
     */
    polite_str name;
    /**
     * The value as written, without white space around it and without a comment; empty if the line
     * is not a record.
     */
    polite_str value;
} polite_line;

/**
 * A function that gets a line, on the thread that asked for the lines. It must return: neither
 * `longjmp` nor an exception may leave it. `context` stays the caller's.
 */
typedef void (*polite_line_fn)(void *context, const polite_line *line);

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/**
 * `polite_robots_txt_parse` with the bytes as a pointer and a length.
 */
polite_robots_txt *polite_robots_txt_parse_bytes(const char *robots_txt, size_t length, const polite_options *options);

/**
 * `polite_robots_txt_from_status` with the body as a pointer and a length.
 */
polite_robots_txt *polite_robots_txt_from_status_bytes(uint16_t status,
                                                       const char *body,
                                                       size_t length,
                                                       const polite_options *options);

/**
 * `polite_robots_txt_robot` for one agent. The sentence of a failure is written into `error`, as
 * `polite_last_error` does; `error` may be NULL.
 */
polite_result polite_robots_txt_robot_bytes(const polite_robots_txt *robots_txt,
                                            const char *agent,
                                            size_t agent_length,
                                            polite_robot **out,
                                            char *error,
                                            size_t error_capacity);

/**
 * `polite_robot_new` with both texts as a pointer and a length. The sentence of a failure is
 * written into `error`, as `polite_last_error` does; `error` may be NULL.
 */
polite_result polite_robot_new_bytes(const char *agent,
                                     size_t agent_length,
                                     const char *robots_txt,
                                     size_t length,
                                     const polite_options *options,
                                     polite_robot **out,
                                     char *error,
                                     size_t error_capacity);

/**
 * `polite_robot_allowed` with the URL as a pointer and a length.
 */
bool polite_robot_allowed_bytes(const polite_robot *robot, const char *url, size_t length);

/**
 * `polite_robot_check` with the URL as a pointer and a length.
 */
void polite_robot_check_bytes(const polite_robot *robot, const char *url, size_t length, polite_verdict *out);

/**
 * `polite_robot_explain` with the URL as a pointer and a length.
 */
size_t polite_robot_explain_bytes(const polite_robot *robot,
                                  const char *url,
                                  size_t length,
                                  char *buffer,
                                  size_t capacity);

/**
 * `polite_robots_url` with the URL as a pointer and a length. If it returns 0, the reason is
 * written into `error`, as `polite_last_error` does; `error` may be NULL.
 */
size_t polite_robots_url_bytes(const char *url,
                               size_t length,
                               char *buffer,
                               size_t capacity,
                               char *error,
                               size_t error_capacity);

/**
 * `polite_product_token` with the header as a pointer and a length.
 */
size_t polite_product_token_bytes(const char *user_agent, size_t length, char *buffer, size_t capacity);

/**
 * Reads a robots.txt for every agent. `robots_txt` may be any bytes, and is copied. For one agent,
 * `polite_robot_new` takes less time and memory.
 *
 * The caller frees the document with `polite_robots_txt_free`. `options` may be NULL. Never NULL,
 * but for a fault that was caught. Thread-safe.
 */
polite_robots_txt *polite_robots_txt_parse(polite_str robots_txt, const polite_options *options);

/**
 * The document that a response to `GET /robots.txt` is, by its status: the rules of `body` after
 * 200 to 299 but 206, everything allowed after 400 to 499 but 429, and nothing after any other
 * (RFC 9309 section 2.3.1). `body` is whole and its content coding is undone; follow redirects
 * first.
 *
 * The caller frees the document with `polite_robots_txt_free`. `options` may be NULL. Never NULL,
 * but for a fault that was caught. Thread-safe.
 */
polite_robots_txt *polite_robots_txt_from_status(uint16_t status, polite_str body, const polite_options *options);

/**
 * Compiles the rules of `n` agents as one set: if the file names any of them, the rules of all
 * groups that do, else those of `*`. One agent is the usual case; no agent asks for `*`. Google's
 * matcher does the same with several agents.
 *
 * On `POLITE_OK`, `*out` is a new robot that the caller frees with `polite_robot_free`. Fails with
 * `POLITE_INVALID_TOKEN` for the first agent that is neither a product token nor `*`, and with
 * `POLITE_NULL` if the document, the list of `n` agents or `out` is NULL. Thread-safe, also with
 * one document.
 */
polite_result polite_robots_txt_robot(const polite_robots_txt *robots_txt,
                                      const polite_str *agents,
                                      size_t n,
                                      polite_robot **out);

/**
 * Compiles the rules of the first of `n` agents that the file names, else those of `*`. Give the
 * names of a crawler with the most specific one first: `ExampleBot-Image`, then `ExampleBot`.
 *
 * Results and failures are those of `polite_robots_txt_robot`. Thread-safe, also with one
 * document.
 */
polite_result polite_robots_txt_robot_first(const polite_robots_txt *robots_txt,
                                            const polite_str *agents,
                                            size_t n,
                                            polite_robot **out);

/**
 * Writes the values of the `Sitemap` records from the number `from` on, counted from 0, and at
 * most `capacity` of them. Returns how many there are from there on, so a call without room counts
 * them. They are in the order of the file, as written, in UTF-8.
 *
 * Each is valid until the document is freed. 0 if the document is NULL; `out` may be NULL.
 * Thread-safe, also with one document.
 */
size_t polite_robots_txt_sitemaps(const polite_robots_txt *robots_txt, size_t from, polite_str *out, size_t capacity);

/**
 * Calls `line_fn` for every line of the file, in order, with `context` as it was given.
 *
 * Nothing happens if the document or `line_fn` is NULL. Thread-safe, also with one document; the
 * calls come on the caller's thread, before this function returns.
 */
void polite_robots_txt_lines(const polite_robots_txt *robots_txt, polite_line_fn line_fn, void *context);

/**
 * Frees a document. Its robots stay. Nothing happens for NULL. Thread-safe, once for each document
 * and after its last use.
 */
void polite_robots_txt_free(polite_robots_txt *robots_txt);

/**
 * Writes the sentence of the last failure of this thread, as `snprintf` would: at most `capacity`
 * bytes with the NUL at the end. Returns the length of the whole sentence without the NUL; 0 if
 * nothing failed in this thread yet.
 *
 * A success does not erase the sentence. `buffer` may be NULL if only the length is wanted.
 * Thread-safe: each thread has a sentence of its own.
 */
size_t polite_last_error(char *buffer, size_t capacity);

/**
 * Reads a robots.txt for one agent, in one pass; the records of other agents are not kept.
 * `robots_txt` may be any bytes, and nothing is borrowed from it. `agent` is a product token such
 * as `ExampleBot`, or `*`.
 *
 * On `POLITE_OK`, `*out` is a new robot that the caller frees with `polite_robot_free`. `options`
 * may be NULL. Fails with `POLITE_INVALID_TOKEN`, and with `POLITE_NULL` if `out` is NULL.
 * Thread-safe.
 */
polite_result polite_robot_new(polite_str agent,
                               polite_str robots_txt,
                               const polite_options *options,
                               polite_robot **out);

/**
 * A robot that allows everything, for a site without a robots.txt: RFC 9309 asks for it after a
 * status from 400 to 499. `status` is that HTTP status, or 0 if the operator of the crawler
 * decided so.
 *
 * The caller frees it with `polite_robot_free`. Never NULL, but for a fault that was caught.
 * Thread-safe.
 */
polite_robot *polite_robot_allow_all(uint16_t status);

/**
 * A robot that disallows everything but `/robots.txt`: RFC 9309 asks for it after a status from
 * 500 to 599. `status` is that HTTP status, or 0 if the operator of the crawler decided so.
 *
 * The caller frees it with `polite_robot_free`. Never NULL, but for a fault that was caught.
 * Thread-safe.
 */
polite_robot *polite_robot_disallow_all(uint16_t status);

/**
 * A second handle of the same robot, for another owner. It costs a counter, and each handle is
 * freed for itself.
 *
 * The caller frees it with `polite_robot_free`. NULL for NULL. Thread-safe.
 */
polite_robot *polite_robot_clone(const polite_robot *robot);

/**
 * A robot without the `User-agent: *` groups: if no group names the agent, nothing applies. Some
 * crawlers read robots.txt like this on sites whose owners asked for them; do not do so without
 * their consent.
 *
 * `robot` stays as it is, and the caller frees both. NULL for NULL. Thread-safe.
 */
polite_robot *polite_robot_named_only(const polite_robot *robot);

/**
 * Whether the agent may fetch the URL, which may be any bytes: a whole URL, or from its path on.
 * Percent-encode it as it will be requested.
 *
 * False if `robot` is NULL. Thread-safe, also with one robot.
 */
bool polite_robot_allowed(const polite_robot *robot, polite_str url);

/**
 * Whether the agent may fetch the URL, and why: writes as much of the verdict as `out->size`,
 * which the caller sets, has room for.
 *
 * If `robot` is NULL, the verdict disallows with `POLITE_REASON_NO_ROBOT`; if `out` is NULL,
 * nothing happens. The patterns in the verdict are valid until this handle is freed. Thread-safe,
 * also with one robot.
 */
void polite_robot_check(const polite_robot *robot, polite_str url, polite_verdict *out);

/**
 * Writes the verdict about a URL as one sentence for a log or a person, as `snprintf` would: at
 * most `capacity` bytes with the NUL at the end. Returns the length of the whole sentence without
 * the NUL.
 *
 * Returns 0 and writes nothing if `robot` is NULL. `buffer` may be NULL if only the length is
 * wanted. Thread-safe, also with one robot.
 */
size_t polite_robot_explain(const polite_robot *robot, polite_str url, char *buffer, size_t capacity);

/**
 * The `Crawl-delay` that the file asks of the agent, exactly: `*seconds` and `*nanoseconds` more,
 * fewer than a billion. It has no upper bound: a hostile file may ask for 584 billion years, so
 * cap it.
 *
 * False if there is none or if `robot` is NULL; then nothing is written. A place that is NULL is
 * left out. Thread-safe, also with one robot.
 */
bool polite_robot_crawl_delay(const polite_robot *robot, uint64_t *seconds, uint32_t *nanoseconds);

/**
 * Writes the values of the file's `Sitemap` records from the number `from` on, counted from 0, and
 * at most `capacity` of them. Returns how many there are from there on, so a call without room
 * counts them. They are for every agent: in the order of the file, as written, in UTF-8.
 *
 * Each is valid until this handle is freed. 0 if `robot` is NULL; `out` may be NULL. Thread-safe,
 * also with one robot.
 */
size_t polite_robot_sitemaps(const polite_robot *robot, size_t from, polite_str *out, size_t capacity);

/**
 * Frees a robot. Nothing happens for NULL. Thread-safe, once for each handle and after its last
 * use.
 */
void polite_robot_free(polite_robot *robot);

/**
 * Writes the URL of the robots.txt that governs a page, with a host outside of ASCII in punycode,
 * as `snprintf` would: at most `capacity` bytes with the NUL at the end. Returns the length of the
 * whole URL without the NUL.
 *
 * Returns 0 and writes nothing if `url` has no robots.txt: not http or https, or no valid host.
 * `polite_last_error` has the reason. `buffer` may be NULL if only the length is wanted.
 * Thread-safe.
 */
size_t polite_robots_url(polite_str url, char *buffer, size_t capacity);

/**
 * Writes the product token that a whole `User-Agent` header probably stands for, as `snprintf`
 * would: at most `capacity` bytes with the NUL at the end. Returns the length of the whole token
 * without the NUL.
 *
 * Returns 0 and writes nothing if there is none. It is a guess: a crawler knows its token and
 * should give that. `buffer` may be NULL if only the length is wanted. Thread-safe.
 */
size_t polite_product_token(polite_str user_agent, char *buffer, size_t capacity);

/**
 * The version of the library that is linked: `POLITE_ABI_MAJOR << 16 | POLITE_ABI_MINOR`.
 * Thread-safe.
 */
uint32_t polite_abi_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  /* __cplusplus */

#endif  /* POLITE_ROBOTS_H */
