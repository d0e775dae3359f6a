import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentPrincipal } from "../../Api/Authentication.ts"
import { ClientAddress } from "../../Http/Server/ClientAddress.ts"
import { ApprovedCalls } from "./ApprovedCalls.ts"
import { ApprovalsApi } from "./Contract.ts"

export const ApprovalsHandlers = HttpApiBuilder.group(
  ApprovalsApi,
  "approvals",
  Effect.fn(function*(handlers) {
    const approvals = yield* ApprovedCalls
    const clientAddress = yield* ClientAddress
    const addressOf = (request: HttpServerRequest.HttpServerRequest) => () =>
      Option.fromNullOr(clientAddress.of(request))

    return handlers
      .handle(
        "list",
        ({ query: { status, ...page } }) =>
          Effect.flatMap(CurrentPrincipal, (principal) => approvals.list(principal, status, page))
      )
      .handle(
        "get",
        ({ params, query: { wait = 0 } }) =>
          Effect.flatMap(CurrentPrincipal, (principal) => approvals.get(principal, params.id, wait))
      )
      // A write that was begun is finished, also when the person's browser has gone.
      .handle(
        "approve",
        ({ params, request }) =>
          Effect.flatMap(CurrentPrincipal, (principal) => approvals.approve(principal, params.id, addressOf(request))),
        { uninterruptible: true }
      )
      .handle(
        "deny",
        ({ params }) => Effect.flatMap(CurrentPrincipal, (principal) => approvals.deny(principal, params.id))
      )
  })
)
