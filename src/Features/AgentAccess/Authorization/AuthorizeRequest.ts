import { scopes } from "./AuthorizationUrls.ts"

/** OpenID parameters. Some agents send them without the scope `openid`, and the library then refuses the request. */
const openIdParameters = ["acr_values", "claims", "claims_locales", "id_token_hint", "max_age", "nonce"]

/** The library serves other response modes with a script. It refuses an unknown mode with a redirect. */
const unknownMode = "unsupported"

const isKnown = (scope: string) => scopes.some((known) => known === scope)

/**
 * Adapts an authorization request to the library. Unknown scopes are ignored (RFC 6749, section 3.3). The agent asks for
 * reading in any case, because a person may allow only that. Repeated parameters stay, and the library refuses them.
 */
export const authorizeQuery = (query: string, resource: string): string => {
  const parameters = new URLSearchParams(query)
  nameResource(parameters, resource)
  for (const name of openIdParameters) parameters.delete(name)
  const mode = parameters.get("response_mode")
  if (mode !== null && mode !== "query") parameters.set("response_mode", unknownMode)
  const [scope = "", ...more] = parameters.getAll("scope")
  if (more.length === 0) {
    const known = scope.split(" ").filter(isKnown)
    parameters.set("scope", [...new Set(["read", ...known])].join(" "))
  }
  return parameters.toString()
}

/** The form of a token request, with the resource as the service spells it. */
export const tokenForm = (form: Uint8Array, resource: string): Uint8Array => {
  const parameters = new URLSearchParams(new TextDecoder().decode(form))
  return nameResource(parameters, resource) ? new TextEncoder().encode(parameters.toString()) : form
}

/** Scheme and host have no case (RFC 3986, section 6.2.2.1), but the library compares texts. */
const nameResource = (parameters: URLSearchParams, resource: string): boolean => {
  const sent = parameters.getAll("resource")
  if (sent.every((each) => each === resource || lowerHost(each) !== lowerHost(resource))) return false
  parameters.delete("resource")
  for (const each of sent) parameters.append("resource", lowerHost(each) === lowerHost(resource) ? resource : each)
  return true
}

const lowerHost = (url: string): string => url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, (start) => start.toLowerCase())
