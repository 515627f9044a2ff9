// A subject in Go: the draws of the vectors, or the sum of as many draws as it is told.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"subject/rlcheck"
)

func main() {
	rand := rlcheck.Connect()
	if len(os.Args) > 1 {
		draws, _ := strconv.Atoi(os.Args[1])
		total := 0
		for i := 0; i < draws; i++ {
			total += rand.Intn(6 + i%2)
		}
		fmt.Println(total)
		rand.End("pass")
		return
	}
	made := []int64{}
	for _, n := range []int64{6, 2, 1, 1000000, 9007199254740992} {
		made = append(made, rand.Int63n(n))
	}
	text, _ := json.Marshal(made)
	fmt.Println(string(text))
	rand.End("pass")
}
