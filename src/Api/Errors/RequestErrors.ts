import { apiError, RetryLater } from "../ApiError.ts"

export class InvalidJson extends apiError("InvalidJson", {
  code: "invalid_json",
  status: 400,
  when: "The request body is not JSON"
}) {}

export class PayloadTooLarge extends apiError("PayloadTooLarge", {
  code: "payload_too_large",
  status: 413,
  when: "The request body is larger than the service accepts"
}) {}

export class InvalidHttp extends apiError("InvalidHttp", {
  code: "invalid_http",
  status: 400,
  when: "The request is malformed HTTP or incomplete"
}) {}

export class RequestTimeout extends apiError("RequestTimeout", {
  code: "request_timeout",
  status: 408,
  when: "The request took too long to arrive"
}) {}

/** Only logged: the caller is no longer there to get a response. */
export class CallerDisconnected extends apiError("CallerDisconnected", {
  code: "caller_disconnected",
  status: 499,
  when: "The caller disconnected before the answer, so the read was stopped"
}) {}

export class HeadersTooLarge extends apiError("HeadersTooLarge", {
  code: "headers_too_large",
  status: 431,
  when: "The request line and headers are larger than the service accepts"
}) {}

export class Unavailable extends apiError("Unavailable", {
  code: "unavailable",
  status: 503,
  when: "The service is starting, stopping or at its connection limit, or cannot reach its storage; retry",
  details: RetryLater
}) {}

export class RouteNotFound extends apiError("RouteNotFound", {
  code: "route_not_found",
  status: 404,
  when: "This path does not exist"
}) {}

export class MethodNotAllowed extends apiError("MethodNotAllowed", {
  code: "method_not_allowed",
  status: 405,
  when: "This path does not support that method; the header `Allow` lists its methods"
}) {}
