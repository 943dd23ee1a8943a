package robotstxt

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

const file = "User-agent: *\nDisallow: /search\nAllow: /search/about\nCrawl-delay: 2.5\n" +
	"User-agent: CloseBot\nDisallow: /\nCrawl-delay: 1e30\nSitemap: https://example.com/a.xml\n"

func TestVerdicts(t *testing.T) {
	robots := FromString(file)
	for _, question := range []struct {
		url, agent string
		allowed    bool
	}{
		{"https://example.com/", "ExampleBot", true},
		{"https://example.com/search?q=1", "ExampleBot", false},
		{"/search/about", "ExampleBot", true},
		{"/a/../search", "ExampleBot", false},
		{"/", "CloseBot", false},
		{"/", "not a token", false},
		{"", "ExampleBot", true},
		{"/x", "ExampleBot/2.1 (+https://example.com/bot)", true},
		{"/search", "ExampleBot/2.1 (+https://example.com/bot)", false},
		{"/x", "Mozilla/5.0 (compatible; CloseBot/1.0; +https://example.com/bot)", false},
		{"/x", "()", false},
		{"/x", "", false},
	} {
		if robots.TestAgent(question.url, question.agent) != question.allowed {
			t.Error(question)
		}
	}
	group, err := robots.FindGroup("ExampleBot")
	if err != nil || group.CrawlDelay != 2500*time.Millisecond {
		t.Error(group, err)
	}
	if why := group.Explain("/search"); !strings.Contains(why, "line 2") {
		t.Error(why)
	}
	if _, err := robots.FindGroup("Example/1"); err == nil || !strings.Contains(err.Error(), "Example") {
		t.Error(err)
	}
	if len(robots.Sitemaps) != 1 || robots.Sitemaps[0] != "https://example.com/a.xml" {
		t.Error(robots.Sitemaps)
	}
}

func TestStatus(t *testing.T) {
	for status, allowed := range map[int]bool{200: false, 206: false, 404: true, 403: true, 429: false, 503: false} {
		body := io.NopCloser(strings.NewReader("User-agent: *\nDisallow: /"))
		robots, err := FromResponse(&http.Response{StatusCode: status, Body: body})
		if err != nil || robots.TestAgent("/", "ExampleBot") != allowed {
			t.Error(status, err)
		}
	}
	if _, err := FromStatusAndBytes(302, nil); err == nil {
		t.Error("a redirect is no answer")
	}
}

func TestGoroutinesShareARobot(t *testing.T) {
	group, _ := FromString(file).FindGroup("ExampleBot")
	var done sync.WaitGroup
	for worker := 0; worker < 8; worker++ {
		done.Add(1)
		go func() {
			defer done.Done()
			for count := 0; count < 1000; count++ {
				if group.Test("/search") || !group.Test("/x") {
					t.Error("another answer")
				}
				if count%100 == 0 {
					runtime.GC()
				}
			}
		}()
	}
	done.Wait()
}
