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
 * A time that never comes.
 */
#define POLITE_NEVER UINT64_MAX

/**
 * Grows when a program has to be compiled again; the soname of the shared library ends with it.
 */
#define POLITE_ABI_MAJOR 0

/**
 * Grows when functions, values or fields are added. A program needs at least the one that it was
 * compiled with.
 */
#define POLITE_ABI_MINOR 3

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
    POLITE_PANIC = 4,
    /**
     * The bytes were not saved by a cache or a pace of this release.
     */
    POLITE_INVALID_SAVED = 5
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
 * The answer of a cache about a URL.
 */
enum polite_answer
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * There was nothing to ask; no permission.
     */
    POLITE_ANSWER_NONE = 0,
    /**
     * The URL may be fetched.
     */
    POLITE_ANSWER_ALLOWED = 1,
    /**
     * The site disallows the URL, by the rule on `line` or for the whole site by `cause`.
     */
    POLITE_ANSWER_DISALLOWED = 2,
    /**
     * Nothing of the site may be fetched before `retry_at_ms`, and no rule says so: its robots.txt
     * could not be had, by `cause`. Keep the URL until then.
     */
    POLITE_ANSWER_CLOSED = 3,
    /**
     * robots.txt is due: drive the fetch, and ask again.
     */
    POLITE_ANSWER_FETCH = 4,
    /**
     * Another caller's fetch is under way: ask again after its end.
     */
    POLITE_ANSWER_PENDING = 5,
    /**
     * The site is new, and the cache has no room for it before others are done: come back later.
     */
    POLITE_ANSWER_FULL = 6
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_answer polite_answer;
#else
typedef uint8_t polite_answer;
#endif /* __STDC_VERSION__ >= 202311L */
#endif /* __cplusplus */

/**
 * How the reading of a body ended.
 */
enum polite_body_end
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * All of it was read, and the client has seen the end of the header.
     */
    POLITE_BODY_COMPLETE = 0,
    /**
     * The connection broke, the chunks were malformed, or fewer bytes came than `Content-Length`
     * said. Values that this version does not know count as this one.
     */
    POLITE_BODY_CUT_SHORT = 1,
    /**
     * The caller stopped at `max_bytes`.
     */
    POLITE_BODY_LIMIT_REACHED = 2,
    /**
     * A decoder of the client failed: the bytes are not in the coding that the header names.
     */
    POLITE_BODY_UNDECODABLE = 3,
    /**
     * Complete, by a client that takes the end of the connection for the end of the header.
     */
    POLITE_BODY_UNPROVEN = 4
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_body_end polite_body_end;
#else
typedef uint8_t polite_body_end;
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
     * Its robots.txt was not fetched yet.
     */
    POLITE_CAUSE_NOT_FETCHED = 3,
    /**
     * There was no response, or a redirect to nowhere.
     */
    POLITE_CAUSE_UNREACHABLE = 4,
    /**
     * Too many redirects in a row.
     */
    POLITE_CAUSE_TOO_MANY_REDIRECTS = 5,
    /**
     * The response broke off.
     */
    POLITE_CAUSE_TRUNCATED = 6,
    /**
     * A line cannot be read, which `POLITE_PROFILE_IBM` takes for a file without rules.
     */
    POLITE_CAUSE_PARSE_ERRORS = 7,
    /**
     * In a long outage there is no earlier copy to go by.
     */
    POLITE_CAUSE_NO_COPY = 8,
    /**
     * The outage was too long, and the site is not asked any more.
     */
    POLITE_CAUSE_GAVE_UP = 9,
    /**
     * The file is in a coding that cannot be read.
     */
    POLITE_CAUSE_ENCODED = 10,
    /**
     * The cache has no room for the site.
     */
    POLITE_CAUSE_FULL = 11,
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
 * The reason why there is no response.
 */
