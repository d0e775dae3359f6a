import { Effect, Predicate, Result, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidInput } from "../../Api/Errors.ts"
import { type Issue, issuesIn } from "../../Domain/Validation/Issue.ts"
import { issuesOf, strict } from "../../Domain/Validation/Validation.ts"

/** Finds issues that a schema does not. `fields` are those without an issue, `sent` is the body as it came. */
export type FindIssues<Fields> = (fields: Fields, sent: object) => Effect.Effect<ReadonlyArray<Issue>>

/**
 * Reads the body of an endpoint with `JsonRequestBody`, and lists every mistake: also what `find` sees in fields beside
 * others that the schema refuses. `partial` is the schema with all fields optional.
 */
export const bodyReader = <Body extends Fields, Fields>(
  schema: Schema.Codec<Body, unknown>,
  partial: Schema.Codec<Fields, unknown>,
  find: FindIssues<Fields>
) => {
  const decode = Schema.decodeUnknownResult(schema, strict)
  const decodePartial = Schema.decodeUnknownResult(partial)

  const rightFields = (sent: object, wrong: ReadonlySet<unknown>) =>
    decodePartial(Object.fromEntries(Object.entries(sent).filter(([field]) => !wrong.has(field))))

  return Effect.fnUntraced(function* readBody(request: HttpServerRequest.HttpServerRequest) {
    const sent = yield* Effect.orDie(request.json)
    const body = Result.mapError(decode(sent), ({ issue }) => issuesOf(issue))
    const known = issuesIn(body)
    const wrong = new Set<unknown>(known.map(({ path: [field] }) => field))
    const fields: Result.Result<Fields, unknown> = Result.isSuccess(body) || !Predicate.isObject(sent)
      ? body
      : rightFields(sent, wrong)
    const found = Result.isSuccess(fields) && Predicate.isObject(sent) ? yield* find(fields.success, sent) : []
    return Result.isSuccess(body) && found.length === 0
      ? body.success
      : yield* new InvalidInput({ details: [...known, ...found.filter(({ path: [field] }) => !wrong.has(field))] })
  })
}
