import { Config, Context, Data, Effect, Layer, Option, Redacted } from "effect"
import { generateSecret } from "../Secrets/IssuedSecrets.ts"
import { matcher } from "../Secrets/SharedSecret.ts"
import { databaseUrl } from "../Settings.ts"
import { DataDir } from "../Sql/DataDir.ts"

export class AdminTokenTooShort extends Data.TaggedError("AdminTokenTooShort")<{ readonly message: string }> {}

const minLength = 32

export const adminTokenSecrets = ["ADMIN_TOKEN"]

export class AdminToken extends Context.Service<AdminToken, {
  readonly token: Option.Option<Redacted.Redacted>
  readonly matches: (candidate: Redacted.Redacted) => boolean
}>()("openaccounts/Management/AdminToken") {
  static readonly layer = Layer.effect(
    AdminToken,
    Effect.gen(function*() {
      const token = yield* adminToken
      return AdminToken.of({ token, matches: Option.match(token, { onNone: () => () => false, onSome: matcher }) })
    })
  )
}

const adminToken = Effect.gen(function*() {
  const configured = yield* Config.option(Config.Redacted("ADMIN_TOKEN"))
  if (Option.isSome(configured)) {
    if (Redacted.value(configured.value).length < minLength) {
      return yield* new AdminTokenTooShort({ message: `ADMIN_TOKEN must have at least ${minLength} characters` })
    }
    return configured
  }
  if (Option.isSome(yield* databaseUrl)) return Option.none()
  const dataDir = yield* DataDir
  return Option.some(yield* dataDir.secret("admin-token", () => Redacted.value(generateSecret("oaa_", "admin token"))))
})
