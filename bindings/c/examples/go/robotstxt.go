// Package robotstxt reads robots.txt by RFC 9309, through the C library of polite-robots. Its names are those of
// github.com/temoto/robotstxt, where they fit.
package robotstxt

// #cgo pkg-config: polite-robots
// #include <polite_robots.h>
// #include <stdlib.h>
import "C"

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"time"
	"unsafe"
)

// RobotsData is a robots.txt for every agent. Any number of goroutines may use it.
type RobotsData struct {
	document *C.polite_robots_txt
	Sitemaps []string
}

// Group is a robots.txt for one agent. Any number of goroutines may use it.
type Group struct {
	robot *C.polite_robot
	Agent string
	// 0 if the file asks for none.
	CrawlDelay time.Duration
}

// FromBytes reads a file of any bytes. It does not fail.
func FromBytes(body []byte) *RobotsData { return FromString(string(body)) }

// FromString reads a file of any bytes. It does not fail.
func FromString(body string) *RobotsData { return fromStatus(http.StatusOK, body) }

// FromStatusAndBytes reads the answer to a request: a file if it succeeded, everything allowed for 4xx but 429, nothing
// for 429, 206 and 5xx (RFC 9309 section 2.3.1). 1xx and 3xx are an error: follow redirects first.
func FromStatusAndBytes(status int, body []byte) (*RobotsData, error) {
	if status < 200 || status >= 300 && status < 400 || status > 999 {
		return nil, fmt.Errorf("robots.txt was answered with status %d", status)
	}
	return fromStatus(status, string(body)), nil
}

func fromStatus(status int, body string) *RobotsData {
	data, length := pointer(body)
	robots := &RobotsData{document: C.polite_robots_txt_from_status_bytes(C.uint16_t(status), data, length, nil)}
	runtime.SetFinalizer(robots, func(robots *RobotsData) { C.polite_robots_txt_free(robots.document) })
	texts := make([]C.polite_str, C.polite_robots_txt_sitemaps(robots.document, 0, nil, 0))
	if len(texts) > 0 {
		C.polite_robots_txt_sitemaps(robots.document, 0, &texts[0], C.size_t(len(texts)))
	}
	for _, text := range texts {
		robots.Sitemaps = append(robots.Sitemaps, C.GoStringN(text.data, C.int(text.length)))
	}
	return robots
}

// FromResponse reads the answer to a request, of whose body RFC 9309 asks for 500 KiB. It does not close the body.
func FromResponse(response *http.Response) (*RobotsData, error) {
	body, err := io.ReadAll(io.LimitReader(response.Body, 512_000))
	if err != nil {
		return nil, err
	}
	return FromStatusAndBytes(response.StatusCode, body)
}

// FindGroup compiles the rules of an agent, a product token such as ExampleBot. It fails for what is no token.
func (robots *RobotsData) FindGroup(agent string) (*Group, error) {
	var robot *C.polite_robot
	var sentence [256]C.char
	name, length := pointer(agent)
	result := C.polite_robots_txt_robot_bytes(robots.document, name, length, &robot, &sentence[0], 256)
	runtime.KeepAlive(robots)
	if result != C.POLITE_OK {
		return nil, errors.New(C.GoString(&sentence[0]))
	}
	return group(agent, robot), nil
}

// TestAgent says whether an agent may fetch a URL: a product token, or a whole User-Agent header, of which the token that
// it probably stands for counts. A header without a token may fetch nothing.
func (robots *RobotsData) TestAgent(url, agent string) bool {
	group, err := robots.FindGroup(agent)
	if err != nil {
		group, err = robots.FindGroup(productToken(agent))
	}
	return err == nil && group.Test(url)
}

func productToken(header string) string {
	data, length := pointer(header)
	token := make([]byte, len(header)+1)
	written := C.polite_product_token_bytes(data, length, (*C.char)(unsafe.Pointer(&token[0])), C.size_t(len(token)))
	return string(token[:written])
}

// Test says whether the agent may fetch a URL, or a path with its query.
func (group *Group) Test(url string) bool {
	data, length := pointer(url)
	allowed := bool(C.polite_robot_allowed_bytes(group.robot, data, length))
	runtime.KeepAlive(group)
	return allowed
}

// Explain says which line decides.
func (group *Group) Explain(url string) string {
	data, length := pointer(url)
	need := C.polite_robot_explain_bytes(group.robot, data, length, nil, 0)
	sentence := make([]byte, need+1)
	C.polite_robot_explain_bytes(group.robot, data, length, (*C.char)(unsafe.Pointer(&sentence[0])), need+1)
	runtime.KeepAlive(group)
	return string(sentence[:need])
}

// LongestDelay is a bound, as a file may ask for billions of years.
const LongestDelay = 24 * time.Hour

func group(agent string, robot *C.polite_robot) *Group {
	made := &Group{robot: robot, Agent: agent}
	runtime.SetFinalizer(made, func(group *Group) { C.polite_robot_free(group.robot) })
	var seconds C.uint64_t
	var nanoseconds C.uint32_t
	if C.polite_robot_crawl_delay(robot, &seconds, &nanoseconds) {
		made.CrawlDelay = LongestDelay
		if uint64(seconds) < uint64(LongestDelay/time.Second) {
			made.CrawlDelay = time.Duration(seconds)*time.Second + time.Duration(nanoseconds)
		}
	}
	return made
}

// The bytes of a text, which C reads during the call alone.
func pointer(text string) (*C.char, C.size_t) {
	return *(**C.char)(unsafe.Pointer(&text)), C.size_t(len(text))
}
