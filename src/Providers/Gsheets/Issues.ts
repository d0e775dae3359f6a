import { Effect, Result } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import type { Issue } from "../../Domain/Validation/Issue.ts"

export type Checked<A> = Result.Result<A, ReadonlyArray<Issue>>

export const inputIssue = (path: Issue["path"], message: string): Issue => ({ path: ["input", ...path], message })

export const refusal = (path: Issue["path"], message: string): Checked<never> =>
  Result.fail([inputIssue(path, message)])

export const orInvalidInput = <A>(result: Checked<A>): Effect.Effect<A, InvalidInput> =>
  Effect.fromResult(
    Result.mapError(result, (details) =>
      new InvalidInput({ message: "The input does not fit the spreadsheet.", details }))
  )
