import { Effect } from "effect"
import { useServiceList, useServiceMutation, useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import type { DatasetChange } from "../Declared.ts"

export const useDatasets = () =>
  useServiceList("datasets", ({ datasets }, query) => datasets.list({ query }), { live: true })

export const useDataset = (id: string) =>
  useServiceQuery(["datasets", id], ({ datasets }) => datasets.get({ params: { id } }), { live: true })

export const useDatasetDays = (id: string) =>
  useServiceQuery(
    ["datasets", id, "days"],
    ({ datasets }) => Effect.map(datasets.days({ params: { id } }), ({ days }) => days),
    { live: true }
  )

export const useDatasetFiles = (id: string) =>
  useServiceQuery(
    ["datasets", id, "files"],
    ({ datasets }) => Effect.map(datasets.files({ params: { id } }), ({ files }) => files)
  )

export const useDatasetChange = (id: string) =>
  useServiceMutation(
    (service, payload: DatasetChange) => service.datasets.change({ params: { id }, payload }),
    ["datasets"]
  )
