import { Context, type Effect } from "effect"
import type { ProviderError } from "../Api/Errors.ts"
import type { JsonText } from "./JsonText.ts"
import type { AuthMethod, Credential, Provider, RawEndpoint, RawInput } from "./Provider.ts"

/** A connection's credentials, as the client needs them: it never sees where they are kept. */
export interface Access {
  readonly authMethod: AuthMethod
  /** A credential that is good now; an access token about to expire is refreshed first. */
  readonly credential: Effect.Effect<Credential, ProviderError>
  /** Another credential, after the provider answered 401 to `refused`. Meaningful for `oauth` only. */
  readonly renew: (refused: Credential) => Effect.Effect<Credential, ProviderError>
  /** The grant is dead: the connection becomes `expired`. */
  readonly expire: Effect.Effect<void>
}

export interface ProviderRequest {
  readonly provider: Provider
  readonly endpoint: RawEndpoint
  readonly input: RawInput
  readonly access: Access
}

/**
 * The providers themselves: one request to a raw endpoint, answered with the provider's body or one of four errors
 * (section 7 of the contract).
 */
export class ProviderClient extends Context.Service<ProviderClient, {
  readonly call: (request: ProviderRequest) => Effect.Effect<JsonText, ProviderError>
}>()("openaccounts/Providers/ProviderClient") {}
