import { Context, DateTime, Effect, Layer, Option, Result, Schedule } from "effect"
import { ConnectionInactive, ConnectionNotFound, InvalidInput, type ResourceNotFound } from "../../Api/Errors.ts"
import { Unavailable } from "../../Api/Errors/RequestErrors.ts"
import { Audit, auditedEdit } from "../../Audit/Audit.ts"
import { BoundCalls } from "../../Connections/Bounds/BoundCalls.ts"
import { connectionInScope } from "../../Connections/Bounds/ConnectionInScope.ts"
import { readResource } from "../../Connections/Bounds/ReadResources.ts"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import { boundsOfConnection } from "../../Domain/Access/Bounds.ts"
import type { Page, PageRequest } from "../../Domain/Page.ts"
import { CurrentActor } from "../../Domain/Request/Actor.ts"
import { CurrentScope, isClientInScope } from "../../Domain/Request/ManagementScope.ts"
import { type Issue, issuesIn } from "../../Domain/Validation/Issue.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { subjectOf } from "../../Providers/Resources.ts"
import { today } from "../../Providers/Tooling/DateWindow.ts"
import { DatasetNotFound, FileNotFound } from "./Contract.ts"
import { DatasetRepo } from "./DatasetRepo.ts"
import { DatasetRuns } from "./DatasetRuns.ts"
import type { Dataset, DatasetChange, DatasetDay, DatasetFile, NewDataset } from "./Declared.ts"
import { DatasetFiles } from "./Files/DatasetFiles.ts"
import type { DatasetStorageFailed, FileContent } from "./Files/FileStore.ts"
import type { Report } from "./Reports/Report.ts"
import { reportOf } from "./Reports/Reports.ts"

type NewDatasetParts = Partial<Pick<NewDataset, "dimensions" | "metrics" | "report" | "resource" | "since">>

