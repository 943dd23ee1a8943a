// Drives the Cache of the package for Go, by net/http: origins on the standard input as lines of JSON, and what was heard of
// each on the output. `wire.py` runs it in the folder of the package.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"example.com/robotstxt"
)

type heard struct {
	Access string   `json:"access"`
	Cause  string   `json:"cause"`
	Retry  *float64 `json:"retry"`
	After  float64  `json:"after"`
}

func ask(cache *robotstxt.Cache, origin string) heard {
	began := time.Now()
	first, err := cache.Check(context.Background(), origin+"/x")
	if err != nil {
		return heard{Access: err.Error()}
	}
	after := time.Since(began).Seconds()
	private, err := cache.Check(context.Background(), origin+"/private/x")
	if err != nil {
		return heard{Access: err.Error()}
	}
	said := heard{Access: "closed", Cause: first.Cause, After: after}
	switch {
	case first.Allowed && private.Allowed:
		said.Access = "open"
		if said.Cause == "" {
			said.Cause = "no_rules"
		}
	case first.Allowed:
		said.Access = "rules"
	case !first.RetryAt.IsZero():
		retry := time.Until(first.RetryAt).Seconds()
		said.Retry = &retry
	}
	return said
}

func main() {
	seconds, _ := strconv.ParseFloat(os.Args[1], 64)
	client := &http.Client{
		Timeout:       time.Duration(seconds * float64(time.Second)),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	cache, err := robotstxt.NewCache("ExampleBot/1.0", "ExampleBot")
	if err != nil {
		panic(err)
	}
	cache.Fetch = client.Do
	var origins []string
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var origin string
		json.Unmarshal(lines.Bytes(), &origin)
		origins = append(origins, origin)
	}
	answers := make([]heard, len(origins))
	places := make(chan struct{}, 32)
	var done sync.WaitGroup
	for i, origin := range origins {
		done.Add(1)
		places <- struct{}{}
		go func(i int, origin string) {
			defer done.Done()
			answers[i] = ask(cache, origin)
			<-places
		}(i, origin)
	}
	done.Wait()
	out := json.NewEncoder(os.Stdout)
	for _, answer := range answers {
		out.Encode(answer)
	}
}
