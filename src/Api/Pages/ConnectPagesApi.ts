import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  CredentialsExpired,
  CredentialsRejected,
  Forbidden,
  InternalError,
  InvalidHttp,
  InvalidInput,
  PayloadTooLarge,
  RateLimited,
  RequestTimeout,
  RouteNotFound,
  UpstreamError,
  UpstreamUnreachable
} from "../Errors.ts"
import { Listener } from "../Listener.ts"
import { LinkNotFound, LinkOver } from "../ManagementErrors.ts"
import { VisitorShare } from "../Middleware.ts"

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

export class ConnectPagesApi extends HttpApiGroup.make("connectPages")
  .add(
    HttpApiEndpoint.get("open", "/connect/:token", ofLink),
    HttpApiEndpoint.post("start", "/connect/:token", ofLink),
    HttpApiEndpoint.post("confirm", "/connect/:token/confirm", ofLink),
    HttpApiEndpoint.post("cancel", "/connect/:token/cancel", ofLink),
    HttpApiEndpoint.post("finish", "/connect/:token/finish", ofLink),
    HttpApiEndpoint.get("connected", "/connect/:token/connected", ofLink),
    HttpApiEndpoint.get("logo", "/connect/logo", { error: RouteNotFound.schema }).annotate(Listener, "both"),
    HttpApiEndpoint.get("font", "/connect/font", { error: RouteNotFound.schema }).annotate(Listener, "both")
  )
  .middleware(VisitorShare)
  .annotate(OpenApi.Exclude, true)
{}
