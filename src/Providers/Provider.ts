import type { Effect, Schema } from "effect"
import type { InvalidInput, ProviderError } from "../Api/Errors.ts"
import type { AuthType } from "../Domain/Connection.ts"
import { type IdentityProvider, originsOf as identityOrigins } from "./OAuth/IdentityProvider.ts"
import type { Origin } from "./Origins.ts"
import type { RequestAuthentication } from "./RequestAuthentication.ts"

/** A provider: everything that is special about it. A new one is one such value, in a folder of its own. */
export interface Provider {
  readonly id: string
  readonly name: string
  /** The auth types of its connections, each with how it authenticates a request. */
  readonly authentication: { readonly [Type in AuthType]?: RequestAuthentication }
  /** Where its `oauth` and `service_account` connections get their tokens. */
  readonly identity?: IdentityProvider
  /** The OAuth scopes that a connection asks for. */
  readonly scopes: { readonly read: ReadonlyArray<string>; readonly write: ReadonlyArray<string> }
  readonly endpoints: ReadonlyArray<RawEndpoint>
  readonly tools: ReadonlyArray<SmartTool>
  /** The read that `POST /connections/:id/test` makes. Absent where every read needs an id. */
  readonly cheapestRead?: RawEndpoint
  readonly classify: (response: {
    readonly status: number
    /** Parses the body on demand; `undefined` where it is not JSON. */
    readonly body: () => unknown
    readonly authType: AuthType
  }) => Verdict
  /** The human-readable message of an error body. */
  readonly errorMessage: (body: Schema.Json) => string | undefined
}

/** What a response means. */
export type Verdict =
  /** 2xx without an error inside. */
  | "ok"
  /** Like a 401: refresh once and retry once, then the grant is dead. */
  | "unauthorized"
  /** The credentials are valid but refused. */
  | "rejected"
  | "error"

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** The decoded input of a raw endpoint, in the provider's own spelling. */
export interface RawInput {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, QueryValue | ReadonlyArray<QueryValue> | undefined>>
  readonly body?: unknown
}
export type QueryValue = string | number | boolean

/** A direct provider operation: one row of a provider's table. */
export interface RawEndpoint<Input extends RawInput = RawInput> {
  readonly id: string
  readonly description: string
  readonly method: HttpMethod
  readonly origin: Origin
  /** URL template below the origin. `{name}` stands for `path.name`, percent-encoded as one segment. */
  readonly path: `/${string}`
  readonly writes: boolean
  /** The new file needs an owner, which a service account cannot be unless it acts for a user. */
  readonly createsFile?: boolean
  /** OAuth scopes, any one of which the provider accepts. */
  readonly scopes: ReadonlyArray<string>
  /** Closed: accepts exactly what is sent. Its JSON Schema is the endpoint's `input_schema`. */
  readonly input: Schema.Codec<Input, unknown>
}

/** Calls raw endpoints of one provider through one connection, for smart tools. */
export interface ProviderCalls {
  /**
   * Fails like the raw endpoint. A 2xx body that does not match `response` is an `UpstreamError`. Fields that `response`
   * does not name are dropped.
   */
  readonly call: <Input extends RawInput, A>(
    endpoint: RawEndpoint<Input>,
    input: Input,
    response: Schema.Codec<A, unknown>
  ) => Effect.Effect<A, ProviderError>
}

/** A higher-level operation over a provider's raw endpoints, with a flat input and a compact output. */
export interface SmartTool<Input = unknown> {
  readonly name: string
  readonly description: string
  readonly writes: boolean
  readonly createsFile?: boolean
  /** Closed and flat. Its JSON Schema is the tool's `input_schema`. */
  readonly input: Schema.Codec<Input, unknown>
  /** Returns JSON. `InvalidInput` paths start at the request body, as in `["input","site"]`. */
  run(input: Input, provider: ProviderCalls): Effect.Effect<unknown, ProviderError | InvalidInput>
}

/** A row of a provider's table, with the exact type of its input. */
export const endpoint = <Input extends RawInput>(row: RawEndpoint<Input>): RawEndpoint<Input> => row

/** A smart tool, with the exact type of its input. */
export const tool = <Input>(definition: SmartTool<Input>): SmartTool<Input> => definition

const authTypes: ReadonlyArray<AuthType> = ["oauth", "service_account", "api_key"]

export const authTypesOf = ({ authentication }: Provider): ReadonlyArray<AuthType> =>
  authTypes.filter((type) => authentication[type] !== undefined)

/** Every origin that requests of these providers go to, once. */
export const originsOf = (providers: ReadonlyArray<Provider>): ReadonlyArray<Origin> => {
  const origins = providers.flatMap(({ endpoints, identity }) => [
    ...endpoints.map(({ origin }) => origin),
    ...identity === undefined ? [] : identityOrigins(identity)
  ])
  return [...new Map(origins.map((origin) => [origin.id, origin])).values()]
}

/** The identity providers of these providers, once each. */
export const identitiesOf = (providers: ReadonlyArray<Provider>): ReadonlyArray<IdentityProvider> => {
  const identities = providers.flatMap(({ identity }) => identity ?? [])
  return [...new Map(identities.map((identity) => [identity.id, identity])).values()]
}
