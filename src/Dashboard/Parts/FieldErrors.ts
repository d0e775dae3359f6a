import { Schema } from "effect"
import { Issue } from "../../Domain/Validation/Issue.ts"
import type { ServiceError } from "../Service/Service.ts"

const isIssues = Schema.is(Schema.Array(Issue))

export const issuesOf = (error: ServiceError | null): ReadonlyArray<Issue> =>
  error?.code === "invalid_input" && isIssues(error.details) ? error.details : []

const isOf = (path: string, field: string) => path === field || path.startsWith(`${field}.`)

/** Also returns the error itself if one of its issues belongs to no field. */
export const fieldErrors = <Field extends string>(error: ServiceError | null, fields: ReadonlyArray<Field>) => {
  const issues = issuesOf(error).map(({ message, path }) => ({ message, path: path.join(".") }))
  const of = (field: Field) => issues.find(({ path }) => isOf(path, field))?.message
  const isPlaced = issues.length > 0 && issues.every(({ path }) => fields.some((field) => isOf(path, field)))
  return { of, unplaced: isPlaced ? null : error }
}
