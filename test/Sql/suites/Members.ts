import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { Members } from "../../../src/Management/Members.ts"
import type { StorageTests } from "../StorageFixture.ts"

export const storedMembers: StorageTests = (it) =>
  describe("stored members", () => {
    it.effect("only one of two members gets an e-mail address that both take at the same time", () =>
      Effect.gen(function*() {
        const members = yield* Members
        const [one, two] = [yield* members.create({ email: "one@race" }), yield* members.create({ email: "two@race" })]
        const taken = yield* Effect.forEach(
          [
            members.create({ email: "Race@example.com" }),
            members.create({ email: "race@EXAMPLE.com" }),
            members.change(one.id, { email: "RACE@example.com" }),
            members.change(two.id, { email: "race@example.com" })
          ],
          (change: Effect.Effect<unknown, { readonly _tag: string }>) => Effect.result(change),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          taken.map((result) => result._tag === "Failure" ? result.failure._tag : "ok").toSorted(),
          ["EmailTaken", "EmailTaken", "EmailTaken", "ok"]
        )
      }))
  })
