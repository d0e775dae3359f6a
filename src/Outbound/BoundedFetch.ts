import { Data, Duration, Effect } from "effect"
import type { CustomFetch } from "openid-client"
import { readUpTo } from "./ReadUpTo.ts"

const timeout = Duration.seconds(10)

/** The limit of an uncompressed response. Documents and key sets of large providers have a few thousand bytes. */
const maxBytes = 64 * 1024

class FetchFailed extends Data.TaggedError("FetchFailed")<{ readonly message: string }> {}

/** Adds the causes, because `fetch` and `openid-client` say only that something failed. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : error.message
}

const limited = async (response: Response): Promise<Response> => {
  if (response.body === null) return response
  const { body, isComplete } = await readUpTo(response.body, maxBytes)
  if (!isComplete) throw new FetchFailed({ message: `The response is larger than ${maxBytes} bytes` })
  return new Response(body, response)
}

/** `fetch` for `openid-client`, limited to 10 seconds and 64 KiB. A response has its whole body. */
export const makeBoundedFetch = Effect.map(Effect.context(), (context): CustomFetch => {
  const run = Effect.runPromiseWith(context)
  return (url, { body = null, ...options }) =>
    run(
      Effect.tryPromise({
        try: async (signal) => limited(await fetch(url, { ...options, body, signal })),
        catch: (error) => new FetchFailed({ message: reasonOf(error) })
      }).pipe(Effect.timeoutOrElse({
        duration: timeout,
        orElse: () =>
          Effect.fail(new FetchFailed({ message: `There was no whole response within ${Duration.format(timeout)}` }))
      }))
    )
})
