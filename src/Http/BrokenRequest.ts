import type { IncomingMessage } from "node:http"
import { HeadersTooLarge, InvalidHttp, RequestTimeout } from "../Api/Errors.ts"

/** Why the rest of a request will not come. */
export type Breakage = InvalidHttp | RequestTimeout

const broken = new WeakMap<IncomingMessage, Breakage>()

/** Tells whoever reads the body of a request, now or later, that the rest of it will not come. */
export const breakOff = (request: IncomingMessage, why: Breakage): void => {
  broken.set(request, why)
  request.emit("broken")
}

/** Why a request that has emitted `broken` did so. */
export const whyBroken = (request: IncomingMessage): Breakage | undefined => broken.get(request)

/** What Node's parser or its clock says of a client, as a public error; none where the connection itself is gone. */
export const breakageOf = (error: Error): Breakage | HeadersTooLarge | undefined => {
  const code = "code" in error ? String(error.code) : ""
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new RequestTimeout()
  if (code === "HPE_HEADER_OVERFLOW") return new HeadersTooLarge()
  return code.startsWith("HPE_") ? new InvalidHttp() : undefined
}
