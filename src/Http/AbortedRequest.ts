import type { IncomingMessage } from "node:http"
import { HeadersTooLarge, InvalidHttp, RequestTimeout } from "../Api/Errors.ts"

/** Why the rest of a request will not come. */
export type AbortReason = InvalidHttp | RequestTimeout

const broken = new WeakMap<IncomingMessage, AbortReason>()

/** Tells whoever reads the body of a request, now or later, that the rest of it will not come. */
export const abortRequest = (request: IncomingMessage, why: AbortReason): void => {
  broken.set(request, why)
  request.emit("broken")
}

/** Why a request that has emitted `broken` did so. */
export const abortReason = (request: IncomingMessage): AbortReason | undefined => broken.get(request)

/** What Node's parser or its clock says of a client, as a public error; none where the connection itself is gone. */
export const abortReasonOf = (error: Error): AbortReason | HeadersTooLarge | undefined => {
  const code = "code" in error ? String(error.code) : ""
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new RequestTimeout()
  if (code === "HPE_HEADER_OVERFLOW") return new HeadersTooLarge()
  return code.startsWith("HPE_") ? new InvalidHttp() : undefined
}
