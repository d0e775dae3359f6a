import { Effect, identity, Predicate, Result, type Schema } from "effect"
import type { Reader } from "../../Api/ApiError.ts"
import { CallRequest } from "../../Api/Calls/CallApi.ts"
import { InvalidInput, type ToolCallError } from "../../Api/Errors.ts"
import type { Resource } from "../../Domain/Access/Resource.ts"
import { JsonText } from "../../Domain/Json/JsonText.ts"
import { type LostNumbers, parseLongNumbers } from "../../Domain/Json/LostNumbers.ts"
import type { TableSource } from "../../Domain/Table/TableSource.ts"
import type { Issue } from "../../Domain/Validation/Issue.ts"
import { isUnknownField, unknownField } from "../../Domain/Validation/UnknownField.ts"
import { validator } from "../../Domain/Validation/Validation.ts"
import type { Provider, RawEndpoint, SmartTool } from "../Provider.ts"
import { type Access, providerCalls, type SendRequest } from "../ProviderClient.ts"
import {
  firstResource,
  misplacedUrls,
  type Resources,
  type Subject,
  subjectOf,
  type ToolResources
} from "../Resources.ts"
import { type JsonSchema, jsonSchemaOf } from "./JsonSchema.ts"
import { bodyOf, type InputReader, listsOf } from "./ReadInput.ts"

export interface Operation {
  readonly provider: Provider
  /** `raw:<endpoint>` or `tool:<name>`. */
  readonly target: string
  readonly writes: boolean
  readonly createsFile: boolean
  /** Whether the output is a text in a format that the input chooses. */
  readonly hasOwnFormat: boolean
  readonly inputSchema: () => JsonSchema
  /** `body` is the JSON of the call. */
  readonly prepare: (
    input: unknown,
    reader?: Reader,
    body?: () => string
  ) => Effect.Effect<PreparedOperation, InvalidInput>
}

export interface EndpointOperation extends Operation {
  readonly endpoint: RawEndpoint
}

export interface ToolOperation extends Operation {
  readonly tool: SmartTool
  readonly outputSchema: () => JsonSchema
}

export interface PreparedOperation {
  readonly input: unknown
  /** The input in its normalized form, before decoding. Absent if it was sent in this form. */
  readonly sent?: Readonly<Record<string, unknown>>
  /** `sent` with every digit of its numbers, where doubles lack some. */
  readonly exact?: unknown
  /** Where the response has its rows. */
  readonly rows: () => TableSource | undefined
  /** The operation for a call that keeps its table. Absent where every call reads the same rows. */
  readonly allRows?: () => PreparedOperation
  /** The first resource that the input names. */
  readonly resource: Resource | null
  readonly subject: () => Subject
  /** Issues of values that the provider would certainly refuse, if no bound refuses them first. */
  readonly misplaced: () => ReadonlyArray<Issue>
  readonly run: (
    send: SendRequest,
    access: Access
  ) => Effect.Effect<JsonText, ToolCallError | InvalidInput>
}

export const rawOperation = (provider: Provider, endpoint: RawEndpoint): EndpointOperation => ({
  provider,
  endpoint,
  target: `raw:${endpoint.id}`,
  writes: endpoint.writes,
  createsFile: endpoint.createsFile ?? false,
  hasOwnFormat: false,
  inputSchema: lazily(() => jsonSchemaOf(endpoint.input)),
  prepare: prepare(provider, endpoint, {
    hints: {
      program: `GET /v1/providers/${provider.id}/endpoints/${endpoint.id} shows the input.`,
      agent: "describe_endpoint shows the input."
    },
    reader: bodyOf(provider, endpoint),
    run: (input, lost) => (send, access) => send({ provider, endpoint, input, access, ...lost && { lost } })
  })
})

export const toolOperation = (provider: Provider, tool: SmartTool): ToolOperation => ({
  provider,
  tool,
  target: `tool:${tool.name}`,
  writes: tool.writes,
  createsFile: tool.createsFile ?? false,
  hasOwnFormat: tool.hasOwnFormat ?? false,
  inputSchema: lazily(() => jsonSchemaOf(tool.input)),
  outputSchema: lazily(() => jsonSchemaOf(tool.output)),
  prepare: prepare(provider, tool, {
    hints: { program: `GET /v1/providers/${provider.id}/tools/${tool.name} shows the input.` },
    reader: listsOf(tool),
    run: (input) => (send, access) =>
      Effect.map(tool.run(input, providerCalls(send, provider, access)), JsonText.stringify).pipe(
        tool.writes ? Effect.catchTag("InvalidInput", nothingWritten) : identity
      )
  })
})

