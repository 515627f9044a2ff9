// A subject in JavaScript: the draws of the vectors.
const fs = require("fs");
const path = require("path");
const clients = path.join(__dirname, "..", "..", "..", "clients");
const rng = require(path.join(clients, "rlcheck.js")).connect();
const vectors = JSON.parse(fs.readFileSync(path.join(clients, "vectors.json"), "utf8"));
console.log(JSON.stringify(vectors.draws.map((draw) => rng.below(draw.n))));
rng.end("pass");
