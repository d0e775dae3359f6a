import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Forbidden, InternalError, InvalidInput, RateLimited } from "../../../Api/Errors.ts"
import {
  CredentialsExpired,
  CredentialsRejected,
  UpstreamError,
  UpstreamUnreachable
} from "../../../Api/Errors/ProviderErrors.ts"
import { InvalidHttp, PayloadTooLarge, RequestTimeout } from "../../../Api/Errors/RequestErrors.ts"
import { LinkNotFound, LinkOver } from "../../../Api/ManagementErrors.ts"
import { VisitorShare } from "../../../Api/Middleware.ts"

const linkErrors = [
  LinkNotFound,
  LinkOver,
  Forbidden,
  InvalidInput,
  RateLimited,
  PayloadTooLarge,
  RequestTimeout,
  InvalidHttp,
  CredentialsExpired,
  CredentialsRejected,
  UpstreamError,
  UpstreamUnreachable,
  InternalError
] as const

export type LinkPageError = InstanceType<(typeof linkErrors)[number]>

const ofLink = { params: { token: Schema.String }, error: linkErrors.map(({ schema }) => schema) }

export class ConnectPagesGroup extends HttpApiGroup.make("connectPages")
  .add(
    HttpApiEndpoint.get("open", "/connect/:token", ofLink),
    HttpApiEndpoint.post("start", "/connect/:token", ofLink),
    HttpApiEndpoint.post("confirm", "/connect/:token/confirm", ofLink),
    HttpApiEndpoint.post("cancel", "/connect/:token/cancel", ofLink),
    HttpApiEndpoint.post("finish", "/connect/:token/finish", ofLink),
    HttpApiEndpoint.get("connected", "/connect/:token/connected", ofLink)
  )
  .middleware(VisitorShare)
  .annotate(OpenApi.Exclude, true)
{}
