import { Effect, Stream } from "effect"
import type { Of } from "../../../Dashboard/Service/Lists.ts"
import { resource, useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import type { DatasetChange, NewDataset } from "../Declared.ts"
import { parquetTable } from "./ParquetTable.ts"

export const {
  useChange: useChangeDataset,
  useCreate: useCreateDataset,
  useDelete: useDeleteDataset,
  useList: useDatasets
} = resource("datasets", ({ datasets }, query) => datasets.list({ query }), { live: true }, (change) => ({
  useCreate: change(({ datasets }, payload: NewDataset) => datasets.create({ payload })),
  useChange: change(({ datasets }, { id, ...payload }: Of<DatasetChange>) =>
    datasets.change({ params: { id }, payload })
  ),
  useDelete: change(({ datasets }, { id, ...query }: Of<{ readonly files: "true" | "false" }>) =>
    datasets.delete({ params: { id }, query })
  )
}))

export const useDataset = (id: string) =>
  useServiceQuery(["datasets", id], ({ datasets }) => datasets.get({ params: { id } }), { live: true })

export const useDatasetDays = (id: string, enabled = true) =>
  useServiceQuery(
    ["datasets", id, "days"],
    ({ datasets }) => Effect.map(datasets.days({ params: { id } }), ({ days }) => days),
    { live: true, enabled }
  )

export const useDatasetFiles = (id: string) =>
  useServiceQuery(
    ["datasets", id, "files"],
    ({ datasets }) => Effect.map(datasets.files({ params: { id } }), ({ files }) => files)
  )

/** The file of a day as a table. It is read once: a day that changes is read again with its dataset's page. */
export const useDayTable = (id: string, day: string) =>
  useServiceQuery(["dataset rows", id, day], ({ datasets }) =>
    Effect.gen(function*() {
      const file = yield* datasets.fileOfDay({ params: { id, folder: `day=${day}`, name: "data.parquet" } })
      return yield* parquetTable(yield* Stream.runCollect(file))
    }))
