import { assert, describe, it } from "@effect/vitest"
import { targets } from "../../scripts/fuzz/Targets.ts"

describe("The inputs with which fuzzing begins", () => {
  for (const [name, { run, seeds }] of Object.entries(targets)) {
    it(`keep what holds for ${name}`, async () => {
      assert.isNotEmpty(seeds)
      for (const seed of seeds) await run(Buffer.from(seed))
    })
  }
})
