/* Made from polite_robots.h, which says what all this is, for programs that read declarations: FFI of PHP, LuaJIT, cffi,
 * jextract. uint8_t, uint16_t, uint32_t, uint64_t, size_t and bool are those of C. */
typedef enum {
    POLITE_OK = 0,
    POLITE_INVALID_TOKEN = 1,
    POLITE_INVALID_URL = 2,
    POLITE_NULL = 3,
    POLITE_PANIC = 4,
    POLITE_INVALID_SAVED = 5
} polite_result;
enum polite_agent_match {
    POLITE_AGENT_MATCH_NONE = 0,
    POLITE_AGENT_MATCH_WILDCARD = 1,
    POLITE_AGENT_MATCH_NAMED = 2
};
typedef uint8_t polite_agent_match;
enum polite_answer {
    POLITE_ANSWER_NONE = 0,
    POLITE_ANSWER_ALLOWED = 1,
    POLITE_ANSWER_DISALLOWED = 2,
    POLITE_ANSWER_CLOSED = 3,
    POLITE_ANSWER_FETCH = 4,
    POLITE_ANSWER_PENDING = 5,
    POLITE_ANSWER_FULL = 6
};
typedef uint8_t polite_answer;
enum polite_body_end {
    POLITE_BODY_COMPLETE = 0,
    POLITE_BODY_CUT_SHORT = 1,
    POLITE_BODY_LIMIT_REACHED = 2,
    POLITE_BODY_UNDECODABLE = 3,
    POLITE_BODY_UNPROVEN = 4
};
typedef uint8_t polite_body_end;
enum polite_cause {
    POLITE_CAUSE_NONE = 0,
    POLITE_CAUSE_CONFIGURED = 1,
    POLITE_CAUSE_STATUS = 2,
    POLITE_CAUSE_NOT_FETCHED = 3,
    POLITE_CAUSE_UNREACHABLE = 4,
    POLITE_CAUSE_TOO_MANY_REDIRECTS = 5,
    POLITE_CAUSE_TRUNCATED = 6,
    POLITE_CAUSE_PARSE_ERRORS = 7,
    POLITE_CAUSE_NO_COPY = 8,
    POLITE_CAUSE_GAVE_UP = 9,
    POLITE_CAUSE_ENCODED = 10,
    POLITE_CAUSE_FULL = 11,
    POLITE_CAUSE_OTHER = 255
};
typedef uint8_t polite_cause;
enum polite_dialect {
    POLITE_DIALECT_RFC9309 = 0,
    POLITE_DIALECT_GOOGLE = 1
};
typedef uint8_t polite_dialect;
enum polite_net_error {
    POLITE_NET_OTHER = 0,
    POLITE_NET_DNS = 1,
    POLITE_NET_CONNECT = 2,
    POLITE_NET_READ = 3,
    POLITE_NET_RESET = 4,
    POLITE_NET_TLS = 5,
    POLITE_NET_INVALID_RESPONSE = 6,
    POLITE_NET_LOCAL = 7,
    POLITE_NET_CUT_SHORT = 8,
    POLITE_NET_ENCODED = 9
};
typedef uint8_t polite_net_error;
enum polite_page {
    POLITE_PAGE_ALONE = 0,
    POLITE_PAGE_IN_TURN = 1,
    POLITE_PAGE_IN_LINE = 2
};
typedef uint8_t polite_page;
enum polite_profile {
    POLITE_PROFILE_RFC9309 = 0,
    POLITE_PROFILE_GOOGLE = 1,
    POLITE_PROFILE_IBM = 2
};
typedef uint8_t polite_profile;
enum polite_reason {
    POLITE_REASON_NO_ROBOT = 0,
    POLITE_REASON_RULE = 1,
    POLITE_REASON_DIRECTORY_OF_INDEX = 2,
    POLITE_REASON_NO_RULE_MATCHES = 3,
    POLITE_REASON_NO_GROUP = 4,
    POLITE_REASON_ROBOTS_TXT_ITSELF = 5,
    POLITE_REASON_BLANKET = 6,
    POLITE_REASON_OTHER = 255
};
typedef uint8_t polite_reason;
enum polite_signal {
    POLITE_SIGNAL_NONE = 0,
    POLITE_SIGNAL_CHALLENGE = 1,
    POLITE_SIGNAL_SOFT_BLOCK = 2,
    POLITE_SIGNAL_HONEYPOT = 3
};
typedef uint8_t polite_signal;
enum polite_site {
    POLITE_SITE_UNKNOWN = 0,
    POLITE_SITE_AVAILABLE = 1,
    POLITE_SITE_UNAVAILABLE = 2
};
typedef uint8_t polite_site;
enum polite_step {
    POLITE_STEP_NONE = 0,
    POLITE_STEP_GET = 1,
    POLITE_STEP_RESOLVE = 2,
    POLITE_STEP_WAIT = 3,
    POLITE_STEP_DONE = 4
};
typedef uint8_t polite_step;
enum polite_tag {
    POLITE_TAG_UNKNOWN = 0,
    POLITE_TAG_USER_AGENT = 1,
    POLITE_TAG_ALLOW = 2,
    POLITE_TAG_DISALLOW = 3,
    POLITE_TAG_SITEMAP = 4
};
typedef uint8_t polite_tag;
enum polite_turn_kind {
    POLITE_TURN_NONE = 0,
    POLITE_TURN_READY = 1,
    POLITE_TURN_NOT_BEFORE = 2,
    POLITE_TURN_BUSY = 3,
    POLITE_TURN_SKIP = 4
};
typedef uint8_t polite_turn_kind;
typedef struct polite_cache polite_cache;
typedef struct polite_fetch polite_fetch;
typedef struct polite_pace polite_pace;
typedef struct polite_robot polite_robot;
typedef struct polite_robots_txt polite_robots_txt;
typedef struct {
    uint32_t size;
    uint8_t dialect;
    uint8_t reserved[3];
    uint64_t max_bytes;
} polite_options;
typedef struct {
    const char *data;
    size_t length;
} polite_str;
typedef struct {
    uint32_t size;
    bool allowed;
    uint8_t reason;
    uint8_t agent_match;
    uint8_t cause;
    uint16_t status;
    uint32_t line;
    uint32_t group_line;
    uint32_t overruled_line;
    polite_str pattern;
    polite_str overruled_pattern;
} polite_verdict;
typedef struct {
    uint32_t size;
    uint8_t profile;
    uint8_t reserved[3];
    uint64_t max_memory;
    uint64_t min_delay_ms;
} polite_policy;
typedef struct {
    uint32_t size;
    uint8_t answer;
    uint8_t cause;
    uint16_t status;
    uint32_t line;
    uint32_t group_line;
    uint64_t retry_at_ms;
} polite_access;
typedef struct {
    uint32_t size;
    uint32_t line;
    uint8_t tag;
    bool is_typo;
    bool is_empty;
    bool is_comment;
    bool has_comment;
    bool has_directive;
    bool is_line_too_long;
    bool is_missing_colon;
    polite_str name;
    polite_str value;
} polite_line;
typedef void (*polite_line_fn)(void *context, const polite_line *line);
typedef struct {
    uint32_t size;
    uint8_t step;
    uint8_t reserved[3];
    uint64_t until_ms;
    uint64_t max_bytes;
    polite_str url;
    polite_str host;
    polite_str address;
    polite_str etag;
    polite_str last_modified;
} polite_fetch_step;
typedef struct {
    polite_str name;
    polite_str value;
} polite_header;
typedef struct {
    uint32_t size;
    uint8_t turn;
    uint8_t reserved[3];
    uint64_t until_ms;
} polite_turn;
polite_robots_txt *polite_robots_txt_parse_bytes(const char *robots_txt, size_t length, const polite_options *options);
polite_robots_txt *polite_robots_txt_from_status_bytes(uint16_t status,
                                                       const char *body,
                                                       size_t length,
                                                       const polite_options *options);
