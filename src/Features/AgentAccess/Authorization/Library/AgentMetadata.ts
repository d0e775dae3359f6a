import { Schema } from "effect"
import type { ClientMetadata, errors as libraryErrors } from "oidc-provider"
import { storable } from "../../../../Domain/Validation/Fields.ts"

type InvalidClientMetadata = typeof libraryErrors.InvalidClientMetadata

const maxNameLength = 100
const maxUris = 20
const maxUriLength = 1000
const maxLength = 4000

const keptFields = new Set(["client_id", "client_id_issued_at", "client_name", "client_uri", "redirect_uris"])

/** Public clients with PKCE. Native ones may use any port on loopback addresses. */
const fixedMetadata = {
  application_type: "native",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none"
} as const

const loopbackHosts = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|\?|$)/i

/** Browsers and systems handle these themselves. Others are private-use schemes of apps (RFC 8252, section 7.1). */
const publicSchemes = new Set(
  "about blob data feed file filesystem ftp ftps gopher javascript ldap mailto sftp sms ssh tel telnet vbscript view-source ws wss"
    .split(" ").map((scheme) => `${scheme}:`)
)

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

const isStorable = Schema.is(Schema.String.check(storable))

const findMistake = (metadata: object): string | undefined => {
  const name: unknown = Reflect.get(metadata, "client_name")
  const clientUri: unknown = Reflect.get(metadata, "client_uri")
  const uris: unknown = Reflect.get(metadata, "redirect_uris")
  const texts: ReadonlyArray<unknown> = [name, clientUri, ...Array.isArray(uris) ? uris : []]
  if (texts.some((text) => typeof text === "string" && !isStorable(text))) {
    return "client_name, client_uri and redirect_uris must not contain NUL or half a surrogate pair"
  }
  if (typeof name === "string" && (name.length > maxNameLength || invisible.test(name))) {
    return `client_name must have at most ${maxNameLength} visible characters`
  }
  if (typeof clientUri === "string" && clientUri.length > maxUriLength) {
    return `client_uri must have at most ${maxUriLength} characters`
  }
  if (JSON.stringify([name, clientUri, uris]).length > maxLength) {
    return `client_name, client_uri and redirect_uris must have at most ${maxLength} characters together`
  }
  if (!Array.isArray(uris)) return undefined
  if (uris.length > maxUris) return `redirect_uris must have at most ${maxUris} entries`
  return uris.map((uri: unknown) => typeof uri === "string" ? findUriMistake(uri) : undefined).find(Boolean)
}

const findUriMistake = (uri: string): string | undefined => {
  if (uri.length > maxUriLength) return `redirect_uris must have at most ${maxUriLength} characters each`
  const url = URL.parse(uri)
  if (url === null) return undefined
  if (publicSchemes.has(url.protocol)) {
    return `redirect_uris must have https, http on a loopback address, or the scheme of an app, not ${url.protocol}`
  }
  if (url.username !== "" || url.password !== "") return "redirect_uris must not contain a user or a password"
  if (url.protocol === "http:" && !loopbackHosts.test(uri)) {
    return "redirect_uris with http must be on localhost, 127.0.0.1 or [::1], in this spelling"
  }
  return undefined
}

export const normalizeMetadata = (metadata: ClientMetadata, Invalid: InvalidClientMetadata): void => {
  const mistake = findMistake(metadata)
  if (mistake !== undefined) throw new Invalid(mistake)
  for (const field of Object.keys(metadata)) {
    if (!keptFields.has(field)) Reflect.deleteProperty(metadata, field)
  }
  Object.assign(metadata, structuredClone(fixedMetadata), { id_token_signed_response_alg: "ES256" })
}
