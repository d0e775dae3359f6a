import { Clock, Effect, Redacted } from "effect"
import { createPrivateKey } from "node:crypto"
import { CredentialsRejected } from "../../Api/Errors/ProviderErrors.ts"
import { privateKeyExpected, type ServiceAccountKey } from "./ServiceAccountKey.ts"

/** The longest lifetime that Google accepts. */
const lifetimeSeconds = 3600

/** RFC 7523. */
export const signAssertion = Effect.fnUntraced(
  function* signAssertion(key: ServiceAccountKey, scopes: ReadonlyArray<string>) {
    const { SignJWT } = yield* Effect.promise(() => import("jose"))
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const jwt = new SignJWT({
      iss: key.client_email,
      scope: scopes.join(" "),
      aud: key.token_uri,
      iat: now,
      exp: now + lifetimeSeconds,
      ...(key.subject === undefined ? {} : { sub: key.subject })
    }).setProtectedHeader({
      alg: "RS256",
      typ: "JWT",
      ...(key.private_key_id === undefined ? {} : { kid: key.private_key_id })
    })
    return yield* Effect.tryPromise({
      try: async () => Redacted.make(await jwt.sign(createPrivateKey(Redacted.value(key.private_key)))),
      catch: () =>
        new CredentialsRejected({
          message: `The service account's \`private_key\` is not ${privateKeyExpected}.`
        })
    })
  }
)
