import { Effect, Layer, Option } from "effect"
import { Greeting } from "../../Http/Greeting.ts"
import { Links } from "./Links.ts"

/** Prints a setup link at the start while nobody can sign in. */
export const SetupLink = Layer.effectDiscard(Effect.gen(function*() {
  const greeting = yield* Greeting
  const { createSetup } = yield* Links
  yield* greeting.add(Effect.map(
    createSetup,
    Option.map(({ url }) => `
No member can sign in yet. This link makes the first admin.
It works once, within 24 hours:
  ${url}`)
  ))
}))
