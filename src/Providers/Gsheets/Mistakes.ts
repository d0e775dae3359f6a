import { Effect, Result } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import { type Issue } from "../../Domain/Issue.ts"

/** Something that is wrong with an input, seen only in what the spreadsheet holds. `path` starts below `input`. */
export const mistake = (path: Issue["path"], message: string): Issue => ({ path: ["input", ...path], message })

export const mistaken = (...issues: ReadonlyArray<Issue>): Result.Result<never, ReadonlyArray<Issue>> =>
  Result.fail(issues)

const mostListed = 100
const mostTold = 3

export const orInvalidInput = <A>(
  result: Result.Result<A, ReadonlyArray<Issue>>
): Effect.Effect<A, InvalidInput> =>
  Effect.fromResult(Result.mapError(result, (issues) => {
    const told = issues.slice(0, mostTold).map(({ message }) => message).join(" ")
    const more = issues.length > mostTold ? ` And ${issues.length - mostTold} more.` : ""
    return new InvalidInput({ message: `${told}${more}`, details: issues.slice(0, mostListed) })
  }))

const mostNamed = 50

/** `"a", "b" and 3 more`. */
export const named = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, mostNamed).map((name) => JSON.stringify(name)).join(", ")
  return names.length > mostNamed ? `${shown} and ${names.length - mostNamed} more` : shown
}
