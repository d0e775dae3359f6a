import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CallRequest } from "../Api/CallApi.ts"
import { asCaller, callerFlags } from "./ApiClient.ts"
import { misuse, reported } from "./Failure.ts"
import { given, jsonOf } from "./Input.ts"
import { operationOf } from "./Operations.ts"
import { asJson, jsonText, note, print } from "./Output.ts"

export const call = Command.make(
  "call",
  {
    provider: Argument.String("provider").pipe(
      Argument.withDescription("A provider's id, as `oa providers list` has it")
    ),
    operation: Argument.String("operation").pipe(
      Argument.withDescription("A raw endpoint's id or a smart tool's name, as `oa providers show` has them")
    ),
    input: Flag.String("input").pipe(
      Flag.withMetavar("JSON|@file|-"),
      Flag.withDescription("The operation's input; - reads standard input"),
      Flag.optional
    ),
    connection: Flag.String("connection").pipe(
      Flag.withMetavar("<connection id>"),
      Flag.withDescription("Needed when the key sees several active connections of the provider"),
      Flag.optional
    ),
    maxAge: Flag.Int("max-age").pipe(
      Flag.withMetavar("<seconds>"),
      Flag.withDescription("A stored response that is at most this old will do"),
      Flag.optional
    ),
    endpoint: Flag.Boolean("endpoint").pipe(
      Flag.withDescription("The operation is a raw endpoint; saves looking it up"),
      Flag.withDefault(false)
    ),
    tool: Flag.Boolean("tool").pipe(
      Flag.withDescription("The operation is a smart tool; saves looking it up"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function*({ connection, endpoint, input: source, maxAge, operation, provider, tool }) {
    if (endpoint && tool) return yield* misuse("--endpoint and --tool exclude each other")
    const input = Option.isSome(source) ? yield* jsonOf("--input", source.value) : undefined
    const api = yield* asCaller

    const kindOf = Effect.gen(function*() {
      if (endpoint || tool) return endpoint ? "endpoint" : "tool"
      const found = operationOf(yield* api.providers.get({ params: { id: provider } }), operation)
      if (Option.isSome(found)) return found.value.kind
      return yield* misuse(
        `"${provider}" has no operation "${operation}"; \`oa providers show ${provider}\` lists them`
      )
    })
    const payload = yield* given(CallRequest, {
      provider,
      [yield* kindOf]: operation,
      input,
      connection_id: connection,
      max_age: maxAge
    })
    const answer = yield* api.call.call({ payload })
    yield* print(answer, () => jsonText(answer.data, 2))
    const from = answer.cached ? "the cache" : answer.connection_id
    yield* note(`${answer.call_id} through ${from}, ${Math.round(answer.latency_ms)} ms, $${answer.cost_usd}`)
  }, reported)
).pipe(
  Command.withDescription("Call a raw endpoint or a smart tool; prints its data, with --json the whole answer"),
  Command.withExamples([
    { command: "oa call gsc sites.list", description: "A raw endpoint without input" },
    {
      command: "oa call gsc gsc_top_queries --input '{\"site\":\"example.com\",\"days\":28}' --max-age 3600",
      description: "A smart tool; an answer from the last hour will do"
    },
    { command: "jq -n '{…}' | oa call gsheets sheets_append_rows --input -", description: "Input from another command" }
  ]),
  Command.withGlobalFlags([...callerFlags, asJson]),
  Command.provide(NodeHttpClient.layerUndici)
)
