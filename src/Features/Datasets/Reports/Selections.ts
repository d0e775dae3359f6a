import { Result } from "effect"
import type { Column, ColumnType } from "../../../Domain/Table/Table.ts"
import { uniqueNames } from "../../../Domain/Table/Table.ts"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import type { Selection } from "./Report.ts"

interface Choice {
  readonly field: keyof Selection
  readonly names: ReadonlyArray<string> | undefined
  readonly isKnown: (name: string) => boolean
  readonly expected: string
  readonly isEmptyAllowed?: boolean
}

/** Readers of the files take the folder's name as a further column, in any case. */
const partition = "day"

/** The issues of the names in a field. */
export const issuesOf = ({ expected, field, names, isEmptyAllowed = false, isKnown }: Choice): ReadonlyArray<Issue> => {
  if (names === undefined) return []
  if (names.length === 0) return isEmptyAllowed ? [] : [{ path: [field], message: `Expected ${expected}` }]
  return names.flatMap((name, index) =>
    !isKnown(name)
      ? [{ path: [field, index], message: `Expected ${expected}` }]
      : names.indexOf(name) < index
      ? [{ path: [field, index], message: "Expected each name once" }]
      : name.toLowerCase() === partition
      ? [{ path: [field, index], message: `The folder of a file is named ${partition}=…, so no column may be ${name}` }]
      : []
  )
}

export const selected = (
  selection: Selection,
  ...issues: ReadonlyArray<ReadonlyArray<Issue>>
): Result.Result<Selection, ReadonlyArray<Issue>> => {
  const all = issues.flat()
  return all.length === 0 ? Result.succeed(selection) : Result.fail(all)
}

/** The columns, named as `keep` names them. */
export const columnsOf = (
  { dimensions, metrics }: Selection,
  typeOf: (dimension: string) => ColumnType = () => "text"
): ReadonlyArray<Column> => {
  const types: ReadonlyArray<ColumnType> = [...dimensions.map(typeOf), ...metrics.map(() => "number" as const)]
  return uniqueNames([...dimensions, ...metrics]).map((name, index) => ({ name, type: types[index] ?? "text" }))
}