polite_result polite_robots_txt_robot_bytes(const polite_robots_txt *robots_txt,
                                            const char *agent,
                                            size_t agent_length,
                                            polite_robot **out,
                                            char *error,
                                            size_t error_capacity);
polite_result polite_robot_new_bytes(const char *agent,
                                     size_t agent_length,
                                     const char *robots_txt,
                                     size_t length,
                                     const polite_options *options,
                                     polite_robot **out,
                                     char *error,
                                     size_t error_capacity);
bool polite_robot_allowed_bytes(const polite_robot *robot, const char *url, size_t length);
void polite_robot_check_bytes(const polite_robot *robot, const char *url, size_t length, polite_verdict *out);
size_t polite_robot_explain_bytes(const polite_robot *robot,
                                  const char *url,
                                  size_t length,
                                  char *buffer,
                                  size_t capacity);
size_t polite_robots_url_bytes(const char *url,
                               size_t length,
                               char *buffer,
                               size_t capacity,
                               char *error,
                               size_t error_capacity);
size_t polite_product_token_bytes(const char *user_agent, size_t length, char *buffer, size_t capacity);
polite_result polite_cache_new(const polite_str *agents, size_t n, const polite_policy *policy, polite_cache **out);
polite_result polite_cache_ask(polite_cache *cache,
                               const char *url,
                               size_t length,
                               uint8_t page,
                               uint64_t now_ms,
                               polite_access *out,
                               polite_robot **robot,
                               polite_fetch **fetch);
