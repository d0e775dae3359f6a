import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http"

export const defaultSecurityHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

type Headers = OutgoingHttpHeaders | Array<OutgoingHttpHeader>

/** Adds the security headers when the headers are written, which costs less than a middleware. */
export class SecuredResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override writeHead(status: number, message?: string, headers?: Headers): this
  override writeHead(status: number, headers?: Headers): this
  override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
    const ownHeaders = typeof message === "object" ? message : headers
    const all = { ...defaultSecurityHeaders, ...(Array.isArray(ownHeaders) ? toObject(ownHeaders) : ownHeaders) }
    return typeof message === "string" ? super.writeHead(status, message, all) : super.writeHead(status, all)
  }
}

const toObject = (headers: ReadonlyArray<OutgoingHttpHeader>): OutgoingHttpHeaders =>
  Object.fromEntries(
    headers.flatMap((name, index) => index % 2 === 0 ? [[String(name).toLowerCase(), headers[index + 1]]] : [])
  )
