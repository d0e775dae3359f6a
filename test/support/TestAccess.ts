import { Effect, Redacted } from "effect"
import type { Access } from "../../src/Providers/ProviderClient.ts"

export const testAccess = (more: Partial<Access> = {}): Access => ({
  authType: "oauth",
  ownsFiles: Effect.succeed(true),
  secret: Effect.succeed(Redacted.make("ya29.token")),
  renew: () => Effect.die("No request returns 401 here"),
  expire: Effect.void,
  ...more
})
