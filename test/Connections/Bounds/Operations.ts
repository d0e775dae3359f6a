import { Effect, Exit, Layer, Option, Redacted } from "effect"
import { ResourceNotFound } from "../../../src/Api/Errors.ts"
import { BoundCalls } from "../../../src/Connections/Bounds/BoundCalls.ts"
import { CreatedFiles } from "../../../src/Connections/Bounds/CreatedFiles.ts"
import type { BoundHolder, Bounds } from "../../../src/Domain/Access/Bounds.ts"
import { KeyId } from "../../../src/Domain/Ids.ts"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import type { Operation, PreparedOperation } from "../../../src/Providers/Catalog/Operation.ts"
import type { Access, ProviderRequest } from "../../../src/Providers/ProviderClient.ts"

const access: Access = {
  authType: "oauth",
  ownsFiles: Effect.succeed(true),
  secret: Effect.succeed(Redacted.make("secret")),
  renew: () => Effect.succeed(Redacted.make("secret")),
  expire: Effect.void
}

export const holder = KeyId.make(`key_${"0".repeat(26)}`)

export const boundTo = (...resources: ReadonlyArray<string>): Bounds => [
  { holder, resources: new Set(resources), text: JSON.stringify(resources) }
]

/** Keeps created files in memory, as the table does. */
export const makeCreatedFiles = () => {
  const files = new Map<BoundHolder, Set<string>>()
  const of = (holder: BoundHolder) => files.get(holder) ?? new Set<string>()
  return CreatedFiles.of({
    add: (holders, resource) =>
      Effect.sync(() => {
        for (const each of holders) files.set(each, of(each).add(resource))
      }),
    among: (holder, resources) => Effect.sync(() => new Set(resources.filter((resource) => of(holder).has(resource)))),
    of: (holders) => Effect.sync(() => holders.flatMap((holder) => [...of(holder)]))
  })
}

const boundCalls = Effect.runSync(
  Effect.provide(
    BoundCalls,
    BoundCalls.layerNoDeps.pipe(Layer.provide(Layer.succeed(CreatedFiles, makeCreatedFiles())))
  )
)

export interface Outcome {
  readonly sent: ReadonlyArray<ProviderRequest>
  readonly code: string | undefined
  readonly resource: string | null
  readonly text: string
}

/** Runs an operation as a call does, from its input to the requests that reach the provider. */
export const runBound = Effect.fnUntraced(function*(
  operation: Operation,
  input: unknown,
  bounds: Bounds,
  respond: (request: ProviderRequest) => unknown
): Effect.fn.Return<Outcome> {
  const sent: Array<ProviderRequest> = []
  const prepared = yield* Effect.exit(operation.prepare(input))
  if (Exit.isFailure(prepared)) return { sent, code: "invalid_input", resource: null, text: "" }
  const { resource, run, subject }: PreparedOperation = prepared.value
  const send = (request: ProviderRequest) =>
    Effect.sync(() => {
      sent.push(request)
      return JsonText.stringify(respond(request))
    })
  const exit = yield* Effect.exit(Effect.andThen(
    boundCalls.check(bounds, operation.provider, subject()),
    Effect.suspend(() => run(boundCalls.limit(bounds, send), access))
  ))
  return Exit.match(exit, {
    onSuccess: ({ text }) => ({ sent, code: undefined, resource, text }),
    onFailure: () => {
      const { code = "defect", details } = Option.getOrUndefined(Exit.findErrorOption(exit)) ?? {}
      return { sent, code, resource, text: JSON.stringify(details ?? null) }
    }
  })
})

export const outside = ResourceNotFound.code
