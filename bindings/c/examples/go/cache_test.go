package robotstxt

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestCache(t *testing.T) {
	var fetched int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.Redirect(w, r, "/moved.txt", http.StatusFound)
			return
		}
		if r.Header.Get("User-Agent") != "ExampleBot/1.0" {
			t.Error(r.Header)
		}
		atomic.AddInt32(&fetched, 1)
		w.Write([]byte("User-agent: *\nDisallow: /private\nCrawl-delay: 2\n"))
	}))
	defer server.Close()
	cache, err := NewCache("ExampleBot/1.0", "ExampleBot")
	if err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	for worker := 0; worker < 8; worker++ {
		done.Add(1)
		go func() {
			defer done.Done()
			access, err := cache.Check(context.Background(), server.URL+"/private/x")
			if err != nil || access.Allowed || access.Closed || access.Line != 2 || access.Group.CrawlDelay != 2*time.Second {
				t.Error(access, err)
			}
		}()
	}
	done.Wait()
	access, err := cache.Check(context.Background(), server.URL+"/x")
	if err != nil || !access.Allowed || fetched != 1 {
		t.Error(access, err, fetched)
	}
	next, _ := NewCache("ExampleBot/1.0", "ExampleBot")
	if err := next.Load(cache.Save()); err != nil {
		t.Error(err)
	}
	if access, err = next.Check(context.Background(), server.URL+"/private"); err != nil || access.Line != 2 || fetched != 1 {
		t.Error(access, err, fetched)
	}
	if next.Load([]byte("x")) == nil || next.Explain(server.URL) == "" || next.Explain("https://example.com") != "" {
		t.Error("bytes of no cache, and what is known")
	}
}

func TestOutage(t *testing.T) {
	cache, _ := NewCache("ExampleBot/1.0", "ExampleBot")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "120")
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	url := server.URL + "/x"
	access, err := cache.Check(context.Background(), url)
	if err != nil || !access.Closed || access.Allowed || access.Cause != "503" || time.Until(access.RetryAt) < 100*time.Second {
		t.Error(access, err)
	}
	server.Close()
	other, _ := NewCache("ExampleBot/1.0", "ExampleBot")
	access, err = other.Check(context.Background(), url)
	if err != nil || !access.Closed || access.Cause != "unreachable" {
		t.Error(access, err)
	}
	if _, err := NewCache("ExampleBot/1.0", "ExampleBot/1.0"); err == nil {
		t.Error("no token")
	}
	if _, err := cache.Check(context.Background(), "mailto:a@b"); err == nil {
		t.Error("no URL")
	}
}

func TestACallerThatGoesAway(t *testing.T) {
	asked, answer := make(chan struct{}, 2), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-answer:
		case <-r.Context().Done():
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	defer server.Close()
	cache, _ := NewCache("ExampleBot/1.0", "ExampleBot")
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-asked
		cancel()
		<-asked
		close(answer)
	}()
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		if _, err := cache.Check(ctx, server.URL); err == nil {
			t.Error("it was cancelled")
		}
	}()
	<-ctx.Done()
	access, err := cache.Check(context.Background(), server.URL)
	if err != nil || !access.Allowed || access.Cause != "404" {
		t.Error(access, err)
	}
	done.Wait()
}
