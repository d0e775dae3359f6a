import { Option, Result, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { createHmac } from "node:crypto"

/** Not a secret: the signature only detects mistyped and invented tokens. */
const key = "openaccounts sandbox"

const mac = (text: string) => createHmac("sha256", key).update(text).digest("base64url").slice(0, 22)

export const signedToken = <A, I>(prefix: string, schema: Schema.Codec<A, I>) => {
  const json = Schema.fromJsonString(schema)
  const encode = Schema.encodeSync(json)
  const decode = Schema.decodeOption(json)
  return {
    sign: (value: A): string => {
      const text = Base64Url.encode(encode(value))
      return `${prefix}${text}.${mac(prefix + text)}`
    },
    verify: (token: string): Option.Option<A> => {
      const dot = token.lastIndexOf(".")
      const text = token.slice(prefix.length, dot)
      return token.startsWith(prefix) && token.slice(dot + 1) === mac(prefix + text)
        ? Option.flatMap(Result.getSuccess(Base64Url.decodeString(text)), decode)
        : Option.none()
    }
  }
}
