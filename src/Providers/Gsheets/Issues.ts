import { Effect, Result } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import type { Issue } from "../../Domain/Validation/Issue.ts"

export const inputIssue = (path: Issue["path"], message: string): Issue => ({ path: ["input", ...path], message })

export const failWith = (...issues: ReadonlyArray<Issue>): Result.Result<never, ReadonlyArray<Issue>> =>
  Result.fail(issues)

export const orInvalidInput = <A>(
  result: Result.Result<A, ReadonlyArray<Issue>>
): Effect.Effect<A, InvalidInput> =>
  Effect.fromResult(
    Result.mapError(result, (details) =>
      new InvalidInput({ message: "The input does not fit the spreadsheet.", details }))
  )
