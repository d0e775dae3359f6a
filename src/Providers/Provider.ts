import type { Effect, Redacted, Schema } from "effect"
import type { InvalidInput, ProviderError } from "../Api/Errors.ts"
import type { AuthType } from "../Domain/Connection.ts"
import type { Origin } from "./Origins.ts"

/** How a connection authenticates to the provider. */
export type AuthMethod = AuthType

/** What a raw endpoint is called with, decoded: in the provider's own spelling, ready to be sent. */
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
  readonly method: "GET" | "POST" | "PUT"
  readonly origin: Origin
  /** URL template below the origin; `{name}` stands for `path.name`, percent-encoded as one segment. */
  readonly path: `/${string}`
  readonly writes: boolean
  /** The new file needs an owner, which a service account cannot be unless it acts for a user. */
  readonly createsFile?: boolean
  /** OAuth scopes of which the provider wants any one. */
  readonly scopes: ReadonlyArray<string>
  /** Closed; accepts exactly what is sent on. Its JSON Schema is the endpoint's `input_schema`. */
  readonly input: Schema.Codec<Input, unknown>
}

/** Calls raw endpoints of one provider through one connection; what a smart tool is given. */
export interface ProviderCalls {
  /**
   * Fails like the raw endpoint does. A 2xx body that is not of the form `response` is an `UpstreamError`. `response`
   * is open: fields it does not name are dropped.
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
  /** The output is JSON; `InvalidInput` paths start at the root of the request body, as in `["input","site"]`. */
  run(input: Input, provider: ProviderCalls): Effect.Effect<unknown, ProviderError | InvalidInput>
}

/** What authenticates one request. */
export type Credential =
  | { readonly _tag: "Bearer"; readonly token: Redacted.Redacted }
  | { readonly _tag: "ApiKey"; readonly key: Redacted.Redacted }

/** What a provider's answer means; `body` is the parsed JSON, or `undefined` where it is none. */
export type Verdict =
  /** 2xx and no error inside. */
  | "ok"
  /** As a 401: refresh once, try once more, then the grant is dead. */
  | "unauthorized"
  /** The credentials are valid but refused. */
  | "rejected"
  | "error"

export interface Provider {
  readonly id: string
  readonly name: string
  readonly authMethods: ReadonlyArray<AuthMethod>
  readonly endpoints: ReadonlyArray<RawEndpoint>
  readonly tools: ReadonlyArray<SmartTool>
  /** The read that `POST /connections/:id/test` makes; absent where every read needs an id. */
  readonly cheapestRead?: RawEndpoint
  /** Which OAuth application of the operator's, and which endpoints, its grants belong to. */
  readonly identity: "google" | "sitesearch"
  readonly scopes: { readonly read: ReadonlyArray<string>; readonly write: ReadonlyArray<string> }
  readonly classify: (answer: {
    readonly status: number
    /**
     * Parsed when it is asked for: a long one had better not be. No getter, which V8 keeps until the next full garbage
     * collection, and the answer with it.
     */
    readonly body: () => unknown
    readonly authMethod: AuthMethod
  }) => Verdict
}

/** A row of a provider's table; checks it and keeps the exact type of its input. */
export const endpoint = <Input extends RawInput>(row: RawEndpoint<Input>): RawEndpoint<Input> => row

/** A smart tool; checks it and keeps the exact type of its input. */
export const tool = <Input>(definition: SmartTool<Input>): SmartTool<Input> => definition