enum polite_net_error
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * Anything else. Values that this version does not know count as this one.
     */
    POLITE_NET_OTHER = 0,
    /**
     * The host has no address, or its name servers did not answer.
     */
    POLITE_NET_DNS = 1,
    /**
     * The connection was refused or took too long.
     */
    POLITE_NET_CONNECT = 2,
    /**
     * The response took too long.
     */
    POLITE_NET_READ = 3,
    /**
     * The connection was reset or closed.
     */
    POLITE_NET_RESET = 4,
    /**
     * No secure connection: certificate, protocol.
     */
    POLITE_NET_TLS = 5,
    /**
     * The response is not HTTP.
     */
    POLITE_NET_INVALID_RESPONSE = 6,
    /**
     * The fault is the crawler's own, such as a network that is down. It says nothing about the
     * site.
     */
    POLITE_NET_LOCAL = 7,
    /**
     * The response began and broke off.
     */
    POLITE_NET_CUT_SHORT = 8,
    /**
     * The body is in a coding that cannot be undone, though the response names it.
     */
    POLITE_NET_ENCODED = 9
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_net_error polite_net_error;
#else
typedef uint8_t polite_net_error;
#endif /* __STDC_VERSION__ >= 202311L */
#endif /* __cplusplus */

/**
 * The way in which the page of a question is sent.
 */
enum polite_page
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * The caller keeps no turns of hosts: it sends the page at once, or waits by itself.
     */
    POLITE_PAGE_ALONE = 0,
    /**
     * The host has its turn now, by `polite_pace_turn`. The answer to a fetch counts until it is
     * asked for in a turn, so that a host with a long delay gets its pages too.
     */
    POLITE_PAGE_IN_TURN = 1,
    /**
     * The host has no turn yet, and the question is asked again when it has.
     */
    POLITE_PAGE_IN_LINE = 2
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_page polite_page;
#else
typedef uint8_t polite_page;
#endif /* __STDC_VERSION__ >= 202311L */
#endif /* __cplusplus */

/**
 * A set of answers to the questions that RFC 9309 leaves open.
 */
enum polite_profile
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * RFC 9309, with the stricter answer where it says MAY and a polite crawler's where it is
     * silent. The default.
     */
    POLITE_PROFILE_RFC9309 = 0,
    /**
     * The rules that Google documents for its crawlers; no `Crawl-delay`.
     */
    POLITE_PROFILE_GOOGLE = 1,
    /**
     * The procedure of the IBM Web crawler, which goes through every address of a host.
     */
    POLITE_PROFILE_IBM = 2
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_profile polite_profile;
#else
typedef uint8_t polite_profile;
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
 * A sign in the content of a page that a site does not want the crawler. The caller looks for it.
 */
enum polite_signal
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * None, or nobody looked. Values that this version does not know count as this one.
     */
    POLITE_SIGNAL_NONE = 0,
    /**
     * A test whether the visitor is human. The host rests; never solve it.
     */
    POLITE_SIGNAL_CHALLENGE = 1,
    /**
     * Content that is made up for robots. The host is asked far less often.
     */
    POLITE_SIGNAL_SOFT_BLOCK = 2,
    /**
     * Links that only a crawler sees. The pace stays; leave such links out.
     */
    POLITE_SIGNAL_HONEYPOT = 3
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_signal polite_signal;
#else
typedef uint8_t polite_signal;
#endif /* __STDC_VERSION__ >= 202311L */
#endif /* __cplusplus */

/**
 * Whether a page of a site came. It separates an outage of robots.txt alone from one of the site.
 */
enum polite_site
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * Nobody knows. Values that this version does not know count as this one.
     */
    POLITE_SITE_UNKNOWN = 0,
    /**
     * A page came.
     */
    POLITE_SITE_AVAILABLE = 1,
    /**
     * Pages do not come either.
     */
    POLITE_SITE_UNAVAILABLE = 2
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_site polite_site;
#else
typedef uint8_t polite_site;
#endif /* __STDC_VERSION__ >= 202311L */
#endif /* __cplusplus */

/**
 * The next action of a program for a robots.txt.
 */
