import { Cause, Clock, DateTime, Duration, Effect, Exit, Option, PartitionedSemaphore } from "effect"
import { ConnectionInactive } from "../../Api/Errors.ts"
import { AccessTokens } from "../../Connections/AccessTokens.ts"
import { makeSends } from "../../Connections/Bounds/Sends.ts"
import { ConnectionHealth } from "../../Connections/ConnectionHealth.ts"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import { LastErrors } from "../../Connections/LastErrors.ts"
import { boundsOfConnection } from "../../Domain/Access/Bounds.ts"
import type { StoredConnection } from "../../Domain/Connection.ts"
import type { DatasetId } from "../../Domain/Ids.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { providerCalls, ProviderClient, type SendRequest, withoutEchoes } from "../../Providers/ProviderClient.ts"
import { backgroundCaller } from "../../Providers/Sending/Caller.ts"
import type { LeaseLost } from "../../Sql/LeasedRows.ts"
import { DatasetRepo } from "./DatasetRepo.ts"
import { type Claim, DatasetRuns } from "./DatasetRuns.ts"
import { DatasetFiles } from "./Files/DatasetFiles.ts"
import { isFinal, type Report, shareOf, type Source } from "./Reports/Report.ts"
import { reportOf } from "./Reports/Reports.ts"
import { makeDays } from "./Rows/DayRows.ts"
import { endOf, isOfDay, type RunFailure } from "./RunFailure.ts"

/** Days that are fetched at the same time. Datasets take turns. */
const daysOfDataset = 6
const daysOfInstance = 8

/**
 * Days that are fetched at the same time after one with many rows. One response is parsed and encoded while the next
 * ones are under way. Each waits in memory, as bytes.
 */
const longDaysOfInstance = 4
const rowsOfLongDay = 5000

/** After this many days, the property itself seems to be refused. */
const maxFailedInARow = 5

const manifestMillis = 10_000

/** Sources add a day in the first hours of the next one. */
const morning = Duration.hours(3)

