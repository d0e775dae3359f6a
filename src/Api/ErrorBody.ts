import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { InternalError, InvalidHttp, InvalidInput, InvalidJson, PayloadTooLarge, RequestTimeout } from "./Errors.ts"

/** Answers whatever goes wrong below it with the error body; what is no public error is an `internal_error`. */
export class ErrorBody extends HttpApiMiddleware.Service<ErrorBody>()("openaccounts/Api/ErrorBody", {
  error: InternalError.schema
}) {}

/** Reads a JSON body before it is validated, whatever its `Content-Type` says. */
export class JsonBody extends HttpApiMiddleware.Service<JsonBody>()("openaccounts/Api/JsonBody", {
  error: [
    InvalidJson.schema,
    InvalidInput.schema,
    PayloadTooLarge.schema,
    RequestTimeout.schema,
    InvalidHttp.schema
  ]
}) {}
