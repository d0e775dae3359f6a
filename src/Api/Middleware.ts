import { Context } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { InternalError, InvalidInput, RateLimited } from "./Errors.ts"
import { InvalidHttp, InvalidJson, PayloadTooLarge, RequestTimeout } from "./Errors/RequestErrors.ts"

export class ErrorResponses
  extends HttpApiMiddleware.Service<ErrorResponses>()("openaccounts/Api/Middleware/ErrorResponses", {
    error: InternalError.schema
  })
{}

/** The longest body of an unknown caller, and of endpoints whose bodies are short, in bytes. */
export const maxSmallBodyBytes = 16_384

/** The longest body that `JsonRequestBody` reads, in bytes. The operator may send longer ones. */
export const MaxBodyBytes = Context.Reference<number>("openaccounts/Api/Middleware/MaxBodyBytes", {
  defaultValue: () => 262_144
})

/** The longest answer to SQL and the longest page of a table, in bytes. */
export const maxAnswerBytes = 8_000_000

/**
 * How many bytes of the caller's share an answer reserves before it is made. By default those of a page for GET, and
 * none for other methods. An endpoint that waits for a person or a provider reserves them after the wait.
 */
export const AnswerBytes = Context.Reference<number | null>("openaccounts/Api/Middleware/AnswerBytes", {
  defaultValue: () => null
})

const bodyErrors = [
  InvalidJson.schema,
  InvalidInput.schema,
  PayloadTooLarge.schema,
  RequestTimeout.schema,
  InvalidHttp.schema
] as const

/** Reads the body of a caller whom a later middleware of the endpoint has authenticated. Comes before all others. */
export class JsonRequestBody
  extends HttpApiMiddleware.Service<JsonRequestBody>()("openaccounts/Api/Middleware/JsonRequestBody", {
    error: bodyErrors
  })
{}

/** Reads the body of an unknown caller. Comes before all other middlewares. */
export class AnonymousJsonBody
  extends HttpApiMiddleware.Service<AnonymousJsonBody>()("openaccounts/Api/Middleware/AnonymousJsonBody", {
    error: [...bodyErrors, RateLimited.schema]
  })
{}

/** Reserves the bytes of a page in the share of all visitors until the visitor has received them. */
export class VisitorShare
  extends HttpApiMiddleware.Service<VisitorShare>()("openaccounts/Api/Middleware/VisitorShare", {
    error: RateLimited.schema
  })
{}

export class SignInErrorPages
  extends HttpApiMiddleware.Service<SignInErrorPages>()("openaccounts/Api/Middleware/SignInErrorPages")
{}
