import { Context, Effect, Result } from "effect"
import { IdempotencyKey } from "../../Api/Calls/CallApi.ts"
import { StoredResponse } from "../../Calls/CallResult.ts"
import type { IncomingCall } from "../../Calls/Request/IncomingCall.ts"
import type { CallStep, PreparedCall, Run } from "../../Calls/Steps.ts"
import { parseLongNumbers } from "../../Domain/Json/LostNumbers.ts"
import { validator } from "../../Domain/Validation/Validation.ts"
import { Idempotency } from "./Idempotency.ts"
import { hashBody, makeIdempotentWrites, SentWrites } from "./IdempotentWrite.ts"

const validate = validator(IdempotencyKey, ["headers", "idempotency-key"])

/** Only the first call with a key writes. The others get its response. */
export const idempotencyStep = Effect.map(Idempotency, (idempotency): CallStep => {
  const writes = makeIdempotentWrites(idempotency)

  const claim = Effect.fnUntraced(function* claimIdempotencyKey(
    call: PreparedCall,
    key: string,
    next: Run<PreparedCall>
  ) {
    const { context, incoming, json, notes, prepared, principal, request } = call
    const body = parseLongNumbers(context.body ?? "") ?? (prepared.sent === undefined ? json : request)
    const use = { memberId: principal.memberId, key, bodyHash: hashBody(body), callId: incoming.id }
    const claimed = yield* writes.claim(use)
    if (claimed instanceof StoredResponse) return { data: claimed, facts: {} }
    context.afterLog.push(claimed.settle)
    return yield* next({ ...call, notes: Context.add(notes, SentWrites, claimed.sent) })
  })

  return {
    name: "idempotency",
    of: "writes",
    at: "prepared",
    whenAsked: true,
    issues: (_, incoming) => {
      const issues = issuesOfKey(incoming)
      return issues.length === 0 ? undefined : Effect.succeed(issues)
    },
    wrap: (next) => (call) => {
      const key = call.incoming.headers.idempotencyKey
      return key === undefined || call.request.dry_run === true ? next(call) : claim(call, key, next)
    }
  }
})

/** A feature may use keys that no header can have. */
const issuesOfKey = ({ headers: { idempotencyKey }, origin }: IncomingCall) =>
  idempotencyKey === undefined || origin !== undefined
    ? []
    : Result.match(validate(idempotencyKey), { onSuccess: () => [], onFailure: (issues) => issues })