enum polite_step
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * Nothing: there is no fetch.
     */
    POLITE_STEP_NONE = 0,
    /**
     * Send a GET request for `url`, without following redirects, and report its end by
     * `polite_fetch_response`, `polite_fetch_failed` or `polite_fetch_refused`.
     */
    POLITE_STEP_GET = 1,
    /**
     * Look up the addresses of `host`, and report them by `polite_fetch_resolved`, or leave that
     * to the client by `polite_fetch_by_name`. Only `POLITE_PROFILE_IBM` asks for it.
     */
    POLITE_STEP_RESOLVE = 2,
    /**
     * Come back at `until_ms`, or end the fetch: a later question goes on with it.
     */
    POLITE_STEP_WAIT = 3,
    /**
     * The round is over: give it to `polite_cache_end`.
     */
    POLITE_STEP_DONE = 4
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_step polite_step;
#else
typedef uint8_t polite_step;
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
 * Whether a host may be asked.
 */
enum polite_turn_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /**
     * There was nothing to ask; no turn.
     */
    POLITE_TURN_NONE = 0,
    /**
     * Now.
     */
    POLITE_TURN_READY = 1,
    /**
     * Not before `until_ms`.
     */
    POLITE_TURN_NOT_BEFORE = 2,
    /**
     * After the end of a request that is under way.
     */
    POLITE_TURN_BUSY = 3,
    /**
     * Never: the policy leaves this host out for its long `Crawl-delay`.
     */
    POLITE_TURN_SKIP = 4
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polite_turn_kind polite_turn_kind;
#else
typedef uint8_t polite_turn_kind;
#endif /* __STDC_VERSION__ >= 202311L */
#endif /* __cplusplus */

/**
 * The robots.txt of many sites: each is fetched when it is due, by one caller at a time, and kept
 * in bounded memory. It has no connections and no clock: the caller sends its requests, and passes
 * the time to each call.
 *
 * Any number of threads may use one cache at the same time: there is a lock inside, which is held
 * only during each call. Free it once with `polite_cache_free`, when no thread uses it any more.
 */
typedef struct polite_cache polite_cache;

/**
 * The right to fetch one robots.txt, and its round: redirects, addresses, and the meaning of the
 * answer. `polite_cache_ask` gives it; `polite_cache_end` takes it back.
 *
 * One thread at a time may use it, whichever that is. It does not refer to the cache, which may be
 * freed before it.
 */
typedef struct polite_fetch polite_fetch;

/**
 * The paces of the hosts of a crawl: one request of a host at a time, and a gap after it. All
 * requests count, those for robots.txt too. A host is forgotten once a new host in its place would
 * get no turn earlier.
 *
 * Any number of threads may use one pace at the same time: there is a lock inside, which is held
 * only during each call. Free it once with `polite_pace_free`, when no thread uses it any more.
 */
typedef struct polite_pace polite_pace;

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
 * A plain value of the caller, read only during the call: threads may share one that nobody
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
 * As an argument it is read only during the call. As a result it is valid as long as its owner,
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
 * How a cache and a pace decide: give both the same. Begin with zeros and `size`, which lets the
 * struct grow: `polite_policy policy = {.size = sizeof policy};`. NULL stands for the defaults.
 *
 * A plain value of the caller, read only during the call: threads may share one that nobody
 * changes.
 */
typedef struct {
    /**
     * `sizeof(polite_policy)` of the caller. Fields beyond it have their defaults.
     */
    uint32_t size;
    /**
     * A `polite_profile`. Other values count as `POLITE_PROFILE_RFC9309`.
     */
    uint8_t profile;
    /**
     * Zeros.
     */
    uint8_t reserved[3];
    /**
     * The bytes of memory of a cache, 300 for an origin and 2300 for a usual file; 0 for 64 MiB.
     */
    uint64_t max_memory;
    /**
     * The least time in milliseconds from the end of a request to the next one of its host; 0 for
     * that of the profile, which is a second.
     */
    uint64_t min_delay_ms;
} polite_policy;

/**
 * Whether a URL may be fetched now. Set `size` before each call, which lets the struct grow:
 * `polite_access access = {.size = sizeof access};`.
 *
 * A plain value of the caller, with nothing to be freed. Threads need one each while it is
 * written.
 */
