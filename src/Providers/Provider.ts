import type { Effect, Option, Schema, SchemaAST } from "effect"
import type { InvalidInput, ToolCallError } from "../Api/Errors.ts"
import type { ResourceName } from "../Domain/Access/Resource.ts"
import type { AuthType } from "../Domain/Connection.ts"
import type { JsonText } from "../Domain/Json/JsonText.ts"
import type { TableSource } from "../Domain/Table/TableSource.ts"
import type { Issue } from "../Domain/Validation/Issue.ts"
import { type IdentityProvider, originsOf as identityOrigins } from "./IdentityProvider.ts"
import type { Origin } from "./Origins.ts"
import type { Quota } from "./Quota.ts"
import type { RequestAuthentication } from "./RequestAuthentication.ts"
import type { Resources, ToolResources } from "./Resources.ts"
import type { Touched, UndoData, UndoPlan, WritePlan } from "./Writing.ts"

export interface Provider {
  readonly id: string
  readonly name: string
  readonly authentication: { readonly [Type in AuthType]?: RequestAuthentication }
  readonly identity?: IdentityProvider
  readonly scopes: { readonly read: ReadonlyArray<string>; readonly write: ReadonlyArray<string> }
  /** Shown on the pages of connect links, which otherwise show the scopes. */
  readonly consent?: Consent
  readonly endpoints: ReadonlyArray<RawEndpoint>
  /** Inputs of endpoints by id, which work in the sandbox. Agents get them with the schema. */
  readonly examples?: Examples
  readonly tools: ReadonlyArray<SmartTool>
  /** Reads the bodies of endpoints before they are validated. By default they are read as they were sent. */
  readonly bodyReader?: (schema: SchemaAST.AST) => BodyReader
  /** Previews and undoes the writes that endpoints declare in `touches`. */
  readonly writing?: Writing
  /** The spelling of a resource's name in which bounds compare it. `undefined` for a text that names none. */
  readonly resourceName: ResourceName
  readonly resourcePage?: ResourcePage
  /** What an account reaches, for people who choose from it. Absent for files, which have no list. */
  readonly listResources?: (calls: ProviderCalls) => Effect.Effect<ReadonlyArray<ListedResource>, ToolCallError>
  /**
   * For `POST /connections/:id/test`, and daily for connections that nobody uses. If the response lists resources, lost
   * ones are noticed. Takes no input but `cheapestInput`. Absent if every read needs an id.
   */
  readonly cheapestRead?: RawEndpoint & { readonly needsInput?: never }
  /** By default `{}`. */
  readonly cheapestInput?: RawInput
  readonly classify: (response: {
    readonly status: number
    /** `undefined` if the body is not JSON. */
    readonly body: () => unknown
    readonly authType: AuthType
  }) => Verdict
  /** The limits of the provider that calls are kept within. By default none are known. */
  readonly quotas?: ReadonlyArray<Quota>
  /** The text with which an answer names the quota that refused the request. `undefined` for other answers. */
  readonly quotaError?: (answer: ProviderResponse) => string | undefined
  /** What a response reports of quotas, by their `reported`. Called for each response, so it checks `input` first. */
  readonly quotaReport?: (input: RawInput, body: () => unknown) => ReadonlyArray<QuotaReport>
  readonly errorMessage: (body: Schema.Json) => string | undefined
  /** A sentence about the operation that helps after this error message. */
  readonly hint?: (errorMessage: string) => string | undefined
}

export interface BodyReader {
  /** Normalizes a body that can be spelled in several ways. */
  readonly read: (body: unknown) => unknown
  /** Translates `path` in the normalized body to the path in the body that was sent. */
  readonly placeOf: (sent: unknown, read: unknown, path: Issue["path"]) => Issue["path"]
}

export interface ProviderResponse {
  readonly status: number
  /** `undefined` if the body is not JSON. */
  readonly body: () => unknown
}

