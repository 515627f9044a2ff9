// Package rlcheck is the Go client of `rlcheck guide`: a look-alike of math/rand whose draws another process
// answers. Protocol: docs/reference/protocol.md. This file stands alone.
//
//	guided := rlcheck.Connect()          // without a guide, draws are those of math/rand
//	guided.Intn(6)
//	r := rand.New(rlcheck.Source(guided)) // for code that wants a *math/rand.Rand
//	guided.End("fail")                   // or "pass", or "invalid"; a program that just ends has passed
package rlcheck

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"
)

const (
	version = 1
	frames  = 32
	span    = int64(1) << 53
	levels  = 256
	ahead   = 256
	most    = 1 << 16
	spread  = 0x9e3779b97f4a7c15
)

type message struct {
	Rlcheck  any      `json:"rlcheck,omitempty"`
	Version  int      `json:"version,omitempty"`
	Client   string   `json:"client,omitempty"`
	N        int64    `json:"n,omitempty"`
	State    []string `json:"state,omitempty"`
	Ahead    int      `json:"ahead,omitempty"`
	Coverage float64  `json:"coverage,omitempty"`
	End      string   `json:"end,omitempty"`
	Action   *int64   `json:"action,omitempty"`
	Actions  []int64  `json:"actions,omitempty"`
	Error    string   `json:"error,omitempty"`
}

// place is where the program draws from n options, with the answers that the guide gave ahead.
type place struct {
	n      int64
	state  []string
	ahead  int
	left   []int64
	taking []byte // Tells the guide that one of them is taken.
}

// Rand draws like math/rand.Rand. Coverage, if set, says how much is covered so far.
type Rand struct {
	Coverage func() float64
	reads    *bufio.Reader
	writes   io.Writer
	replay   []message
	used     int
	guided   bool
	places   map[string]*place
	asked    int64
}

// Connect finds the guide by RLCHECK_GUIDE: pipes, a Unix socket, or the path of a recording.
func Connect() *Rand {
	address := os.Getenv("RLCHECK_GUIDE")
	var reads, writes uintptr
	switch {
	case address == "":
		return &Rand{}
	case strings.HasPrefix(address, "unix:"):
		connection, err := net.Dial("unix", address[5:])
		check(err)
		return greet(connection, connection)
	case strings.HasPrefix(address, "fd:"):
		_, err := fmt.Sscanf(address, "fd:%d,%d", &reads, &writes)
		check(err)
		return greet(os.NewFile(reads, "guide"), os.NewFile(writes, "guide"))
	}
	file, err := os.Open(address)
	check(err)
	defer file.Close()
	made := &Rand{guided: true}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var draw message
		check(json.Unmarshal(lines.Bytes(), &draw))
		made.replay = append(made.replay, draw)
	}
	if len(made.replay) == 0 || made.replay[0].Rlcheck != "actions" || made.replay[0].Version != version {
		panic("rlcheck: " + address + " is not a recording that this client reads")
	}
	made.replay = made.replay[1:]
	return made
}

func greet(reads io.Reader, writes io.Writer) *Rand {
	made := &Rand{reads: bufio.NewReader(reads), writes: writes, guided: true}
	made.send(message{Rlcheck: version, Client: "go"})
	if made.receive().Rlcheck != float64(version) {
		panic("rlcheck: the guide speaks another version")
	}
	return made
}

// Guided says whether there is a guide, or a recording of one.
func (r *Rand) Guided() bool { return r.guided }

// Int63n is an integer from 0 to n, without n.
func (r *Rand) Int63n(n int64) int64 {
	if n < 1 {
		panic("rlcheck: a draw needs at least one option")
	}
	if !r.guided {
		return rand.Int63n(n)
	}
	if r.writes == nil {
		return r.replayed(n)
	}
	at := r.place(n)
	if len(at.left) == 0 {
		r.ask(at)
	} else {
		_, err := r.writes.Write(at.taking) // At once, so that the guide knows all draws of a run that crashes.
		check(err)
	}
	action := at.left[0]
	at.left = at.left[1:]
	return action
}

