import { Data, Duration, Effect } from "effect"
import type { CustomFetch } from "openid-client"

/** Of a whole exchange. */
const timeout = Duration.seconds(10)

/** Of a response, uncompressed. Documents and key sets of large providers have a few thousand. */
const maxBytes = 64 * 1024

class FetchFailed extends Data.TaggedError("FetchFailed")<{ readonly message: string }> {}

/** With the causes: `fetch` and `openid-client` say only that something failed. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : error.message
}

const read = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> => {
  const parts: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > maxBytes) throw new FetchFailed({ message: `The response is larger than ${maxBytes} bytes` })
    parts.push(chunk)
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** `fetch` for `openid-client`, limited to 10 seconds and 64 KiB. A response has its whole body. */
export const makeBoundedFetch = Effect.map(Effect.context(), (context): CustomFetch => {
  const run = Effect.runPromiseWith(context)
  return (url, { body = null, ...options }) =>
    run(
      Effect.tryPromise({
        try: async (signal) => {
          const response = await fetch(url, { ...options, body, signal })
          return response.body === null ? response : new Response(await read(response.body), response)
        },
        catch: (error) => new FetchFailed({ message: reasonOf(error) })
      }).pipe(Effect.timeoutOrElse({
        duration: timeout,
        orElse: () =>
          Effect.fail(new FetchFailed({ message: `There was no whole response within ${Duration.format(timeout)}` }))
      }))
    )
})
