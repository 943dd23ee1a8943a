package robotstxt

// #include <polite_robots.h>
// #include <stdlib.h>
import "C"

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// Cache has the robots.txt of many sites: each is fetched when it is due, once for all that ask, and a failure opens no
// site. Any number of goroutines may use it.
type Cache struct {
	// Fetch sends one request. It must not follow redirects, as a robots.txt counts for the site that was asked. NewCache
	// sets one by net/http, with 30 seconds for a response and its body.
	Fetch func(*http.Request) (*http.Response, error)
	// UserAgent is the header of the requests.
	UserAgent string
	cache     *C.polite_cache
	lock      sync.Mutex
	// Closed when a fetch ends, and replaced.
	ended chan struct{}
}

// Access says whether a URL may be fetched now.
type Access struct {
	Allowed bool
	// Nothing of the site may be fetched before RetryAt, and no rule says so, as in an outage: keep the URL.
	Closed bool
	// The zero time if the site is not closed, or was given up.
	RetryAt time.Time
	// The status that robots.txt was answered with, or a word for what happened to it; empty if a rule decided.
	Cause string
	// The line of the rule that decided; 0 if none did.
	Line int
	// The rules in force; those of a closed site disallow everything.
	Group *Group
}

// NewCache makes a cache for an agent, of which further names follow, the most specific one first. It fails for what is
// no product token.
func NewCache(userAgent string, agents ...string) (*Cache, error) {
	client := &http.Client{
		Timeout:       30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	cache := &Cache{Fetch: client.Do, UserAgent: userAgent, ended: make(chan struct{})}
	texts := &texts{}
	defer texts.free()
	list := (*C.polite_str)(texts.array(len(agents), C.sizeof_polite_str))
	for i, agent := range agents {
		*at(list, i) = texts.str(agent)
	}
	// The sentence of a failure belongs to the thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if C.polite_cache_new(list, C.size_t(len(agents)), nil, &cache.cache) != C.POLITE_OK {
		return nil, lastError()
	}
	runtime.SetFinalizer(cache, func(cache *Cache) { C.polite_cache_free(cache.cache) })
	return cache, nil
}

