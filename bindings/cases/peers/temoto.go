// Answers of github.com/temoto/robotstxt, as parsers.py asks.
package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"

	"github.com/temoto/robotstxt"
)

var in = bufio.NewReader(os.Stdin)

func main() {
	for {
		robotsTxt, err := read()
		if err != nil {
			return
		}
		agent, _ := read()
		path, _ := read()
		os.Stdout.Write([]byte{answer(robotsTxt, string(agent), string(path))})
	}
}

func answer(robotsTxt []byte, agent, path string) byte {
	robots, err := robotstxt.FromBytes(robotsTxt)
	if err != nil {
		return '?'
	}
	if robots.TestAgent(path, agent) {
		return '1'
	}
	return '0'
}

func read() ([]byte, error) {
	var length uint32
	if err := binary.Read(in, binary.LittleEndian, &length); err != nil {
		return nil, err
	}
	bytes := make([]byte, length)
	_, err := io.ReadFull(in, bytes)
	return bytes, err
}
