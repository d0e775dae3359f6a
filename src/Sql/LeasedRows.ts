import { Clock, Data, Duration, Effect, FiberMap, Option, Queue } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"

/** Another instance takes a row over when this one has not renewed its lease within this time. */
const rowLeaseDuration = Duration.seconds(3)
const renewEvery = Duration.seconds(1)

/** The row is gone, or its work was ended, or another instance has taken it over. */
export class LeaseLost extends Data.TaggedError("LeaseLost") {}

/** Fails if the statement has returned no row. */
export const requireRow = (
  statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>
): Effect.Effect<void, LeaseLost | SqlError> =>
  Effect.flatMap(statement, ({ length }) => length === 0 ? Effect.fail(new LeaseLost()) : Effect.void)

/** Leases the rows of a table, so that one instance works on each. A row has `leased_by` and `leased_until`. */
export const leasedRows = Effect.fnUntraced(function*(table: string) {
  const sql = yield* SqlClient.SqlClient
  const instance = randomUUID()
  const signals = yield* Queue.sliding<void>(1)
  const wake = Effect.asVoid(Queue.offer(signals, undefined))
  const isMine = (id: string) => sql`id = ${id} AND leased_by = ${instance}`
  const lease = (now: Date) =>
    sql`leased_by = ${instance}, leased_until = ${new Date(now.getTime() + Duration.toMillis(rowLeaseDuration))}`
  const noLease = sql`leased_by = NULL, leased_until = NULL`

  const renew = Effect.fnUntraced(function*(id: string) {
    const now = new Date(yield* Clock.currentTimeMillis)
    yield* requireRow(sql`UPDATE ${sql(table)} SET ${lease(now)} WHERE ${isMine(id)} RETURNING 1 AS renewed`)
  })

  const release = (id: string) =>
    Effect.ignore(sql`UPDATE ${sql(table)} SET ${noLease} WHERE ${isMine(id)}`, { log: "Warn" })

  return {
    isMine,
    /** A condition of statements on other tables. */
    isHeld: (id: string) => sql`EXISTS (SELECT FROM ${sql(table)} WHERE ${isMine(id)} FOR SHARE)`,
    isFree: (now: Date) => sql`(leased_until IS NULL OR leased_until <= ${now})`,
    lease,
    noLease,

    /** Looks for work in this instance immediately. */
    wake,

    /** Renews the lease during the work. After an interruption another instance may go on immediately. */
    keeping: <A, E, R>(id: string, work: Effect.Effect<A, E, R>) =>
      Effect.onInterrupt(
        Effect.raceFirst(work, Effect.forever(Effect.delay(renew(id), renewEvery))),
        () => release(id)
      ),

    /** Claims rows and works on them when woken, and after each `every`, because another instance may have stopped. */
    workOn: Effect.fnUntraced(
      function*<Claim extends { readonly id: string }>({ claim, every, maxRunning, name, work }: {
        readonly claim: Effect.Effect<Option.Option<Claim>, SqlError>
        readonly every: Duration.Duration
        readonly maxRunning: number
        readonly name: string
        readonly work: (claim: Claim) => Effect.Effect<void>
      }) {
        const running = yield* FiberMap.make<string>()
        const claimAll = Effect.gen(function*() {
          while ((yield* FiberMap.size(running)) < maxRunning) {
            const claimed = yield* claim
            if (Option.isNone(claimed)) return
            // If this instance still works on the row, because it renewed the lease late, that work goes on.
            yield* FiberMap.run(running, claimed.value.id, Effect.ensuring(work(claimed.value), wake), {
              onlyIfMissing: true
            })
          }
        })
        yield* claimAll.pipe(
          Effect.catchCause((cause) => Effect.logWarning(`The ${name} could not be claimed`, cause)),
          Effect.andThen(Effect.raceFirst(Queue.take(signals), Effect.sleep(every))),
          Effect.forever,
          Effect.forkScoped
        )
      }
    )
  }
})
export type LeasedRows = Effect.Success<ReturnType<typeof leasedRows>>