/** Datasets as their operators manage them, within `CurrentScope`. */
export class Datasets extends Context.Service<Datasets, {
  /** The issues of a new dataset that do not depend on its connection. */
  readonly issues: (dataset: NewDatasetParts) => Effect.Effect<ReadonlyArray<Issue>>
  /** The caller has checked `issues`. The first run starts immediately. */
  readonly create: (
    dataset: NewDataset
  ) => Effect.Effect<Dataset, InvalidInput | ConnectionNotFound | ConnectionInactive | ResourceNotFound>
  readonly list: (page: PageRequest) => Effect.Effect<Page<Dataset>>
  readonly find: (id: string) => Effect.Effect<Dataset, DatasetNotFound>
  readonly change: (id: string, change: DatasetChange) => Effect.Effect<Dataset, DatasetNotFound>
  /** If the files cannot be deleted, the dataset stays, paused. */
  readonly delete: (
    id: string,
    options: { readonly files: boolean }
  ) => Effect.Effect<void, DatasetNotFound | Unavailable>
  readonly days: (id: string) => Effect.Effect<ReadonlyArray<DatasetDay>, DatasetNotFound>
  readonly files: (id: string) => Effect.Effect<ReadonlyArray<DatasetFile>, DatasetNotFound | Unavailable>
  readonly read: (
    id: string,
    name: string
  ) => Effect.Effect<FileContent, DatasetNotFound | FileNotFound | Unavailable>
}>()("openaccounts/Features/Datasets/Datasets") {
  static readonly layer = Layer.effect(
    Datasets,
    Effect.gen(function*() {
      const audit = yield* Audit
      const boundCalls = yield* BoundCalls
      const catalog = yield* Catalog
      const connections = yield* ConnectionRepo
      const files = yield* DatasetFiles
      const scope = yield* Effect.scope
      const repo = yield* DatasetRepo
      const runs = yield* DatasetRuns

      const findConnection = Effect.fnUntraced(function*(id: string, provider: string) {
        const connection = yield* connectionInScope(connections, id)
        if (connection.provider !== provider) {
          return yield* new ConnectionNotFound({
            message: `The connection "${connection.label}" is one of ${connection.provider}, not of ${provider}.`,
            details: { provider, reason: "other_provider" }
          })
        }
        if (connection.status !== "active") {
          return yield* new ConnectionInactive({ details: { provider, reason: connection.status } })
        }
        return connection
      })

      const find = Effect.fnUntraced(function*(id: string) {
        const { clientIds } = yield* CurrentScope
        const found = yield* repo.find(id)
        if (Option.isNone(found)) return yield* unknown(id)
        if (clientIds === null) return found.value
        const connection = yield* connections.find(found.value.connection_id)
        return Option.isSome(connection) && isClientInScope(clientIds, connection.value.client_id)
          ? found.value
          : yield* unknown(id)
      })

      const visibleConnections = Effect.gen(function*() {
        const { clientIds } = yield* CurrentScope
        return clientIds === null ? null : (yield* connections.list(clientIds, {})).map(({ id }) => id)
      })

      /** `undefined` for a text that names no resource of the report's provider. */
      const resourceIn = ({ provider }: Report, text: string) => {
        const resource = readResource(catalog, text) ?? readResource(catalog, `${provider}:${text}`)
        return resource?.startsWith(`${provider}:`) === true ? resource : undefined
      }

      const issues = Effect.fnUntraced(function*(
        { dimensions, metrics, report: name, resource, since }: NewDatasetParts
      ): Effect.fn.Return<ReadonlyArray<Issue>> {
        const report = name && reportOf(name)
        const isFuture = since !== undefined && since > (yield* today(earliestZone))
        return [
          ...report === undefined || resource === undefined || resourceIn(report, resource) !== undefined ? [] : [{
            path: ["resource"],
            message: `Expected a resource of ${report.provider}, such as ${example[report.provider]}`
          }],
          ...report === undefined ? [] : issuesIn(report.select(dimensions, metrics)),
          ...isFuture ? [{ path: ["since"], message: "Expected a day that is not in the future" }] : []
        ]
      })

      return Datasets.of({
        issues,

        create: Effect.fn("Datasets.create")(function*(dataset) {
          const { dimensions, metrics, ...given } = dataset
          const report = reportOf(given.report)
          const resource = resourceIn(report, given.resource)
          const selection = report.select(dimensions, metrics)
          if (resource === undefined || Result.isFailure(selection)) {
            return yield* new InvalidInput({ details: yield* issues(dataset) })
          }
          const provider = yield* Effect.orDie(catalog.provider(report.provider))
          const connection = yield* findConnection(given.connection_id, provider.id)
          const name = resource.slice(provider.id.length + 1)
          yield* boundCalls.check(boundsOfConnection(connection), provider, subjectOf({ names: () => name }, undefined))
          const { member_id } = yield* CurrentActor
          const created = yield* audit.change(
            repo.create({
              ...given,
              connection_id: connection.id,
              resource,
              ...selection.success,
              memberId: member_id ?? "",
              name: given.name ?? `${given.report} of ${name}`.slice(0, 200)
            }),
            ({ connection_id, id, name, report, resource, schedule, since }) => [{
              action: "dataset.created",
              subject: id,
              details: { name, connection_id, report, resource, since, schedule }
            }]
          )
          yield* runs.leases.wake
          return created
        }),

        list: (page) => Effect.flatMap(visibleConnections, (ids) => repo.page(ids, page)),

        find,

        change: Effect.fn("Datasets.change")(function*(id, change) {
          const before = yield* find(id)
          const after = yield* audit.change(
            Effect.flatMap(repo.change(before.id, change), Effect.fromOption).pipe(
              Effect.mapError(() => unknown(id))
            ),
            (after) =>
              auditedEdit({ action: "dataset.changed", subject: before.id }, changeable(before), changeable(after))
          )
          yield* runs.leases.wake
          return after
        }),

        delete: Effect.fn("Datasets.delete")(function*(id, { files: withFiles }) {
          const dataset = yield* find(id)
          // An instance that works on it stops at the next file that it has written.
          const remove = Effect.retry(
            files.remove(dataset.id),
            Schedule.upTo(Schedule.spaced("100 millis"), { duration: "5 seconds" })
          )
          if (withFiles) {
            yield* repo.change(dataset.id, { paused: true })
            yield* Effect.mapError(remove, unavailable)
          }
          yield* audit.change(
            Effect.flatMap(repo.delete(dataset.id), (deleted) => deleted ? Effect.void : Effect.fail(unknown(id))),
            () => [{
              action: "dataset.deleted",
              subject: dataset.id,
              details: { name: dataset.name, files: withFiles }
            }]
          )
          if (!withFiles) return
          // A run that ended in between has written its manifest again. A store may still be storing what a run sent.
          const removeAgain = Effect.ignore(remove, { log: "Warn" })
          yield* removeAgain
          yield* Effect.forkIn(Effect.delay(removeAgain, "5 seconds"), scope)
        }),

        days: (id) => Effect.flatMap(find(id), (dataset) => repo.days(dataset.id)),

        files: Effect.fn("Datasets.files")(function*(id) {
          const dataset = yield* find(id)
          const found = yield* Effect.mapError(files.list(dataset.id), unavailable)
          return found.map(({ modified_at, ...file }) => ({ ...file, modified_at: new Date(modified_at) }))
        }),

        read: Effect.fn("Datasets.read")(function*(id, name) {
          const dataset = yield* find(id)
          const found = yield* Effect.mapError(files.read(dataset.id, name), unavailable)
          if (Option.isSome(found)) return found.value
          return yield* new FileNotFound({ message: `The dataset has no file "${name}".` })
        })
      })
    })
  ).pipe(Layer.provide([BoundCalls.layer, DatasetRepo.layer]))
}

/** The time zone in which days begin first. A property can have it. */
const earliestZone = DateTime.zoneMakeOffset(14 * 3_600_000)

const unknown = (id: string) => new DatasetNotFound({ message: `There is no dataset with the id "${id}".` })

const unavailable = ({ message }: DatasetStorageFailed) =>
  new Unavailable({
    message: `The files of datasets cannot be reached: ${message}`,
    details: { retry_after_seconds: 10 }
  })

const changeable = ({ name, schedule, status }: Dataset) => ({ name, schedule, paused: status === "paused" })

const example: Readonly<Record<string, string>> = {
  gsc: "gsc:sc-domain:acme.com",
  ga4: "ga4:properties/123",
  sitesearch: "sitesearch:https://acme.com/"
}
