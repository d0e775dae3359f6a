import { Effect, Exit, Latch, Request, RequestResolver } from "effect"

class Question<A, B, E> extends Request.Class<{ readonly item: A }, B, E> {}

/**
 * Asks for many items in one statement, and only one statement at a time: what comes while it is under way is asked for
 * together by the next one. However many ask, they occupy one connection of the pool. `ask` returns an answer for each
 * item, in their order.
 */
export const inBatches = <A, B, E>(ask: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E>) => {
  const idle = Latch.makeUnsafe(true)

  const resolver = RequestResolver.make<Question<A, B, E>>((entries) =>
    Effect.acquireUseRelease(
      idle.close,
      () =>
        Effect.matchCause(ask(entries.map(({ request }) => request.item)), {
          onFailure: (cause) => {
            for (const entry of entries) entry.completeUnsafe(Exit.failCause(cause))
          },
          onSuccess: (answers) => {
            for (const [index, entry] of entries.entries()) {
              const answer = answers[index]
              if (answer !== undefined) entry.completeUnsafe(Exit.succeed(answer))
            }
          }
        }),
      () => idle.open
    )
  ).pipe(
    RequestResolver.setDelayEffect(Effect.andThen(Effect.yieldNow, idle.await))
  )
  return (item: A): Effect.Effect<B, E> => Effect.request(new Question<A, B, E>({ item }), resolver)
}
