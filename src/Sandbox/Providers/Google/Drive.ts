import { Effect, Option, Result } from "effect"
import { randomBytes } from "node:crypto"
import type { Day } from "../../Data/Day.ts"
import { SandboxStore } from "../../Data/SandboxStore.ts"
import { type GoogleError, notFound } from "./GoogleError.ts"

export interface Drive<File> {
  readonly change: <A>(
    id: string,
    today: Day,
    change: (file: File) => Result.Result<readonly [response: A, file: File], GoogleError>
  ) => Effect.Effect<A, GoogleError>
  readonly add: (id: string, file: File) => Effect.Effect<void>
}

export const makeDrive = <File>({ isFile, kind, seed }: {
  readonly kind: string
  readonly isFile: (value: unknown) => value is File
  readonly seed: (id: string, today: Day) => File | undefined
}): Effect.Effect<Drive<File>, never, SandboxStore> =>
  Effect.map(SandboxStore, (store) => ({
    add: (id, file) => store.put(kind, id, file),
    change: (id, today, change) =>
      // The database holds no NUL.
      id.includes("\0") ? Effect.fail(notFound) : store.modify(kind, id, (stored) => {
        const file = Option.getOrUndefined(Option.filter(stored, isFile)) ?? seed(id, today)
        return file === undefined
          ? Result.fail(notFound)
          : Result.map(change(file), ([result, next]) => next === file ? { result } : { result, next })
      })
  }))

export const newFileId = (): string => `1${randomBytes(32).toString("base64url")}`