polite_result polite_cache_end(polite_cache *cache, polite_fetch *fetch, uint64_t now_ms);
polite_result polite_cache_renew(polite_cache *cache, const polite_fetch *fetch, uint64_t now_ms);
polite_result polite_cache_release(polite_cache *cache, const char *url, size_t length);
polite_result polite_cache_reset(polite_cache *cache, const char *url, size_t length);
polite_result polite_cache_set_site(polite_cache *cache, const char *url, size_t length, uint8_t site, uint64_t now_ms);
size_t polite_cache_explain(polite_cache *cache,
                            const char *url,
                            size_t length,
                            uint64_t now_ms,
                            char *buffer,
                            size_t capacity);
polite_result polite_cache_save(polite_cache *cache, char **data, size_t *length);
polite_result polite_cache_load(polite_cache *cache, const char *data, size_t length, uint64_t now_ms);
void polite_cache_free(polite_cache *cache);
polite_robots_txt *polite_robots_txt_parse(polite_str robots_txt, const polite_options *options);
polite_robots_txt *polite_robots_txt_from_status(uint16_t status, polite_str body, const polite_options *options);
polite_result polite_robots_txt_robot(const polite_robots_txt *robots_txt,
                                      const polite_str *agents,
                                      size_t n,
                                      polite_robot **out);
polite_result polite_robots_txt_robot_first(const polite_robots_txt *robots_txt,
                                            const polite_str *agents,
                                            size_t n,
                                            polite_robot **out);
size_t polite_robots_txt_sitemaps(const polite_robots_txt *robots_txt, size_t from, polite_str *out, size_t capacity);
void polite_robots_txt_lines(const polite_robots_txt *robots_txt, polite_line_fn line_fn, void *context);
void polite_robots_txt_free(polite_robots_txt *robots_txt);
size_t polite_last_error(char *buffer, size_t capacity);
polite_result polite_fetch_next(polite_fetch *fetch, uint64_t now_ms, polite_fetch_step *out);
polite_result polite_fetch_response(polite_fetch *fetch,
                                    uint16_t status,
                                    const polite_header *headers,
                                    size_t count,
                                    const char *body,
                                    size_t length,
                                    uint8_t body_end,
                                    uint64_t now_ms);
polite_result polite_fetch_failed(polite_fetch *fetch, uint8_t error, uint64_t now_ms);
polite_result polite_fetch_refused(polite_fetch *fetch, uint64_t now_ms);
polite_result polite_fetch_resolved(polite_fetch *fetch, const polite_str *addresses, size_t n, uint64_t now_ms);
polite_result polite_fetch_by_name(polite_fetch *fetch, uint64_t now_ms);
void polite_fetch_free(polite_fetch *fetch);
polite_result polite_pace_new(const polite_policy *policy, polite_pace **out);
polite_result polite_pace_turn(polite_pace *pace, const char *url, size_t length, uint64_t now_ms, polite_turn *out);
polite_result polite_pace_start(polite_pace *pace, const char *url, size_t length, uint64_t now_ms, polite_turn *out);
polite_result polite_pace_response(polite_pace *pace,
                                   const char *url,
                                   size_t length,
                                   uint16_t status,
                                   const polite_header *headers,
                                   size_t count,
                                   uint8_t signal,
                                   uint64_t started_ms,
                                   uint64_t now_ms);
polite_result polite_pace_failed(polite_pace *pace,
                                 const char *url,
                                 size_t length,
                                 uint8_t error,
                                 uint64_t started_ms,
                                 uint64_t now_ms);
polite_result polite_pace_cancel(polite_pace *pace, const char *url, size_t length, uint64_t now_ms);
polite_result polite_pace_crawl_delay(polite_pace *pace,
                                      const char *url,
                                      size_t length,
                                      const polite_robot *robot,
                                      uint64_t now_ms);
polite_result polite_pace_save(polite_pace *pace, uint64_t now_ms, char **data, size_t *length);
polite_result polite_pace_load(polite_pace *pace, const char *data, size_t length);
void polite_pace_free(polite_pace *pace);
polite_result polite_robot_new(polite_str agent,
                               polite_str robots_txt,
                               const polite_options *options,
                               polite_robot **out);
polite_robot *polite_robot_allow_all(uint16_t status);
polite_robot *polite_robot_disallow_all(uint16_t status);
polite_robot *polite_robot_clone(const polite_robot *robot);
polite_robot *polite_robot_named_only(const polite_robot *robot);
bool polite_robot_allowed(const polite_robot *robot, polite_str url);
void polite_robot_check(const polite_robot *robot, polite_str url, polite_verdict *out);
size_t polite_robot_explain(const polite_robot *robot, polite_str url, char *buffer, size_t capacity);
bool polite_robot_crawl_delay(const polite_robot *robot, uint64_t *seconds, uint32_t *nanoseconds);
size_t polite_robot_sitemaps(const polite_robot *robot, size_t from, polite_str *out, size_t capacity);
void polite_robot_free(polite_robot *robot);
void polite_saved_free(char *data, size_t length);
size_t polite_robots_url(polite_str url, char *buffer, size_t capacity);
size_t polite_product_token(polite_str user_agent, char *buffer, size_t capacity);
uint32_t polite_abi_version(void);