/** Fetches the days that a dataset lacks. Each is written and then noted, so that a crash repeats only a few. */
export const makeDatasetRun = Effect.gen(function*() {
  const accessTokens = yield* AccessTokens
  const catalog = yield* Catalog
  const connections = yield* ConnectionRepo
  const health = yield* ConnectionHealth
  const files = yield* DatasetFiles
  const lastErrors = yield* LastErrors
  const client = withoutEchoes(yield* ProviderClient)
  const repo = yield* DatasetRepo
  const runs = yield* DatasetRuns
  const sendsOf = yield* makeSends
  const places = yield* PartitionedSemaphore.make<DatasetId>({ permits: daysOfInstance })
  const longPlaces = yield* PartitionedSemaphore.make<DatasetId>({ permits: longDaysOfInstance })
  const openDay = yield* makeDays

  const activeConnection = Effect.fnUntraced(function*({ connectionId, report }: Claim) {
    const found = yield* connections.find(connectionId)
    if (Option.isSome(found) && found.value.status === "active") return found.value
    const status = Option.isSome(found) ? found.value.status : "revoked"
    return yield* new ConnectionInactive({
      message: `The connection of the dataset is ${status}.`,
      details: { provider: reportOf(report).provider, reason: status === "expired" ? "expired" : "revoked" }
    })
  })

  const open = Effect.fnUntraced(function*(claim: Claim, report: Report, connection: StoredConnection) {
    const provider = yield* Effect.orDie(catalog.provider(report.provider))
    const send: SendRequest = Effect.fnUntraced(function*(request) {
      // Its bounds may have changed since the run began.
      const current = yield* activeConnection(claim)
      const sends = sendsOf(
        { connection: current, bounds: boundsOfConnection(current), client: client.call },
        { caller: backgroundCaller(claim.memberId, current.id), recheck: activeConnection(claim) }
      )
      yield* health.touch(current.id)
      return yield* sends.limit(sends.read)(request)
    })
    const calls = providerCalls(send, provider, accessTokens.access(connection, provider))
    return yield* report.open(calls, claim.resource.slice(provider.id.length + 1), claim)
  })

  const writeManifest = Effect.fnUntraced(function*(claim: Claim, report: Report) {
    const { connectionId, id, name, resource } = claim
    const days = yield* repo.days(id)
    // The days of a deleted dataset are gone, but its manifest may stay with its files.
    if (!(yield* runs.exists(claim))) return
    const schema = report.columns(claim)
    const manifest = { dataset: id, name, report: claim.report, resource, connection: connectionId, schema, days }
    yield* files.writeManifest({ dataset: id, manifest })
  })

  const fetchDay = Effect.fnUntraced(function*(claim: Claim, report: Report, source: Source, day: string) {
    const dayRows = yield* openDay(report.columns(claim), source.layout)
    const { capped, total } = yield* source.fetch(day, dayRows)
    const { content, rows, sum } = yield* dayRows.end
    yield* files.writeDay({ dataset: claim.id, day, content })
    yield* runs.saveDay(claim, {
      day,
      rows,
      bytes: content.length,
      coverage: total === null ? null : shareOf(sum, total),
      capped,
      final: isFinal(report, day, source.today)
    })
    return rows
  }, Effect.scoped)

  /** Returns the error of a day that could not be fetched while others could. */
  const fetchAll = Effect.fnUntraced(function*(claim: Claim, report: Report, source: Source) {
    const work = yield* runs.work(claim)
    let failedInARow = 0
    let lastRows = 0
    let lastFailure: RunFailure | undefined
    let manifestAt = yield* Clock.currentTimeMillis

    const next = Effect.fnUntraced(function*(day: string) {
      const fetched = Effect.suspend(() => {
        const fetched = fetchDay(claim, report, source, day)
        return lastRows < rowsOfLongDay ? fetched : longPlaces.withPermit(claim.id)(fetched)
      })
      const exit = yield* Effect.exit(places.withPermit(claim.id)(fetched))
      if (Exit.isSuccess(exit)) {
        failedInARow = 0
        lastRows = exit.value
      } else {
        const failure = Exit.findErrorOption(exit)
        if (Option.isNone(failure) || !isOfDay(failure.value) || ++failedInARow >= maxFailedInARow) {
          return yield* Effect.asVoid(exit)
        }
        lastFailure = failure.value
        yield* runs.failDay(claim, day)
      }
      const now = yield* Clock.currentTimeMillis
      if (now - manifestAt < manifestMillis) return
      manifestAt = now
      yield* writeManifest(claim, report)
    })

    yield* Effect.forEach(work, next, { concurrency: daysOfDataset, discard: true })
    return lastFailure
  })

  const fetchReport = Effect.fnUntraced(
    function*(claim: Claim): Effect.fn.Return<void, RunFailure | LeaseLost> {
      const report = reportOf(claim.report)
      const connection = yield* activeConnection(claim)
      const work = Effect.gen(function*() {
        const source = yield* open(claim, report, connection)
        if (claim.schedule !== null || !(yield* runs.hasDays(claim))) {
          yield* runs.addDays(claim, source.days(claim.since))
        }
        yield* writeManifest(claim, report)
        const failure = yield* fetchAll(claim, report, source).pipe(
          Effect.ensuring(Effect.ignore(writeManifest(claim, report), { log: "Warn" }))
        )
        if (failure !== undefined) return yield* Effect.fail(failure)
        const isDone = claim.schedule === null && (yield* repo.days(claim.id)).every(({ final }) => final)
        yield* runs.end(claim, { dueAt: isDone ? null : yield* nextMorning(source) })
      })
      yield* Effect.onExit(work, (exit) =>
        Effect.flatMap(
          Clock.currentTimeMillis,
          (now) => lastErrors.record(connection, exit, now) ?? Effect.void
        ))
    }
  )

  /** Removes a file that was written while its dataset was deleted with its files. */
  const removeLate = Effect.fnUntraced(function*(claim: Claim) {
    if (yield* runs.exists(claim)) return
    const left = yield* files.list(claim.id)
    if (!left.some(({ name }) => name === "manifest.json")) yield* files.remove(claim.id)
  })

  return (claim: Claim): Effect.Effect<void> => {
    const end = (failure: RunFailure | undefined) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => runs.end(claim, endOf(claim, failure, now)))
    return runs.leases.keeping(claim.id, fetchReport(claim)).pipe(
      Effect.catchCause((cause) => {
        const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
        if (failure?._tag === "LeaseLost") return Effect.ignore(removeLate(claim), { log: "Warn" })
        return failure === undefined || failure._tag === "SqlError"
          ? Effect.andThen(Effect.logError(`The dataset ${claim.id} stopped`, cause), end(failure))
          : end(failure)
      }),
      Effect.catchTag("SqlError", (error) => Effect.logWarning(`The lease of the dataset ${claim.id} runs out`, error))
    )
  }
})

/** Spreads datasets over two hours. */
const nextMorning = ({ zone }: Source) =>
  Effect.map(DateTime.now, (now) =>
    DateTime.toDateUtc(DateTime.addDuration(
      DateTime.startOf(DateTime.add(DateTime.setZone(now, zone), { days: 1 }), "day"),
      Duration.sum(morning, Duration.minutes(Math.floor(Math.random() * 120)))
    )))
