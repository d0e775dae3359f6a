import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { longestHold, maxHoldMillis } from "../support/EventLoop.ts"
import { filtered, query } from "./Providers/Gsc/Fixture.ts"
import { now, sandboxAt } from "./SandboxFixture.ts"

const patterns = [
  "^(([a-z ])+.)+[A-Z]([a-z])+$",
  "^(\\w+\\s?)+$!",
  "(x+x+)+y",
  "(.*a){25}Q",
  "^((.*)(.*)){40}[A-Z]$",
  ".?".repeat(450) + "[A-Z]$"
]

layer(sandboxAt(now))("A filter by regular expression", (it) => {
  for (const pattern of patterns) {
    it.effect(`does not hold the process for ${pattern.slice(0, 30)}`, () =>
      Effect.gen(function*() {
        yield* query(filtered("query", "contains", "compost"))
        const search = query(filtered("query", "includingRegex", pattern))
        assert.isBelow(yield* longestHold(search), maxHoldMillis)
      }))
  }
})
