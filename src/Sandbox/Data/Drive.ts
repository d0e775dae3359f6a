import { Effect, Option, Result } from "effect"
import { randomBytes } from "node:crypto"
import { type GoogleError, notFound } from "../Providers/Google/GoogleError.ts"
import type { Day } from "./Day.ts"
import { SandboxStore } from "./SandboxStore.ts"

/** The files of one kind. A file that is there from the start is made, and stored, when it is first asked for. */
export interface Drive<File> {
  /** Fails where there is no such file; where `change` fails, the file is as it was. */
  readonly change: <A>(
    id: string,
    today: Day,
    change: (file: File) => Result.Result<readonly [answer: A, file: File], GoogleError>
  ) => Effect.Effect<A, GoogleError>
  readonly add: (id: string, file: File) => Effect.Effect<void>
}

export const makeDrive = <File>({ isFile, kind, seed }: {
  readonly kind: string
  /** Of a stored value, which is what this drive has stored. */
  readonly isFile: (value: unknown) => value is File
  /** The file that is there from the start under an id. */
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

/** An id like those of the provider's files. */
export const newFileId = (): string => `1${randomBytes(32).toString("base64url")}`
