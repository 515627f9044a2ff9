// A subject in Go: the draws of the vectors.
package main

import (
	"encoding/json"
	"fmt"

	"subject/rlcheck"
)

func main() {
	rand := rlcheck.Connect()
	made := []int64{}
	for _, n := range []int64{6, 2, 1, 1000000, 9007199254740992} {
		made = append(made, rand.Int63n(n))
	}
	text, _ := json.Marshal(made)
	fmt.Println(string(text))
	rand.End("pass")
}