// Check says whether a URL may be fetched now, after it has fetched the robots.txt of its site if that is due. It fails
// for what is no http or https URL, and if the context ends first.
func (cache *Cache) Check(ctx context.Context, url string) (*Access, error) {
	for {
		cache.lock.Lock()
		ended := cache.ended
		cache.lock.Unlock()
		access, fetch, err := cache.ask(url)
		if err != nil {
			return nil, err
		}
		switch {
		case fetch != nil:
			err := cache.drive(ctx, fetch)
			C.polite_cache_end(cache.cache, fetch, now())
			cache.lock.Lock()
			close(cache.ended)
			cache.ended = make(chan struct{})
			cache.lock.Unlock()
			if err != nil {
				return nil, err
			}
		case access != nil:
			return access, nil
		default:
			select {
			case <-ended:
			// The fetch of a caller that went away is given out again.
			case <-time.After(time.Second):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	}
}

// Asks once: an access, a fetch to drive, or neither while somebody else's is under way.
func (cache *Cache) ask(url string) (*Access, *C.polite_fetch, error) {
	defer runtime.KeepAlive(cache)
	found := C.polite_access{size: C.sizeof_polite_access}
	var robot *C.polite_robot
	var fetch *C.polite_fetch
	data, length := pointer(url)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if C.polite_cache_ask(cache.cache, data, length, C.POLITE_PAGE_ALONE, now(), &found, &robot, &fetch) != C.POLITE_OK {
		return nil, nil, lastError()
	}
	if robot == nil {
		return nil, fetch, nil
	}
	access := &Access{
		Allowed: found.answer == C.POLITE_ANSWER_ALLOWED,
		Closed:  found.answer == C.POLITE_ANSWER_CLOSED,
		Cause:   causes[found.cause],
		Line:    int(found.line),
		Group:   group("", robot),
	}
	if found.cause == C.POLITE_CAUSE_STATUS {
		access.Cause = strconv.Itoa(int(found.status))
	}
	if access.Closed && found.retry_at_ms != C.POLITE_NEVER {
		access.RetryAt = time.UnixMilli(int64(found.retry_at_ms))
	}
	return access, nil, nil
}

var causes = map[C.uint8_t]string{
	C.POLITE_CAUSE_CONFIGURED:         "configured",
	C.POLITE_CAUSE_NOT_FETCHED:        "not_fetched",
	C.POLITE_CAUSE_UNREACHABLE:        "unreachable",
	C.POLITE_CAUSE_TOO_MANY_REDIRECTS: "too_many_redirects",
	C.POLITE_CAUSE_TRUNCATED:          "truncated",
	C.POLITE_CAUSE_PARSE_ERRORS:       "parse_errors",
	C.POLITE_CAUSE_NO_COPY:            "no_copy",
	C.POLITE_CAUSE_GAVE_UP:            "gave_up",
	C.POLITE_CAUSE_ENCODED:            "encoded",
	C.POLITE_CAUSE_FULL:               "full",
	C.POLITE_CAUSE_OTHER:              "other",
}

// Sends the requests of a fetch until it is done or waits. It fails if the context ends; then nothing is counted.
func (cache *Cache) drive(ctx context.Context, fetch *C.polite_fetch) error {
	for {
		step := C.polite_fetch_step{size: C.sizeof_polite_fetch_step}
		C.polite_fetch_next(fetch, now(), &step)
		if step.step != C.POLITE_STEP_GET {
			return nil
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, text(step.url), nil)
		if err == nil {
			request.Header.Set("User-Agent", cache.UserAgent)
			// Undone by the library, which sees a body that was cut.
			request.Header.Set("Accept-Encoding", "gzip, deflate")
			if step.etag.length > 0 {
				request.Header.Set("If-None-Match", text(step.etag))
			}
			if step.last_modified.length > 0 {
				request.Header.Set("If-Modified-Since", text(step.last_modified))
			}
			var response *http.Response
			if response, err = cache.Fetch(request); err == nil {
				report(fetch, response, int64(step.max_bytes))
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			C.polite_fetch_failed(fetch, netError(err), now())
		}
	}
}

func report(fetch *C.polite_fetch, response *http.Response, most int64) {
	body, err := io.ReadAll(io.LimitReader(response.Body, most))
	response.Body.Close()
	end := C.POLITE_BODY_COMPLETE
	switch {
	case err != nil:
		end = C.POLITE_BODY_CUT_SHORT
	case int64(len(body)) == most:
		end = C.POLITE_BODY_LIMIT_REACHED
	}
	texts := &texts{}
	defer texts.free()
	var fields [][2]string
	for name, values := range response.Header {
		for _, value := range values {
			fields = append(fields, [2]string{name, value})
		}
	}
	list := (*C.polite_header)(texts.array(len(fields), C.sizeof_polite_header))
	for i, field := range fields {
		*at(list, i) = C.polite_header{name: texts.str(field[0]), value: texts.str(field[1])}
	}
	data, length := pointer(string(body))
	status := C.uint16_t(response.StatusCode)
	C.polite_fetch_response(fetch, status, list, C.size_t(len(fields)), data, length, C.uint8_t(end), now())
}

// The kind of an error of net/http. A fault of the crawler's own network says nothing about the site.
func netError(err error) C.uint8_t {
	var dns *net.DNSError
	var timeout net.Error
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var certificate x509.CertificateInvalidError
	for _, own := range []error{syscall.ENETDOWN, syscall.ENETUNREACH, syscall.EADDRNOTAVAIL, syscall.EMFILE, syscall.ENFILE} {
		if errors.Is(err, own) {
			return C.POLITE_NET_LOCAL
		}
	}
	switch {
	case errors.As(err, &dns):
		return C.POLITE_NET_DNS
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.EHOSTUNREACH):
		return C.POLITE_NET_CONNECT
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return C.POLITE_NET_RESET
	case errors.As(err, &authority), errors.As(err, &host), errors.As(err, &certificate):
		return C.POLITE_NET_TLS
	case errors.As(err, &timeout) && timeout.Timeout():
		return C.POLITE_NET_READ
	}
	return C.POLITE_NET_OTHER
}

// Explain says what applies to the site of a URL, since when and until when; nothing if it is not known.
func (cache *Cache) Explain(url string) string {
	defer runtime.KeepAlive(cache)
	data, length := pointer(url)
	var sentence [512]C.char
	if C.polite_cache_explain(cache.cache, data, length, now(), &sentence[0], 512) == 0 {
		return ""
	}
	return C.GoString(&sentence[0])
}

// Save gives all that the cache knows, for Load of the next process.
func (cache *Cache) Save() []byte {
	defer runtime.KeepAlive(cache)
	var data *C.char
	var length C.size_t
	if C.polite_cache_save(cache.cache, &data, &length) != C.POLITE_OK {
		return nil
	}
	defer C.polite_saved_free(data, length)
	return C.GoBytes(unsafe.Pointer(data), C.int(length))
}

// Load takes what Save gave. It fails for other bytes, and changes nothing then.
func (cache *Cache) Load(saved []byte) error {
	defer runtime.KeepAlive(cache)
	data, length := pointer(string(saved))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if C.polite_cache_load(cache.cache, data, length, now()) != C.POLITE_OK {
		return lastError()
	}
	return nil
}

func now() C.uint64_t { return C.uint64_t(time.Now().UnixMilli()) }

func text(text C.polite_str) string { return C.GoStringN(text.data, C.int(text.length)) }

func lastError() error {
	var sentence [512]C.char
	C.polite_last_error(&sentence[0], 512)
	return fmt.Errorf("%s", C.GoString(&sentence[0]))
}

// texts are copies in the memory of C, as a list of texts must not point at memory of Go.
type texts struct{ owned []unsafe.Pointer }

func (texts *texts) array(count int, size C.size_t) unsafe.Pointer {
	array := C.calloc(C.size_t(count)+1, size)
	texts.owned = append(texts.owned, array)
	return array
}

func (texts *texts) str(text string) C.polite_str {
	data := C.CString(text)
	texts.owned = append(texts.owned, unsafe.Pointer(data))
	return C.polite_str{data: data, length: C.size_t(len(text))}
}

func (texts *texts) free() {
	for _, owned := range texts.owned {
		C.free(owned)
	}
}

func at[T any](list *T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(list), uintptr(i)*unsafe.Sizeof(*list)))
}
