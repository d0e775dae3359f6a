import { scopes } from "./AuthorizationUrls.ts"

/** For OpenID. Without the scope `openid`, the library refuses them, though agents send some of them by habit. */
const openIdParameters = ["acr_values", "claims", "claims_locales", "id_token_hint", "max_age", "nonce"]

/** Its error responses for other modes are pages with a script. A mode that it does not know is refused in a query. */
const unknownMode = "unsupported"

const isKnown = (scope: string) => scopes.some((known) => known === scope)

/**
 * The query of an authorization request as the library needs it. Unknown scopes are ignored (RFC 6749, section 3.3);
 * without a known one, the agent asks for reading. Repeated parameters stay, so that the library refuses them.
 */
export const authorizeQuery = (query: string): string => {
  const parameters = new URLSearchParams(query)
  for (const name of openIdParameters) parameters.delete(name)
  const mode = parameters.get("response_mode")
  if (mode !== null && mode !== "query") parameters.set("response_mode", unknownMode)
  const [scope = "", ...more] = parameters.getAll("scope")
  if (more.length === 0) {
    const known = scope.split(" ").filter(isKnown)
    parameters.set("scope", known.length === 0 ? "read" : known.join(" "))
  }
  return parameters.toString()
}
