import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import type { ProviderSummary } from "../Api/ProvidersApi.ts"
import { asCaller, callerFlags } from "./ApiClient.ts"
import { misuse, reported } from "./Failure.ts"
import { type Operation, operationOf, operationsOf } from "./Operations.ts"
import { asJson, jsonText, print } from "./Output.ts"
import { type Column, record, table } from "./Table.ts"

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
    const api = yield* asCaller
    const answer = yield* api.providers.list({})
    yield* print(answer, (style) => table(providerColumns, answer.providers, style))
  }, reported)
).pipe(Command.withDescription("List the providers"), Command.withAlias("ls"))

const show = Command.make(
  "show",
  {
    provider: Argument.String("provider").pipe(Argument.withDescription("A provider's id")),
    operation: Argument.String("operation").pipe(
      Argument.withDescription("One of its operations, with its input schema"),
      Argument.optional
    )
  },
  Effect.fnUntraced(function*({ operation: name, provider: id }) {
    const api = yield* asCaller
    const provider = yield* api.providers.get({ params: { id } })
    if (Option.isNone(name)) {
      return yield* print(provider, (style) => table(operationColumns, operationsOf(provider), style))
    }
    const operation = Option.getOrUndefined(operationOf(provider, name.value))
    if (operation === undefined) {
      return yield* misuse(`"${id}" has no operation "${name.value}"; \`oa providers show ${id}\` lists them`)
    }
    yield* print(operation, (style) =>
      `${record(operationColumns, operation, style)}

${style.dim("input")}
${jsonText(operation.input_schema, 2)}`)
  }, reported)
).pipe(
  Command.withDescription("List a provider's operations, or show one with the JSON Schema of its input"),
  Command.withExamples([
    { command: "oa providers show gsc" },
    { command: "oa providers show gsc searchanalytics.query" }
  ])
)

export const providers = Command.make("providers").pipe(
  Command.withDescription("What can be called, and with which input"),
  Command.withSubcommands([list, show]),
  Command.withGlobalFlags([...callerFlags, asJson]),
  Command.provide(NodeHttpClient.layerUndici)
)
