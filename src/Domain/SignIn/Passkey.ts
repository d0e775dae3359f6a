import { Duration, Schema } from "effect"
import { PasskeyId } from "../Ids.ts"
import { Name, Timestamp } from "../Validation/Fields.ts"

export const challengeLifetime = Duration.minutes(5)

export const Passkey = Schema.Struct({
  id: PasskeyId,
  name: Name,
  created_at: Timestamp,
  last_used_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Passkey" })
export type Passkey = typeof Passkey.Type

const maxBytes = 100_000

const Bytes = Schema.String.check(
  Schema.isPattern(/^[\w-]*$/u, { message: "Expected base64url" }),
  Schema.isMaxLength(maxBytes, { message: `Must have at most ${maxBytes} characters` })
).annotate({ description: "Bytes in base64url." })

const optionalBytes = Bytes.pipe(Schema.optionalKey)

const credential = <S extends Schema.Top>(response: S) => ({
  id: Bytes,
  rawId: Bytes,
  type: Schema.Literal("public-key"),
  response
})

export const RegistrationResponse = Schema.Struct(credential(Schema.Struct({
  clientDataJSON: Bytes,
  attestationObject: Bytes,
  transports: Schema.mutable(Schema.Array(Schema.String.check(Schema.isMaxLength(50))).check(Schema.isMaxLength(20)))
    .pipe(
      Schema.optionalKey
    )
}))).annotate({ identifier: "PasskeyRegistration" })
export type RegistrationResponse = typeof RegistrationResponse.Type

export const AuthenticationResponse = Schema.Struct(credential(Schema.Struct({
  clientDataJSON: Bytes,
  authenticatorData: Bytes,
  signature: Bytes,
  userHandle: optionalBytes
}))).annotate({ identifier: "PasskeyAuthentication" })
export type AuthenticationResponse = typeof AuthenticationResponse.Type

const Descriptors = Schema.mutable(Schema.Array(Schema.Struct({ id: Bytes, type: Schema.Literal("public-key") })))

export const RegistrationOptions = Schema.Struct({
  rp: Schema.Struct({ id: Schema.String, name: Schema.String }),
  user: Schema.Struct({ id: Bytes, name: Schema.String, displayName: Schema.String }),
  challenge: Bytes,
  pubKeyCredParams: Schema.mutable(
    Schema.Array(Schema.Struct({ alg: Schema.Int, type: Schema.Literal("public-key") }))
  ),
  timeout: Schema.Int.annotate({ description: "Milliseconds." }),
  excludeCredentials: Descriptors,
  authenticatorSelection: Schema.Struct({
    residentKey: Schema.Literal("required"),
    requireResidentKey: Schema.Literal(true),
    userVerification: Schema.Literal("required")
  }),
  attestation: Schema.Literal("none")
}).annotate({ identifier: "PasskeyRegistrationOptions", description: "For `navigator.credentials.create`." })
export type RegistrationOptions = typeof RegistrationOptions.Type

export const AuthenticationOptions = Schema.Struct({
  challenge: Bytes,
  rpId: Schema.String,
  timeout: Schema.Int.annotate({ description: "Milliseconds." }),
  userVerification: Schema.Literal("required"),
  allowCredentials: Descriptors.annotate({ description: "Empty: the browser offers the passkeys that it has." })
}).annotate({ identifier: "PasskeyAuthenticationOptions", description: "For `navigator.credentials.get`." })
export type AuthenticationOptions = typeof AuthenticationOptions.Type
