import { HttpServerResponse } from "effect/http"
import type { ApiError } from "../Api/Errors.ts"
import type { CallId } from "../Domain/Ids.ts"

export const errorResponse = (error: ApiError, callId: CallId): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(error.body(callId)), {
    status: error.status,
    contentType: "application/json",
    headers: {
      ...(error.retryAfter === undefined ? {} : { "retry-after": error.retryAfter }),
      ...(error.allow === undefined ? {} : { allow: error.allow.join(", ") }),
      ...(error.code === "unauthenticated" ? { "www-authenticate": "Bearer" } : {})
    }
  })
