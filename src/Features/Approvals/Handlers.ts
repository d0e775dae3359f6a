import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { asCaller } from "../../Api/Authentication.ts"
import { ApprovedCalls } from "./ApprovedCalls.ts"
import { ApprovalsApi } from "./Contract.ts"

export const ApprovalsHandlers = HttpApiBuilder.group(
  ApprovalsApi,
  "approvals",
  Effect.fn(function*(handlers) {
    const approvals = yield* ApprovedCalls

    return handlers
      .handle(
        "list",
        ({ query: { status, ...page } }) => asCaller((principal) => approvals.list(principal, status, page))
      )
      .handle(
        "get",
        ({ params, query: { wait = 0 } }) => asCaller((principal) => approvals.get(principal, params.id, wait))
      )
      // A write that was begun is finished, also when the person's browser has gone.
      .handle(
        "approve",
        ({ params }) => asCaller((principal) => approvals.approve(principal, params.id)),
        { uninterruptible: true }
      )
      .handle("deny", ({ params }) => asCaller((principal) => approvals.deny(principal, params.id)))
  })
)
