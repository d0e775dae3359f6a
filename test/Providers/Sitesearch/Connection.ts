import { Effect, Redacted } from "effect"
import type { AuthType } from "../../../src/Domain/Connection.ts"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import type { RawEndpoint } from "../../../src/Providers/Provider.ts"
import { type Access, ProviderClient } from "../../../src/Providers/ProviderClient.ts"
import { sitesearch } from "../../../src/Providers/Sitesearch/Provider.ts"
import { testAccess } from "../../support/TestAccess.ts"

export const apiKey = "5ecre7edecc1ea4ae341cc8b6a1b2c3d4"

export const accessBy = (authType: AuthType) =>
  testAccess({ authType, secret: Effect.succeed(Redacted.make(authType === "api_key" ? apiKey : "first")) })

export const callSitesearch = Effect.fnUntraced(function*(endpoint: RawEndpoint, input: unknown, access: Access) {
  const client = yield* ProviderClient
  const decoded = yield* Effect.orDie(Effect.fromResult(validator(endpoint.input)(input)))
  return yield* client.call({ provider: sitesearch, endpoint, input: decoded, access })
})
