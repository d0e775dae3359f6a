import { Console, Effect, Option } from "effect"
import { Links } from "./Links.ts"

export const printSetupLink = Effect.gen(function*() {
  const link = yield* (yield* Links).createSetup
  if (Option.isNone(link)) return
  yield* Console.log(`
No member can sign in yet. This link makes the first admin.
It works once, within 24 hours:
  ${link.value.url}`)
})
