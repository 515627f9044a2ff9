// The JavaScript client of `rlcheck guide`, for Node: Math.random() and the like, answered by another process.
// Protocol: docs/reference/protocol.md. This file stands alone: copy it beside a program.
//
//     const rlcheck = require("./rlcheck.js");
//     const rng = rlcheck.connect();     // null when no guide is there
//     rng.random(); rng.below(6); rng.pick(["a", "b"]);
//     rng.patch();                       // Math.random() is guided from here on
//     rng.end("fail");                   // or "pass", or "invalid"; a program that just ends has passed
"use strict";

const fs = require("fs");

const VERSION = 1;
const FRAMES = 32;
const LONGEST = 65536;
const SPAN = 2 ** 53;

class Drawn {
  constructor() {
    this.coverage = null; // Or a function that says how much is covered so far.
  }

  // A number from 0 to 1, without 1.
  random() {
    return this.draw(SPAN) / SPAN;
  }

  // An integer from 0 to n, without n.
  below(n) {
    return this.draw(n);
  }

  // One of the elements of an array.
  pick(options) {
    return options[this.draw(options.length)];
  }

  // Guide Math.random(); gives back what undoes it.
  patch() {
    const plain = Math.random;
    Math.random = () => this.random();
    return () => {
      Math.random = plain;
    };
  }

  check(n) {
    if (!Number.isInteger(n) || n < 1 || n > SPAN) throw new RangeError(`n=${n} must be an integer from 1 to 2**53`);
  }
}

class Guided extends Drawn {
  constructor(reads, writes) {
    super();
    this.reads = reads;
    this.writes = writes;
    this.heard = "";
    this.chunk = Buffer.alloc(LONGEST);
    this.send({ rlcheck: VERSION, client: "javascript" });
    if (this.receive().rlcheck !== VERSION) throw new Error("rlcheck: the guide speaks another version");
  }

  // The index of one of n options.
  draw(n) {
    this.check(n);
    const message = { n, state: stack() };
    if (this.coverage) message.coverage = this.coverage();
    this.send(message);
    const { action } = this.receive();
    if (!Number.isInteger(action) || action < 0 || action >= n)
      throw new Error(`rlcheck: the guide answered ${action} to a draw of ${n} options`);
    return action;
  }

  // Say how the run ended: "pass", "fail" or "invalid".
  end(how = "pass") {
    const message = { end: how };
    if (this.coverage) message.coverage = this.coverage();
    this.send(message);
  }

  send(message) {
    const line = Buffer.from(JSON.stringify(message) + "\n");
    for (let sent = 0; sent < line.length; ) sent += fs.writeSync(this.writes, line, sent);
  }

  receive() {
    let end;
    while ((end = this.heard.indexOf("\n")) < 0) {
      const more = fs.readSync(this.reads, this.chunk, 0, LONGEST, null);
      if (more === 0 || this.heard.length > LONGEST) throw new Error("rlcheck: the guide has gone");
      this.heard += this.chunk.toString("utf8", 0, more);
    }
    const message = JSON.parse(this.heard.slice(0, end));
    this.heard = this.heard.slice(end + 1);
    if (message.error) throw new Error(`rlcheck: the guide says: ${message.error}`);
    return message;
  }
}

class Replayed extends Drawn {
  constructor(path) {
    super();
    const lines = fs.readFileSync(path, "utf8").split("\n").filter((line) => line.trim());
    const [header, ...draws] = lines.map((line) => JSON.parse(line));
    if (!header || header.rlcheck !== "actions" || header.version !== VERSION)
      throw new Error(`rlcheck: ${path} is not a recording that this client reads`);
    this.draws = draws;
    this.used = 0;
  }

  // The recorded index.
  draw(n) {
    this.check(n);
    const known = this.draws[this.used];
    if (!known) throw new Error(`rlcheck: the recording ends after ${this.used} draws`);
    if (known.n !== n || !(known.action >= 0 && known.action < n))
      throw new Error(`rlcheck: draw ${this.used} was of ${known.n} options, and is now of ${n}`);
    this.used += 1;
    return known.action;
  }

  // Nobody listens.
  end() {}
}

// Function and line of the frames outside this file, outermost first.
function stack() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES + 4;
  const lines = new Error().stack.split("\n").slice(1);
  Error.stackTraceLimit = limit;
  const made = [];
  for (const line of lines) {
    if (line.includes(__filename) || line.includes("node:internal")) continue;
    const place = /at (?:(.*?) \()?(?:.*[/\\])?([^/\\]+?):(\d+):\d+\)?$/.exec(line.trim());
    if (place) made.push(`${place[1] || place[2]}:${place[3]}`);
  }
  return made.slice(0, FRAMES).reverse();
}

// A guided generator; null when no guide is there. Node reads pipes and files at once, but no sockets.
function connect() {
  const address = process.env.RLCHECK_GUIDE || "";
  if (address.startsWith("fd:")) {
    const [reads, writes] = address.slice(3).split(",").map(Number);
    return new Guided(reads, writes);
  }
  if (address.startsWith("unix:")) throw new Error("rlcheck: this client takes pipes, not sockets");
  return address ? new Replayed(address) : null;
}

module.exports = { connect };