/** The page of a resource, and its title, by default its name. */
export interface ResourcePage {
  readonly url: (name: string) => string
  readonly title?: (name: string, provider: ProviderCalls) => Effect.Effect<string | null, ToolCallError>
}

export interface QuotaReport {
  readonly quota: string
  readonly consumed: number
  readonly remaining: number
}

export interface ListedResource {
  /** A text that `resourceName` takes. */
  readonly name: string
  readonly title: string
}

export interface Consent {
  readonly product: string
  /** Continues the sentence "Acme asks to …". Also for `writes`. */
  readonly reads: string
  readonly writes: string
  readonly scopes: Readonly<Record<string, string>>
  readonly signIn: { readonly text: string; readonly brand?: "google" }
  readonly undo: { readonly text: string; readonly url: string }
  readonly apiKey?: { readonly steps: ReadonlyArray<string> }
  readonly invitation?: Invitation
}

export interface Invitation {
  readonly steps: ReadonlyArray<string>
  readonly resource: { readonly label: string; readonly hint: string }
  readonly read: (text: string) => ReadCall | undefined
}

export interface ReadCall {
  readonly endpoint: RawEndpoint
  readonly input: RawInput
}

export type Verdict =
  | "ok"
  /** Refreshes the token and retries once. A second 401 expires the connection. */
  | "unauthorized"
  | "rejected"
  /** The account does not reach the resource of the request. `rejected` if the request is about none. */
  | "not_shared"
  | "error"

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

export interface RawInput {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, QueryValue | ReadonlyArray<QueryValue> | undefined>>
  readonly body?: unknown
}
export type QueryValue = string | number | boolean

export type Examples = Readonly<Record<string, RawInput>>

export interface RawEndpoint<Input extends RawInput = RawInput> {
  readonly id: string
  readonly description: string
  readonly method: HttpMethod
  readonly origin: Origin
  /** URL template below the origin. `{name}` stands for `path.name`, percent-encoded as one segment. */
  readonly path: `/${string}`
  readonly writes: boolean
  /** The new file needs an owner, and a service account can own files only when it acts for a user. */
  readonly createsFile?: boolean
  /** The provider limits server errors too, so a 502, 503 or 504 is not retried. */
  readonly limitsServerErrors?: boolean
  /** The provider accepts any one of these OAuth scopes. */
  readonly scopes: ReadonlyArray<string>
  /** Rejects unknown fields. Its JSON Schema is the `input_schema` of the endpoint. */
  readonly input: Schema.Codec<Input, unknown>
  /** Where the input names resources, or that the response lists them, or that the request is about none. */
  readonly resources: Resources<NoInfer<Input>>
  /** Where the response has its rows, if it is one table. */
  rows?(input: NoInfer<Input>): TableSource | undefined
  /** What a write touches, for `Provider.writing`. Without it, a preview is the request, and nothing can be undone. */
  touches?(input: NoInfer<Input>): Touched
}

/** Exists in types only: an endpoint with required input cannot be a `cheapestRead`. */
type NeedsInput<Input extends RawInput> = Record<never, never> extends Input ? unknown : { readonly needsInput?: true }

export interface ProviderCalls {
  /** A 2xx body that does not match `response` is an `UpstreamError`. Fields that `response` lacks are dropped. */
  readonly call: <Input extends RawInput, A>(
    endpoint: RawEndpoint<Input>,
    input: Input,
    response: Schema.Codec<A, unknown>,
    followedBy?: FollowedBy
  ) => Effect.Effect<A, ToolCallError>
  /** Calls an endpoint with a long response. `decode` receives its text, and `None` becomes an `UpstreamError`. */
  readonly callWith: <Input extends RawInput, A, E>(
    endpoint: RawEndpoint<Input>,
    input: Input,
    decode: (body: JsonText) => Effect.Effect<Option.Option<A>, E>,
    followedBy?: FollowedBy
  ) => Effect.Effect<A, ToolCallError | E>
}

