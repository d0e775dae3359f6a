import { Context, Effect, Layer, Option } from "effect"
import { bucketSettings } from "../Settings.ts"
import { makeBucket } from "./Bucket.ts"
import type { DatasetStorageFailed, FileContent, FileEntry, FileStore } from "./FileStore.ts"
import { makeFolder } from "./Folder.ts"

/**
 * The files of datasets, in `DATA_DIR/datasets` or in the bucket of `DATASETS_URL`:
 * `<dataset>/day=2026-11-22/data.parquet` and `<dataset>/manifest.json`.
 */
export class DatasetFiles extends Context.Service<DatasetFiles, {
  /** Replaces the file of the day. `day` as `2026-11-22`. */
  readonly writeDay: (
    options: { readonly dataset: string; readonly day: string; readonly content: Uint8Array }
  ) => Effect.Effect<void, DatasetStorageFailed>
  readonly writeManifest: (
    options: { readonly dataset: string; readonly manifest: object }
  ) => Effect.Effect<void, DatasetStorageFailed>
  /** Sorted by name. */
  readonly list: (dataset: string) => Effect.Effect<ReadonlyArray<FileEntry>, DatasetStorageFailed>
  /** `name` as in `list`; none for any other text. */
  readonly read: (dataset: string, name: string) => Effect.Effect<Option.Option<FileContent>, DatasetStorageFailed>
  readonly remove: (dataset: string) => Effect.Effect<void, DatasetStorageFailed>
}>()("openaccounts/Features/Datasets/Files/DatasetFiles") {
  static readonly layer = Layer.effect(
    DatasetFiles,
    Effect.gen(function*() {
      const settings = yield* bucketSettings
      const store = yield* Option.isSome(settings) ? makeBucket(settings.value) : makeFolder
      // A store that is away for a moment keeps no service from starting.
      yield* Effect.forkScoped(Effect.catch(store.check, ({ message }) => Effect.logError(message)))
      return filesIn(store)
    })
  )
}

const manifestName = "manifest.json"

const isFileName = (name: string): boolean => name === manifestName || /^day=\d{4}-\d\d-\d\d\/data\.parquet$/.test(name)

const folderOf = (dataset: string): string => {
  if (!/^dst_\w+$/.test(dataset)) throw new Error(`${JSON.stringify(dataset)} is not the id of a dataset`)
  return dataset
}

const filesIn = (store: FileStore) =>
  DatasetFiles.of({
    writeDay: Effect.fn("DatasetFiles.writeDay")(({ content, dataset, day }) =>
      store.write(`${folderOf(dataset)}/day=${day}/data.parquet`, content)
    ),
    writeManifest: Effect.fn("DatasetFiles.writeManifest")(({ dataset, manifest }) =>
      store.write(
        `${folderOf(dataset)}/${manifestName}`,
        new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`)
      )
    ),
    list: Effect.fn("DatasetFiles.list")((dataset) =>
      Effect.map(store.list(folderOf(dataset)), (files) => files.filter(({ name }) => isFileName(name)))
    ),
    read: Effect.fn("DatasetFiles.read")((dataset, name) =>
      isFileName(name) ? store.read(`${folderOf(dataset)}/${name}`) : Effect.succeedNone
    ),
    remove: Effect.fn("DatasetFiles.remove")((dataset) => store.remove(folderOf(dataset)))
  })
