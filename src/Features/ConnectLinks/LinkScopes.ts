import type { ConnectLink } from "../../Domain/ConnectLink.ts"
import { meaningOf } from "../../Domain/ScopeMeaning.ts"
import type { Provider } from "../../Providers/Provider.ts"

/** The scopes that a link asks for a new connection of the provider. */
export const linkScopes = ({ access }: Pick<ConnectLink, "access">, { scopes }: Provider): ReadonlyArray<string> =>
  access === "read_only" ? scopes.read : scopes.write

/**
 * The part of the granted scopes that a connection keeps: without those that only other providers of the same sign-in
 * asked for.
 */
export const ownScopes = (
  link: Pick<ConnectLink, "access">,
  granted: ReadonlyArray<string>,
  own: Provider,
  others: ReadonlyArray<Provider>
): ReadonlyArray<string> => {
  const asked = new Set(linkScopes(link, own).map(meaningOf))
  const foreign = new Set(others.flatMap((other) => linkScopes(link, other)).map(meaningOf))
  return granted.filter((scope) => asked.has(meaningOf(scope)) || !foreign.has(meaningOf(scope)))
}
