import { Effect, Predicate, Schema } from "effect"
import { CallRequest, shapeFields } from "../../../Api/Calls/CallApi.ts"
import { type StepResult, StoredResponse } from "../../../Calls/CallResult.ts"
import type { CallStep, PermittedCall } from "../../../Calls/Steps.ts"
import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { makeShapeResponse } from "./ShapeResponse.ts"
import { isShaped, shapeRefusal } from "./Shaping.ts"

/** Returns a part or a table of the response of a read, or keeps the table. */
export const resultsStep = Effect.map(makeShapeResponse, (shapeResponse): CallStep => {
  const shape = Effect.fnUntraced(function* shapeResponseOf(
    call: PermittedCall,
    whole: JsonText,
    facts: StepResult["facts"]
  ) {
    const { data, page } = yield* Effect.interruptible(
      shapeResponse(whole, { ...call, longest: call.incoming.door?.longest })
    )
    return { data, facts: { ...facts, whole, page } }
  })

  return {
    name: "results",
    of: "reads",
    at: "permitted",
    whenAsked: true,
    takes: shapeFields,
    issues: (json) => {
      const select = selectIn(json)
      return select === undefined ? undefined : issuesOfSelect(select)
    },
    refuses: { at: "prepared", why: shapeRefusal },
    wrap: (next) => (call) => {
      const { incoming, prepared, request } = call
      const { longest = Infinity } = incoming.door ?? {}
      const read = next(request.keep === true ? { ...call, prepared: prepared.allRows?.() ?? prepared } : call)
      return Effect.flatMap(read, (answered) => {
        const { data, facts } = answered
        return data instanceof StoredResponse || !isShaped(request) && data.length <= longest
          ? Effect.succeed(answered)
          : shape(call, data, facts)
      })
    }
  }
})

const isSelect = Schema.is(CallRequest.fields.select.schema)

const selectIn = (json: unknown): string | undefined =>
  Predicate.hasProperty(json, "select") && isSelect(json.select) ? json.select : undefined

export const issuesOfSelect = Effect.fnUntraced(
  function* issuesOfSelect(expression: string): Effect.fn.Return<ReadonlyArray<Issue>> {
    // Loaded with the first expression.
    const { parseExpression } = yield* Effect.promise(() => import("../Select/Expression.ts"))
    try {
      parseExpression(expression)
      return []
    } catch (error) {
      const message = `Expected JMESPath: ${error instanceof Error ? error.message : "too long"}`
      return [{ path: ["select"], message }]
    }
  }
)
