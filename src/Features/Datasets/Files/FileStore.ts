import { Data, type Effect, type Option, type Stream } from "effect"

/** The folder or the bucket of datasets cannot be used. */
export class DatasetStorageFailed extends Data.TaggedError("DatasetStorageFailed")<{ readonly message: string }> {}

export interface FileContent {
  readonly bytes: number
  readonly content: Stream.Stream<Uint8Array, DatasetStorageFailed>
}

export interface FileEntry {
  /** Below the folder that was listed, with slashes. */
  readonly name: string
  readonly bytes: number
  /** ISO 8601. */
  readonly modified_at: string
}

/** Keys have slashes and no other character outside `A-Za-z0-9._=-`. */
export interface FileStore {
  /** Readers see the whole old file until they see the whole new one. */
  readonly write: (key: string, content: Uint8Array) => Effect.Effect<void, DatasetStorageFailed>
  readonly read: (key: string) => Effect.Effect<Option.Option<FileContent>, DatasetStorageFailed>
  /** Empty if there is no such folder. */
  readonly list: (folder: string) => Effect.Effect<ReadonlyArray<FileEntry>, DatasetStorageFailed>
  readonly remove: (folder: string) => Effect.Effect<void, DatasetStorageFailed>
  /** Fails if there is no such bucket, or if its files cannot be listed. */
  readonly check: Effect.Effect<void, DatasetStorageFailed>
}