typedef struct {
    /**
     * `sizeof(polite_access)` of the caller. Nothing beyond it is written.
     */
    uint32_t size;
    /**
     * A `polite_answer`. Only `POLITE_ANSWER_ALLOWED` is a permission.
     */
    uint8_t answer;
    /**
     * A `polite_cause`, if no rule of a file decided.
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
     * For `POLITE_ANSWER_CLOSED`, the time at which robots.txt is due again, in milliseconds since
     * 1970, which may be past; `POLITE_NEVER` if the site was given up. 0 otherwise.
     */
    uint64_t retry_at_ms;
} polite_access;

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

/**
 * The next step of a fetch. Set `size` before each call, which lets the struct grow:
 * `polite_fetch_step step = {.size = sizeof step};`.
 *
 * A plain value of the caller. Its texts belong to the fetch, and are valid until the next call
 * with that fetch.
 */
typedef struct {
    /**
     * `sizeof(polite_fetch_step)` of the caller. Nothing beyond it is written.
     */
    uint32_t size;
    /**
     * A `polite_step`.
     */
    uint8_t step;
    /**
     * Zeros.
     */
    uint8_t reserved[3];
    /**
     * The end of `POLITE_STEP_WAIT`, in milliseconds since 1970.
     */
    uint64_t until_ms;
    /**
     * The bytes of the body to read at most, after decoding.
     */
    uint64_t max_bytes;
    /**
     * The URL to ask for.
     */
    polite_str url;
    /**
     * The host of the URL, whose turn the request needs. After a redirect it may be another one.
     */
    polite_str host;
    /**
     * The address to connect to; empty if the client chooses.
     */
    polite_str address;
    /**
     * The value of `If-None-Match`; empty if the request has none.
     */
    polite_str etag;
    /**
     * The value of `If-Modified-Since`; empty if the request has none.
     */
    polite_str last_modified;
} polite_fetch_step;

/**
 * A field of a response's header, as it came: any bytes. The fields are in any order, and several
 * may have the same name. A plain value of the caller, read only during the call, on any thread.
 */
typedef struct {
    /**
     * The name, in any case.
     */
    polite_str name;
    /**
     * The value.
     */
    polite_str value;
} polite_header;

/**
 * The turn of a host. Set `size` before each call, which lets the struct grow: `polite_turn turn =
 * {.size = sizeof turn};`.
 *
 * A plain value of the caller, with nothing to be freed. Threads need one each while it is
 * written.
 */
typedef struct {
    /**
     * `sizeof(polite_turn)` of the caller. Nothing beyond it is written.
     */
    uint32_t size;
    /**
     * A `polite_turn_kind`.
     */
    uint8_t turn;
    /**
     * Zeros.
     */
    uint8_t reserved[3];
    /**
     * The time of `POLITE_TURN_NOT_BEFORE`, in milliseconds since 1970; `POLITE_NEVER` for never.
     * 0 otherwise.
     */
    uint64_t until_ms;
} polite_turn;

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
 * A cache without a site. The rules are those of the first of `n` agents that a file names, else
 * those of `*`: the most specific one first, `ExampleBot-Image`, then `ExampleBot`.
 *
 * On `POLITE_OK`, `*out` is a new cache that the caller frees with `polite_cache_free`. `policy`
 * may be NULL. Fails with `POLITE_INVALID_TOKEN` for the first agent that is not a product token,
 * and with `POLITE_NULL` if the list of `n` agents or `out` is NULL. Thread-safe.
 */
polite_result polite_cache_new(const polite_str *agents, size_t n, const polite_policy *policy, polite_cache **out);

/**
 * Whether a URL may be fetched now. `url` is a whole http or https URL of `length` bytes,
 * percent-encoded as it will be requested, and `page` a `polite_page`. Each hop of a redirect is a
 * question of its own.
 *
 * On `POLITE_OK` the answer is in `out`. With `POLITE_ANSWER_FETCH`, `*fetch` is a new fetch for
 * the caller to drive and to give to `polite_cache_end`; if `fetch` is NULL the next caller gets
 * it. With an answer that is about the site, `*robot` is a new robot of the rules in force, for
 * its sentences, its sitemaps and its `Crawl-delay`, which the caller frees with
 * `polite_robot_free`; that of a closed site disallows everything. `*fetch` and `*robot` are NULL
 * otherwise. Each place may be NULL.
 *
 * Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the cache is NULL. Thread-safe, also
 * with one cache.
 */
