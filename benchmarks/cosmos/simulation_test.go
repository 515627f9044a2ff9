package cosmos

import (
	"flag"
	"fmt"
	"math/rand"
	"testing"

	"rlcheck/benchmarks/cosmos/rlcheck"

	"github.com/cosmos/cosmos-sdk/testutil/simsx"
	simtypes "github.com/cosmos/cosmos-sdk/types/simulation"
)

var (
	blocks     = flag.Int("blocks", 50, "blocks of a chain")
	operations = flag.Int("operations", 20, "operations of a block, about")
	accounts   = flag.Int("accounts", 50, "accounts of a chain")
	seed       = flag.Int64("chain", 42, "decides the draws that are not guided")
)

const (
	// A chain begins at a fixed time, or no run would repeat another.
	genesis = 1_700_000_000
	// A draw from more options is guided to one of this many.
	levels = 256
	// So many draws share one look at the coverage, which costs as much as some of them.
	every = 20
)

// told is a source that this program's math/rand tells how many options a draw has. Bytes are not guided: the SDK
// makes keys of them until they differ.
type told struct {
	rand.Source64
	guided  *rlcheck.Rand
	draws   int
	looked  int
	covered float64
}

func (s *told) Int63n(n int64) int64 {
	s.draws++
	if n <= levels {
		return s.guided.Int63n(n)
	}
	level := s.guided.Int63n(levels)
	return n/levels*level + n%levels*level/levels
}

func (s *told) Float64() float64 {
	s.draws++
	return float64(s.guided.Int63n(levels)) / levels
}

func (s *told) coverage() float64 {
	if s.draws >= s.looked+every {
		s.looked, s.covered = s.draws, testing.Coverage()
	}
	return s.covered
}

// plain is a source whose draws are counted.
type plain struct {
	rand.Source64
	draws int
}

func (s *plain) Int63() int64   { s.draws++; return s.Source64.Int63() }
func (s *plain) Uint64() uint64 { s.draws++; return s.Source64.Uint64() }

// TestSimulation runs a chain once. The keys of its accounts come from the seed, all later draws from the guide;
// without a guide, from the seed.
func TestSimulation(t *testing.T) {
	seeded := rand.New(rand.NewSource(*seed))
	made := simtypes.RandomAccounts(seeded, *accounts)
	rest := rand.NewSource(seeded.Int63()).(rand.Source64)
	unguided := &plain{Source64: rest}
	guided := &told{Source64: rest, guided: rlcheck.Connect()}
	guided.guided.Coverage = guided.coverage
	start := func(r *rand.Rand, _ int) []simtypes.Account {
		if guided.guided.Guided() {
			*r = *rand.New(guided)
		} else {
			*r = *rand.New(unguided)
		}
		return made
	}
	completed := false
	defer func() {
		guided.looked = -every
		fmt.Printf("coverage %.6f draws %d\n", guided.coverage(), guided.draws+unguided.draws)
		// A failure says what it is when the process ends, and the guide sees that it does.
		if t.Skipped() {
			guided.guided.End("invalid")
		} else if completed {
			guided.guided.End("pass")
		}
	}()
	simsx.RunWithSeedAndRandAcc(t, settings(), newApp, stateOf, *seed, nil, start)
	completed = true
}

func settings() simtypes.Config {
	return simtypes.Config{
		InitialBlockHeight: 1,
		GenesisTime:        genesis,
		NumBlocks:          *blocks,
		BlockSize:          *operations,
		ChainID:            simsx.SimAppChainID,
		Commit:             true,
		DBBackend:          "memdb",
		Lean:               true,
	}
}
