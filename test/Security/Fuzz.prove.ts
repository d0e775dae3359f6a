import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { fuzz } from "./Fuzz.ts"

/** For longer runs: `FUZZ_REQUESTS=100000`, with another `SEED`. */
const count = Number(process.env["FUZZ_REQUESTS"] ?? 500)
const seed = Number(process.env["SEED"] ?? 20_261_121)

describe("Random requests to every endpoint", { timeout: 3_600_000 }, () => {
  it.live("are answered as documented, without an internal error, a crash or a growth of memory", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream.make
      const { complaints, memory, server } = yield* fuzz({ count, seed, upstream, folder: yield* dataFolder })
      assert.strictEqual(complaints.slice(0, 5).join("\n\n"), "")
      const [early, ...later] = memory.map(({ external, heap }) => heap + external)
      for (const used of later) assert.isBelow(used, (early ?? 0) + 64, "mebibytes after garbage collection")
      yield* server.kill("SIGTERM")
      assert.strictEqual((yield* server.ended).code, 0)
    }).pipe(Effect.scoped))
})