polite_result polite_cache_ask(polite_cache *cache,
                               const char *url,
                               size_t length,
                               uint8_t page,
                               uint64_t now_ms,
                               polite_access *out,
                               polite_robot **robot,
                               polite_fetch **fetch);

/**
 * Takes a fetch back, at whatever step it is, and frees it. The outcome of a fetch that is done
 * counts. A fetch that waits goes on with a later question. Any other fetch counts as given up: no
 * failure is counted, and robots.txt is due again at once.
 *
 * A fetch of another cache, or one whose lease was over, has no effect. Nothing happens for a
 * fetch that is NULL; if the cache is NULL the fetch is freed, and the result is `POLITE_NULL`.
 * Thread-safe, also with one cache; once for each fetch.
 */
polite_result polite_cache_end(polite_cache *cache, polite_fetch *fetch, uint64_t now_ms);

/**
 * Notes that the caller of a fetch is at work: its lease of ten minutes begins anew. Call it now
 * and then while a fetch waits long for the turn of a host, or another caller gets a second one.
 *
 * Fails with `POLITE_NULL` if the cache or the fetch is NULL. Thread-safe, also with one cache.
 */
polite_result polite_cache_renew(polite_cache *cache, const polite_fetch *fetch, uint64_t now_ms);

/**
 * Notes that the pages of a URL's site are done: the site is then forgotten before others.
 *
 * Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the cache is NULL. Thread-safe, also
 * with one cache.
 */
polite_result polite_cache_release(polite_cache *cache, const char *url, size_t length);

/**
 * Forgets the failures of a URL's site and makes its robots.txt due, even if the site was given
 * up.
 *
 * Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the cache is NULL. Thread-safe, also
 * with one cache.
 */
polite_result polite_cache_reset(polite_cache *cache, const char *url, size_t length);

/**
 * Notes whether a page of a URL's site came; `site` is a `polite_site`. In an outage a page that
 * came makes robots.txt due, as the site is back.
 *
 * Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the cache is NULL. Thread-safe, also
 * with one cache.
 */
polite_result polite_cache_set_site(polite_cache *cache, const char *url, size_t length, uint8_t site, uint64_t now_ms);

/**
 * Writes a sentence about a URL's site: what applies, since when, until when, and when the next
 * fetch is. Writes as `snprintf` would: at most `capacity` bytes with the NUL at the end. Returns
 * the length of the whole sentence without the NUL. Changes nothing.
 *
 * Returns 0 and writes nothing if the site is not known, if the URL is not valid, or if the cache
 * is NULL. `buffer` may be NULL if only the length is wanted. Thread-safe, also with one cache.
 */
size_t polite_cache_explain(polite_cache *cache,
                            const char *url,
                            size_t length,
                            uint64_t now_ms,
                            char *buffer,
                            size_t capacity);

/**
 * Saves the memory of the cache, to go on after a restart: an outage stays an outage, and no
 * robots.txt is fetched again because of it. Fetches that are out are not saved.
 *
 * On `POLITE_OK`, `*data` are `*length` new bytes that the caller frees with `polite_saved_free`.
 * Fails with `POLITE_NULL` if the cache or a place is NULL. Thread-safe, also with one cache.
 */
polite_result polite_cache_save(polite_cache *cache, char **data, size_t *length);

/**
 * Loads the bytes that `polite_cache_save` gave, best before the first question: each saved site
 * replaces the site that is known here. Rules that were compiled for other agents are left out.
 *
 * Fails with `POLITE_INVALID_SAVED` for other bytes, which change nothing, and with `POLITE_NULL`
 * if the cache is NULL. Thread-safe, also with one cache.
 */
