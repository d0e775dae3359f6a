import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { InternalError, InvalidHttp, InvalidInput, InvalidJson, PayloadTooLarge, RequestTimeout } from "./Errors.ts"

export class ErrorResponses
  extends HttpApiMiddleware.Service<ErrorResponses>()("openaccounts/Api/Middleware/ErrorResponses", {
    error: InternalError.schema
  })
{}

export class JsonRequestBody
  extends HttpApiMiddleware.Service<JsonRequestBody>()("openaccounts/Api/Middleware/JsonRequestBody", {
    error: [
      InvalidJson.schema,
      InvalidInput.schema,
      PayloadTooLarge.schema,
      RequestTimeout.schema,
      InvalidHttp.schema
    ]
  })
{}

export class SignInErrorPages
  extends HttpApiMiddleware.Service<SignInErrorPages>()("openaccounts/Api/Middleware/SignInErrorPages")
{}

export class MemberSignInErrorPages
  extends HttpApiMiddleware.Service<MemberSignInErrorPages>()("openaccounts/Api/Middleware/MemberSignInErrorPages")
{}