// ask gets the answer for a draw, and those for later draws at this place: as many as before, and again as many.
func (r *Rand) ask(at *place) {
	at.ahead = min(max(1, 2*at.ahead), ahead)
	r.send(message{N: at.n, State: at.state, Ahead: at.ahead, Coverage: r.covered()})
	answer := r.receive()
	at.left = answer.Actions
	if answer.Action != nil {
		at.left = []int64{*answer.Action}
	}
	if len(at.left) == 0 || len(at.left) > at.ahead {
		panic("rlcheck: the guide gave too few answers, or too many")
	}
	for _, action := range at.left {
		if action < 0 || action >= at.n {
			panic("rlcheck: the guide answered out of range")
		}
	}
	at.taking = fmt.Appendf(nil, "%d\n", r.asked)
	r.asked++
}

// Intn is an integer from 0 to n, without n.
func (r *Rand) Intn(n int) int { return int(r.Int63n(int64(n))) }

// Float64 is a number from 0 to 1, without 1.
func (r *Rand) Float64() float64 { return float64(r.Int63n(span)) / float64(span) }

// Perm is a permutation of the integers from 0 to n, without n.
func (r *Rand) Perm(n int) []int {
	made := make([]int, n)
	for i := range made {
		j := r.Intn(i + 1)
		made[i], made[j] = made[j], i
	}
	return made
}

// Shuffle swaps n elements into another order.
func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, r.Intn(i+1))
	}
}

// End says how the run ended: "pass", "fail" or "invalid".
func (r *Rand) End(how string) {
	if r.writes != nil {
		r.send(message{End: how, Coverage: r.covered()})
	}
}

func (r *Rand) replayed(n int64) int64 {
	if r.used >= len(r.replay) {
		panic(fmt.Sprintf("rlcheck: the recording ends after %d draws", r.used))
	}
	draw := r.replay[r.used]
	if draw.N != n || draw.Action == nil || *draw.Action < 0 || *draw.Action >= n {
		panic(fmt.Sprintf("rlcheck: draw %d was of %d options, and is now of %d", r.used, draw.N, n))
	}
	r.used++
	return *draw.Action
}

func (r *Rand) covered() float64 {
	if r.Coverage == nil {
		return 0
	}
	return r.Coverage()
}

func (r *Rand) send(m message) {
	line, err := json.Marshal(m)
	check(err)
	_, err = r.writes.Write(append(line, '\n'))
	check(err)
}

func (r *Rand) receive() message {
	var m message
	line, err := r.reads.ReadBytes('\n')
	check(err)
	check(json.Unmarshal(line, &m))
	if m.Error != "" {
		panic("rlcheck: the guide says: " + m.Error)
	}
	return m
}

// place is where a draw from n options is made: function and line of the frames outside this file, math/rand and the
// runtime, outermost first. Naming frames takes microseconds, so every stack is named once.
func (r *Rand) place(n int64) *place {
	var counters [frames + 17]uintptr
	counters[0] = uintptr(n)
	found := counters[:1+runtime.Callers(3, counters[1:])]
	key := unsafe.String((*byte)(unsafe.Pointer(&counters[0])), len(found)*int(unsafe.Sizeof(counters[0])))
	if made, known := r.places[key]; known {
		return made
	}
	made := &place{n: n}
	named := runtime.CallersFrames(found[1:])
	for frame, more := named.Next(); len(made.state) < frames; frame, more = named.Next() {
		module, _, _ := strings.Cut(frame.Function, ".")
		if filepath.Base(frame.File) != "rlcheck.go" && module != "runtime" && module != "math/rand" {
			made.state = append([]string{fmt.Sprintf("%s:%d", frame.Function, frame.Line)}, made.state...)
		}
		if !more {
			break
		}
	}
	if r.places == nil || len(r.places) >= most {
		r.places = map[string]*place{}
	}
	r.places[strings.Clone(key)] = made
	return made
}

type source struct{ rand *Rand }

// Source makes a source for rand.New. A source is not told how many options a draw has, so the guide chooses
// one of 256 numbers, which are spread evenly over all bits.
func Source(r *Rand) rand.Source64 { return source{r} }

func (s source) Uint64() uint64 {
	if !s.rand.guided {
		return rand.Uint64()
	}
	return uint64(s.rand.Int63n(levels)) * spread
}

func (s source) Int63() int64 { return int64(s.Uint64() >> 1) }

// Seed does nothing: the guide decides.
func (s source) Seed(int64) {}

func check(err error) {
	if err != nil {
		panic("rlcheck: " + err.Error())
	}
}
