import { Effect, Redacted, Schema, SchemaTransformation } from "effect"
import { createPrivateKey } from "node:crypto"
import { PastedText } from "../../Domain/Validation/PastedText.ts"

const defaultTokenUri = "https://oauth2.googleapis.com/token"

/** A key from an environment variable often has `\\n` in place of line breaks. */
const PrivateKey = Schema.String.check(Schema.isNonEmpty()).pipe(Schema.encodeTo(
  Schema.String,
  SchemaTransformation.transform({
    decode: (text) => `${text.replaceAll("\\r", "").replaceAll("\\n", "\n").trim()}\n`,
    encode: (text: string) => text
  })
))

export const ServiceAccountKey = Schema.StructWithRest(
  Schema.Struct({
    type: Schema.Literal("service_account"),
    client_email: PastedText.annotate({ description: "The address of the service account; share resources with it." }),
    private_key: Schema.RedactedFromValue(PrivateKey, { label: "private_key" }).annotate({
      description: "The RSA private key in PEM form."
    }),
    private_key_id: Schema.optionalKey(PastedText),
    token_uri: PastedText.pipe(Schema.withDecodingDefaultKey(Effect.succeed(defaultTokenUri))).annotate({
      description: "The audience of the assertions that are signed with the key."
    }),
    subject: Schema.optionalKey(PastedText).annotate({
      description: "The user for whom the service account acts (domain-wide delegation). Not a field of the key file."
    })
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
).annotate({ identifier: "ServiceAccountKey" })
export type ServiceAccountKey = typeof ServiceAccountKey.Type

export const privateKeyExpected = "an RSA private key of 2048 bits or more in PEM form"

/** RS256 needs an RSA key of at least 2048 bits (RFC 7518, section 3.3). */
export const hasUsableKey = ({ private_key }: ServiceAccountKey): boolean => {
  try {
    const { asymmetricKeyDetails, asymmetricKeyType } = createPrivateKey(Redacted.value(private_key))
    return asymmetricKeyType === "rsa" && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
  } catch {
    return false
  }
}