/** The writes of a tool that need the response of an earlier write. A preview has a placeholder for that response. */
export type FollowedBy = () => ReadonlyArray<{ readonly endpoint: RawEndpoint; readonly input: RawInput }>

/** Previews and undoes writes. */
export interface Writing {
  readonly plan: (
    touched: Touched,
    provider: ProviderCalls
  ) => Effect.Effect<WritePlan, ToolCallError | InvalidInput>
  /** `kept` is what the plans of one call have kept, in the order of its writes. */
  readonly undo: (
    kept: UndoData,
    provider: ProviderCalls
  ) => Effect.Effect<UndoPlan, ToolCallError | InvalidInput>
  /** The address of a file's earlier versions, for writes that cannot be undone. */
  readonly versionHistory?: (file: string) => string
}

export interface SmartTool<Input = unknown, Output = unknown> {
  readonly name: string
  readonly description: string
  /** The description for agents, whose context holds that of every tool. By default `description`. */
  readonly brief?: string
  readonly writes: boolean
  /** Replaces or removes data, so agents ask first. */
  readonly destructive?: boolean
  readonly idempotent?: boolean
  readonly createsFile?: boolean
  /** Refuses numbers that would lose digits on their way into a cell. */
  readonly keepsDigits?: boolean
  readonly input: Schema.Codec<Input, unknown>
  /** The resource that bounds the tool, as for an endpoint. The tool's requests have bounds of their own. */
  readonly resources: ToolResources<NoInfer<Input>>
  /** Where the output has its rows, if it is one table. */
  rows?(input: NoInfer<Input>): TableSource | undefined
  /** The input that reads all rows, for a call that keeps the table. By default it keeps the rows that a call reads. */
  allRows?(input: NoInfer<Input>): NoInfer<Input>
  /** Whether the output is a text in a format that the input chooses. Calls then take no `select` and no `format`. */
  readonly hasOwnFormat?: boolean
  /** Its JSON Schema is the `output_schema` of the tool. Calls do not evaluate it. */
  readonly output: Schema.Codec<Output>
  /** `InvalidInput` paths start at the request body, as in `["input","site"]`. */
  run(input: Input, provider: ProviderCalls): Effect.Effect<NoInfer<Output>, ToolCallError | InvalidInput>
}

export const endpoint = <Input extends RawInput>(row: RawEndpoint<Input>): RawEndpoint<Input> & NeedsInput<Input> => row

export const tool = <Input, Output>(definition: SmartTool<Input, Output>): SmartTool<Input, Output> => definition

/** `brief` are the sentences for agents. The whole description adds `others`. */
export const described = (brief: ReadonlyArray<string>, others: ReadonlyArray<string>) => ({
  description: [...brief, ...others].join(" "),
  brief: brief.join(" ")
})

const authTypes: ReadonlyArray<AuthType> = ["oauth", "service_account", "api_key"]

/** The name that people know. */
export const productOf = ({ consent, name }: Provider): string => consent?.product ?? name

/** `id` can be that of a provider that this version does not have. */
export const productNamed = (providers: ReadonlyArray<Provider>, id: string): string => {
  const found = providers.find((each) => each.id === id)
  return found === undefined ? id : productOf(found)
}

export const authTypesOf = ({ authentication }: Provider): ReadonlyArray<AuthType> =>
  authTypes.filter((type) => authentication[type] !== undefined)

export const originsOf = (providers: ReadonlyArray<Provider>): ReadonlyArray<Origin> => {
  const origins = providers.flatMap(({ endpoints, identity }) => [
    ...endpoints.map(({ origin }) => origin),
    ...identity === undefined ? [] : identityOrigins(identity)
  ])
  return [...new Map(origins.map((origin) => [origin.id, origin])).values()]
}

export const identitiesOf = (providers: ReadonlyArray<Provider>): ReadonlyArray<IdentityProvider> => {
  const identities = providers.flatMap(({ identity }) => identity ?? [])
  return [...new Map(identities.map((identity) => [identity.id, identity])).values()]
}