const prepare = <Input>(
  provider: Provider,
  { allRows, input, resources, rows }: {
    readonly input: Schema.Codec<Input, unknown>
    allRows?(input: Input): Input
    rows?(input: Input): TableSource | undefined
    readonly resources: Resources<Input> | ToolResources<Input>
  },
  { hints, reader: { issuesOf, lostIn, placeOf, read }, run }: {
    readonly hints: { readonly program: string; readonly agent?: string }
    readonly reader: InputReader
    readonly run: (input: Input, lost?: LostNumbers) => PreparedOperation["run"]
  }
) => {
  const validate = validator(input)
  const prepared = (input: Input, lost?: LostNumbers): PreparedOperation => ({
    input,
    rows: () => rows?.(input),
    ...allRows === undefined ? {} : { allRows: () => prepared(allRows(input)) },
    resource: firstResource(provider, resources, input),
    subject: () => subjectOf(resources, input),
    misplaced: () => misplacedUrls(resources, input),
    run: run(input, lost)
  })
  return (
    input: unknown = {},
    reader: Reader = "program",
    body?: () => string
  ): Effect.Effect<PreparedOperation, InvalidInput> => {
    const sent = read(input, reader)
    const validated = validate(sent)
    const lost = body === undefined ? [] : issuesOf(body)
    if (Result.isSuccess(validated) && lost.length === 0) {
      const { success } = validated
      const decoded = prepared(success, body === undefined ? undefined : lostIn?.(success, body(), reader))
      if (sent === input || !Predicate.isObject(sent)) return Effect.succeed(decoded)
      const call = body === undefined ? undefined : parseLongNumbers(body())
      const exact = Predicate.hasProperty(call, "input") ? read(call.input, reader) : undefined
      return Effect.succeed({ ...decoded, sent, exact, ...issuesAt(decoded, (path) => placeOf(input, sent, path)) })
    }
    const hintOf = reader === "agent" && hints.agent === undefined ? notTaken : besideInput
    const details = [...Result.isFailure(validated) ? validated.failure : [], ...lost]
    return Effect.fail(InvalidInput.ofCall(
      details.map(({ message, path }) =>
        misplaced({ message, path: ["input", ...placeOf(input, sent, path)] }, hintOf)
      ),
      hints
    ))
  }
}

/** Moves issues to the paths at which their values were sent. */
const issuesAt = (
  { misplaced, subject }: PreparedOperation,
  placeOf: (path: Issue["path"]) => Issue["path"]
): Pick<PreparedOperation, "misplaced" | "subject"> => {
  const asSent = (issues: ReadonlyArray<Issue>): ReadonlyArray<Issue> =>
    issues.map(({ message, path: [input = "input", ...path] }) => ({ message, path: [input, ...placeOf(path)] }))
  return {
    misplaced: () => asSent(misplaced()),
    subject: () => {
      const { refuses, ...known } = subject()
      return { ...known, refuses: () => asSent(refuses()) }
    }
  }
}

const nothingWritten = ({ details, message }: InvalidInput) =>
  new InvalidInput({ message: `${message} Nothing was written.`, details })

/** Says where a field of the call, such as `max_age`, belongs if it is inside `input`. */
const misplaced = (issue: Issue, hintOf: (field: string) => string): Issue => {
  const [, field = "", ...below] = issue.path
  const isMisplaced = below.length === 0 && isUnknownField(issue) && Object.hasOwn(CallRequest.fields, field)
  return isMisplaced ? { ...issue, message: `${unknownField}: ${hintOf(String(field))}` } : issue
}

const besideInput = () => "it belongs beside `input`"

/** Over MCP, a tool has the fields of its input and those of the call side by side. */
const notTaken = (field: string): string =>
  field === "keep"
    ? "a table that is too long is kept by itself, and `call_read_endpoint` takes `keep`"
    : field === "input"
    ? "pass its fields as arguments of the tool"
    : "this tool does not take it"

const lazily = <A>(make: () => A): () => A => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}
