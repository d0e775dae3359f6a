import { Effect, Result } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import type { Issue } from "../../Domain/Issue.ts"

export const inputIssue = (path: Issue["path"], message: string): Issue => ({ path: ["input", ...path], message })

export const failWith = (...issues: ReadonlyArray<Issue>): Result.Result<never, ReadonlyArray<Issue>> =>
  Result.fail(issues)

const maxInMessage = 3

export const orInvalidInput = <A>(
  result: Result.Result<A, ReadonlyArray<Issue>>
): Effect.Effect<A, InvalidInput> =>
  Effect.fromResult(Result.mapError(result, (issues) => {
    const first = issues.slice(0, maxInMessage).map(({ message }) => message).join(" ")
    const more = issues.length > maxInMessage ? ` And ${issues.length - maxInMessage} more.` : ""
    return new InvalidInput({ message: `${first}${more}`, details: issues })
  }))
