import { Effect, Option, Result } from "effect"
import { randomBytes } from "node:crypto"
import { type GoogleError, notFound } from "../Providers/Google/GoogleError.ts"
import type { Day } from "./Day.ts"
import { SandboxStore } from "./SandboxStore.ts"

/** The files of one kind. Seed files are created on first access. */
export interface Drive<File> {
  /** Reads or changes a file. Fails with 404 for an unknown file. A failed change leaves the file as it was. */
  readonly change: <A>(
    id: string,
    today: Day,
    change: (file: File) => Result.Result<readonly [answer: A, file: File], GoogleError>
  ) => Effect.Effect<A, GoogleError>
  readonly add: (id: string, file: File) => Effect.Effect<void>
}

export const makeDrive = <File>({ isFile, kind, seed }: {
  readonly kind: string
  /** Narrows a stored value. */
  readonly isFile: (value: unknown) => value is File
  /** `undefined` when no seed file has the id. */
  readonly seed: (id: string, today: Day) => File | undefined
}): Effect.Effect<Drive<File>, never, SandboxStore> =>
  Effect.map(SandboxStore, (store) => ({
    add: (id, file) => store.put(kind, id, file),
    change: (id, today, change) =>
      store.modify(kind, id, (stored) => {
        const file = Option.getOrUndefined(Option.filter(stored, isFile)) ?? seed(id, today)
        return file === undefined
          ? Result.fail(notFound)
          : Result.map(change(file), ([result, next]) => ({ result, next }))
      })
  }))

/** Looks like an id of a Google file. */
export const newFileId = (): string => `1${randomBytes(32).toString("base64url")}`
