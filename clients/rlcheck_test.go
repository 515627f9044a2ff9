package rlcheck

import (
	"bufio"
	"encoding/json"
	"io"
	"math/rand"
	"strconv"
	"strings"
	"testing"
)

// guided is a client whose guide answers draws by a function, so many at a time; with the states that were asked for,
// and the draws that were said to be taken.
func guided(most int, answer func(n int64) int64) (*Rand, *[][]string, *[]string) {
	fromClient, toGuide := io.Pipe()
	fromGuide, toClient := io.Pipe()
	states, taken := &[][]string{}, &[]string{}
	go func() {
		lines := bufio.NewScanner(fromClient)
		lines.Scan()
		io.WriteString(toClient, "{\"rlcheck\": 1}\n")
		for lines.Scan() {
			if _, err := strconv.Atoi(lines.Text()); err == nil {
				*taken = append(*taken, lines.Text())
				continue
			}
			var asked message
			json.Unmarshal(lines.Bytes(), &asked)
			if asked.End != "" {
				return
			}
			*states = append(*states, asked.State)
			var actions []int64
			for i := 0; i < min(asked.Ahead, most); i++ {
				actions = append(actions, answer(asked.N))
			}
			line, _ := json.Marshal(message{Actions: actions})
			toClient.Write(append(line, '\n'))
		}
	}()
	return greet(fromGuide, toGuide), states, taken
}

func TestASourceReachesEveryOption(t *testing.T) {
	next := int64(0)
	client, _, _ := guided(1, func(n int64) int64 { next++; return (next - 1) % n })
	r := rand.New(Source(client))
	for _, n := range []int{2, 3, 7, 10, 64, 257} {
		counts := make([]int, n)
		for i := 0; i < levels; i++ {
			counts[r.Intn(n)]++
		}
		most := 0
		for option, count := range counts {
			most = max(most, count)
			if count == 0 && n <= 64 {
				t.Errorf("option %d of %d is never drawn", option, n)
			}
		}
		if most > 3*levels/n+4 {
			t.Errorf("one option of %d is drawn %d times", n, most)
		}
	}
	tenths := make([]int, 10)
	for i := 0; i < levels; i++ {
		tenths[int(10*r.Float64())]++
	}
	for tenth, count := range tenths {
		if count < 20 || count > 31 {
			t.Errorf("%d of %d numbers are in tenth %d", count, levels, tenth)
		}
	}
}

func draw(r *rand.Rand) int { return r.Intn(6) }

func TestAStateIsTheStackOfTheProgram(t *testing.T) {
	client, states, _ := guided(1, func(n int64) int64 { return 0 })
	r := rand.New(Source(client))
	for i := 0; i < 3; i++ {
		draw(r)
	}
	r.Perm(3)
	client.End("pass")
	if len(*states) != 6 {
		t.Fatalf("%d draws", len(*states))
	}
	for _, state := range (*states)[:3] {
		last := state[len(state)-1]
		if !strings.Contains(last, ".draw:") || strings.Join(state, " ") != strings.Join((*states)[0], " ") {
			t.Errorf("the state is %v", state)
		}
	}
}

func TestAnswersAheadAreUsedInTheirOrder(t *testing.T) {
	next := int64(-1)
	client, states, taken := guided(4, func(n int64) int64 { next++; return next })
	for i := int64(0); i < 10; i++ {
		if made := client.Int63n(100); made != i {
			t.Errorf("draw %d is %d", i, made)
		}
	}
	client.End("pass")
	if len(*states) != 4 || strings.Join(*taken, " ") != "1 2 2 2 3 3" {
		t.Errorf("%d questions, and the draws %v", len(*states), *taken)
	}
}

func TestAnAnswerOutOfRangeIsRefused(t *testing.T) {
	client, _, _ := guided(2, func(n int64) int64 { return n })
	defer func() {
		if recover() == nil {
			t.Error("it is taken")
		}
	}()
	client.Intn(6)
}

func TestWithoutAGuideASourceIsThatOfMathRand(t *testing.T) {
	r := rand.New(Source(&Rand{}))
	seen := map[int64]bool{}
	for i := 0; i < 1000; i++ {
		seen[r.Int63()] = true
	}
	if len(seen) < 1000 {
		t.Errorf("%d different numbers", len(seen))
	}
}

func BenchmarkDraw(b *testing.B) {
	client, _, _ := guided(ahead, func(n int64) int64 { return 0 })
	for i := 0; i < b.N; i++ {
		client.Intn(6)
	}
}
