import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { GoogleSetupApi } from "./Contract.ts"
import { GoogleChecks } from "./GoogleChecks.ts"

export const GoogleSetupHandlers = HttpApiBuilder.group(
  GoogleSetupApi,
  "googleSetup",
  Effect.fn(function*(handlers) {
    const checks = yield* GoogleChecks

    return handlers.handle("check", () => Effect.map(checks.run, (checks) => ({ checks })))
  })
)
