import { assert, describe, it } from "@effect/vitest"
import { targets } from "../../scripts/fuzz/Targets.ts"

describe("The inputs with which fuzzing begins", () => {
  for (const [name, load] of Object.entries(targets)) {
    it(`keep what holds for ${name}`, async () => {
      const { run, seeds } = await load()
      assert.isNotEmpty(seeds)
      for (const seed of seeds) await run(Buffer.from(seed))
    })
  }
})