polite_result polite_cache_load(polite_cache *cache, const char *data, size_t length, uint64_t now_ms);

/**
 * Frees a cache. Its robots and fetches stay. Nothing happens for NULL. Thread-safe, once for each
 * cache and after its last use.
 */
void polite_cache_free(polite_cache *cache);

/**
 * Reads a robots.txt for every agent. `robots_txt` may be any bytes, and is copied. For one agent,
 * `polite_robot_new` takes less time and memory.
 *
 * The caller frees the document with `polite_robots_txt_free`. `options` may be NULL. Never NULL,
 * but for a fault that was caught. Thread-safe.
 */
polite_robots_txt *polite_robots_txt_parse(polite_str robots_txt, const polite_options *options);

/**
 * Reads a response to `GET /robots.txt` by its status: the rules of `body` count after 200 to 299
 * but 206, everything is allowed after 400 to 499 but 429, and nothing after any other (RFC 9309
 * section 2.3.1). `body` is whole and its content coding is undone; follow redirects first.
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
 * Writes the next step of a fetch. It stays the same until something is reported, or a wait is
 * over.
 *
 * `now_ms`, here and elsewhere, is the time in milliseconds since 1970. The texts in `out` are
 * valid until the next call with this fetch. Fails with `POLITE_NULL` if the fetch or `out` is
 * NULL. One thread at a time.
 */
polite_result polite_fetch_next(polite_fetch *fetch, uint64_t now_ms, polite_fetch_step *out);

/**
 * Reports the response to the request of `POLITE_STEP_GET`, whatever its status: its header as it
 * came, `length` bytes of its body, and how that ended, a `polite_body_end`. Gzip and deflate are
 * undone here where the client has not done so.
 *
 * Nothing is kept of the arguments. `headers` and `body` may be NULL if there are none. Fails with
 * `POLITE_NULL` if the fetch is NULL. One thread at a time.
 */
polite_result polite_fetch_response(polite_fetch *fetch,
                                    uint16_t status,
                                    const polite_header *headers,
                                    size_t count,
                                    const char *body,
                                    size_t length,
                                    uint8_t body_end,
                                    uint64_t now_ms);

/**
 * Reports that there was no response, or no address of the host. `error` is a `polite_net_error`.
 *
 * Fails with `POLITE_NULL` if the fetch is NULL. One thread at a time.
 */
polite_result polite_fetch_failed(polite_fetch *fetch, uint8_t error, uint64_t now_ms);

/**
 * Reports that the caller does not want to ask this URL, such as one that a redirect aims at its
 * own network. The round ends as a failed one.
 *
 * Fails with `POLITE_NULL` if the fetch is NULL. One thread at a time.
 */
polite_result polite_fetch_refused(polite_fetch *fetch, uint64_t now_ms);

/**
 * Reports the addresses of the host of `POLITE_STEP_RESOLVE`, such as `192.0.2.1` and
 * `2001:db8::1`, in the order in which to try them. Texts that are not addresses are left out, and
 * a list without an address is a failure.
 *
 * Fails with `POLITE_NULL` if the fetch, or the list of `n` addresses, is NULL. One thread at a
 * time.
 */
polite_result polite_fetch_resolved(polite_fetch *fetch, const polite_str *addresses, size_t n, uint64_t now_ms);

/**
 * Leaves it to the client to look up the host of `POLITE_STEP_RESOLVE`. The host then counts as
 * one with a single address.
 *
 * Fails with `POLITE_NULL` if the fetch is NULL. One thread at a time.
 */
polite_result polite_fetch_by_name(polite_fetch *fetch, uint64_t now_ms);

/**
 * Frees a fetch that was not given to `polite_cache_end`, for example because its caller went
 * away: no failure is counted, and the next question gets another fetch. Nothing happens for NULL.
 * Thread-safe, once for each fetch and after its last use.
 */
void polite_fetch_free(polite_fetch *fetch);

/**
 * The paces of a crawl that begins: each host is ready at once.
 *
 * On `POLITE_OK`, `*out` is a new pace that the caller frees with `polite_pace_free`. `policy` may
 * be NULL. Fails with `POLITE_NULL` if `out` is NULL. Thread-safe.
 */
