import { Effect } from "effect"
import { HttpBody, HttpEffect, HttpMiddleware, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Readable } from "node:stream"

type Response = HttpServerResponse.HttpServerResponse

const stepBytes = 131_072

/** A body in steps. With a body in one piece, the service could not see how much the client has read. */
export const inSteps = (parts: ReadonlyArray<Uint8Array>): Readable => {
  const steps = stepsOf(parts)
  return new Readable({
    read() {
      this.push(steps.next().value ?? null)
    }
  })
}

const stepsOf = function*(parts: ReadonlyArray<Uint8Array>) {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += stepBytes) yield part.subarray(at, at + stepBytes)
  }
}

const longInSteps = (response: Response): Response => {
  const { body } = response
  if (body._tag !== "Uint8Array" || body.contentLength <= stepBytes) return response
  return HttpServerResponse.setBody(response, HttpBody.raw(inSteps([body.body]), body))
}

/** At these levels, compressing 10 MB of JSON takes zlib 60 ms of another thread. */
const compressJson = HttpMiddleware.compression({
  algorithms: ["br", "gzip"],
  levels: { br: 2, gzip: 4 },
  compressible: (contentType) => contentType.startsWith("application/json")
})

/** Compresses JSON as the client accepts it, and sends long bodies in steps. */
export const sendBodies = <E, R>(app: Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest>) =>
  compressJson(HttpEffect.withPreResponseHandler(app, (_, response) => Effect.succeed(longInSteps(response))))
