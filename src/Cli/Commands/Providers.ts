import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import type { ProviderDetail, ProviderSummary } from "../../Api/Calls/ProvidersApi.ts"
import { nameNearest } from "../../Domain/Text/Nearest.ts"
import { keyApi, keyFlags } from "../ApiClient.ts"
import { type Failure, reportFailure, usageError } from "../Failure.ts"
import { formatJson, print } from "../Output.ts"
import { type Column, record, table } from "../Table.ts"

type Provider = typeof ProviderDetail.Type

const listOperations = ({ endpoints, tools }: Provider) => [
  ...endpoints.map(({ id, ...endpoint }) => ({ ...endpoint, kind: "endpoint", name: id }) as const),
  ...tools.map((tool) => ({ ...tool, kind: "tool" }) as const)
]

type Operation = ReturnType<typeof listOperations>[number]

/** The API returns an empty list for an unknown provider, which hides a typing mistake. */
export const requireProvider = (api: Effect.Success<typeof keyApi>, id: string) =>
  Effect.flatMap(api.providers.list(), ({ providers }) =>
    providers.some((provider) => provider.id === id)
      ? Effect.void
      : Effect.fail(
        usageError(`There is no provider "${id}"; the nearest are ${nameNearest(id, providers, ({ id }) => id)}`)
      ))

export const findOperation = (provider: Provider, name: string): Effect.Effect<Operation, Failure> => {
  const operation = listOperations(provider).find((operation) => operation.name === name)
  return operation === undefined
    ? Effect.fail(
      usageError(`"${provider.id}" has no operation "${name}"; \`oa providers show ${provider.id}\` lists them`)
    )
    : Effect.succeed(operation)
}

const providerColumns: ReadonlyArray<Column<typeof ProviderSummary.Type>> = [
  { head: "id", value: ({ id }) => id },
  { head: "name", value: ({ name }) => name },
  { head: "auth methods", value: ({ auth_methods }) => auth_methods.join(", ") }
]

const operationColumns: ReadonlyArray<Column<Operation>> = [
  { head: "operation", value: ({ name }) => name },
  { head: "kind", value: ({ kind }) => kind },
  { head: "writes", value: ({ writes }) => writes ? "yes" : "no", tone: ({ writes }) => writes ? "warn" : undefined },
  { head: "description", value: ({ description }) => description, width: 72 }
]

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function*() {
    const api = yield* keyApi
    const list = yield* api.providers.list({})
    yield* print(list, (style) => table(providerColumns, list.providers, style))
  }, reportFailure)
).pipe(Command.withDescription("List the providers"), Command.withAlias("ls"))

const show = Command.make(
  "show",
  {
    provider: Argument.String("provider").pipe(Argument.withDescription("Provider id")),
    operation: Argument.String("operation").pipe(
      Argument.withDescription("Operation to show with its input schema"),
      Argument.optional
    )
  },
  Effect.fnUntraced(function*({ operation: name, provider: id }) {
    const api = yield* keyApi
    const provider = yield* api.providers.get({ params: { id } })
    if (Option.isNone(name)) {
      return yield* print(provider, (style) => table(operationColumns, listOperations(provider), style))
    }
    const operation = yield* findOperation(provider, name.value)
    yield* print(operation, (style) =>
      `${record(operationColumns, operation, style)}

${style.dim("input")}
${formatJson(operation.input_schema, 2)}`)
  }, reportFailure)
).pipe(
  Command.withDescription("List a provider's operations, or show one operation with the JSON Schema of its input"),
  Command.withExamples([
    { command: "oa providers show gsc" },
    { command: "oa providers show gsc searchanalytics.query" }
  ])
)

export const providers = Command.make("providers").pipe(
  Command.withDescription("Providers, their operations and the inputs"),
  Command.withSubcommands([list, show]),
  Command.withGlobalFlags(keyFlags)
)