polite_result polite_pace_new(const polite_policy *policy, polite_pace **out);

/**
 * Whether the host of a URL may be asked. Another thread or a new `Crawl-delay` may change that
 * before the request begins, so `polite_pace_start` answers again.
 *
 * Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the pace is NULL. `out` may be NULL.
 * Thread-safe, also with one pace.
 */
polite_result polite_pace_turn(polite_pace *pace, const char *url, size_t length, uint64_t now_ms, polite_turn *out);

/**
 * Whether the host of a URL may be asked, and if so, notes that the request has begun: only one of
 * several threads that wait gets the turn. The request ends by `polite_pace_response`, `_failed`
 * or `_cancel`, or after the ten minutes of its lease.
 *
 * Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the pace or `out` is NULL.
 * Thread-safe, also with one pace.
 */
polite_result polite_pace_start(polite_pace *pace, const char *url, size_t length, uint64_t now_ms, polite_turn *out);

/**
 * Notes the end of a request: its status, and the waits that its header asks for. `signal` is a
 * `polite_signal`, and `started_ms` the time that was given to `polite_pace_start`.
 *
 * `headers` may be NULL if there are none. Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL`
 * if the pace is NULL. Thread-safe, also with one pace.
 */
polite_result polite_pace_response(polite_pace *pace,
                                   const char *url,
                                   size_t length,
                                   uint16_t status,
                                   const polite_header *headers,
                                   size_t count,
                                   uint8_t signal,
                                   uint64_t started_ms,
                                   uint64_t now_ms);

/**
 * Notes that a request ended without a response. `error` is a `polite_net_error`, and `started_ms`
 * the time that was given to `polite_pace_start`.
 *
 * Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the pace is NULL. Thread-safe, also
 * with one pace.
 */
polite_result polite_pace_failed(polite_pace *pace,
                                 const char *url,
                                 size_t length,
                                 uint8_t error,
                                 uint64_t started_ms,
                                 uint64_t now_ms);

/**
 * Ends a request that the crawler gave up or never sent: the gap is kept, and the host is not to
 * blame. Nothing changes if none is under way.
 *
 * Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the pace is NULL. Thread-safe, also
 * with one pace.
 */
polite_result polite_pace_cancel(polite_pace *pace, const char *url, size_t length, uint64_t now_ms);

/**
 * Sets the `Crawl-delay` that the rules of a URL's site ask for: those of the robot that
 * `polite_cache_ask` gave. The longest of the sites of a host counts.
 *
 * A robot that is NULL has none. Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the
 * pace is NULL. Thread-safe, also with one pace.
 */
polite_result polite_pace_crawl_delay(polite_pace *pace,
                                      const char *url,
                                      size_t length,
                                      const polite_robot *robot,
                                      uint64_t now_ms);

/**
 * Saves the paces of all hosts, to go on after a restart. Requests under way end with it, and
 * their gaps are kept.
 *
 * On `POLITE_OK`, `*data` are `*length` new bytes that the caller frees with `polite_saved_free`.
 * Fails with `POLITE_NULL` if the pace or a place is NULL. Thread-safe, also with one pace.
 */
polite_result polite_pace_save(polite_pace *pace, uint64_t now_ms, char **data, size_t *length);

/**
 * Loads the bytes that `polite_pace_save` gave, with their policy, in place of everything that is
 * known here.
 *
 * Fails with `POLITE_INVALID_SAVED` for other bytes, which change nothing, and with `POLITE_NULL`
 * if the pace is NULL. Thread-safe, also with one pace.
 */
polite_result polite_pace_load(polite_pace *pace, const char *data, size_t length);

/**
 * Frees a pace. Nothing happens for NULL. Thread-safe, once for each pace and after its last use.
 */
void polite_pace_free(polite_pace *pace);

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
 * Frees the bytes that `polite_cache_save` or `polite_pace_save` gave, with their length. Nothing
 * happens for NULL. Thread-safe, once for each.
 */
void polite_saved_free(char *data, size_t length);

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
