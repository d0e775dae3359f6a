import { Effect } from "effect"
import type { DatasetChange } from "../../Domain/Dataset.ts"
import { useServiceMutation, useServiceQuery } from "./Queries.ts"

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
