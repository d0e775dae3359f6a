import { Option, Result, Schema } from "effect"
import { NamedRange as NamedRangeMessage } from "../../../../../Providers/Gsheets/Generated.ts"
import type { GoogleError } from "../../../Google/GoogleError.ts"
import { refuse } from "../Errors.ts"
import { equalsIgnoreCase, parseNotation } from "../Ranges.ts"
import { namedRange } from "../Resource.ts"
import type { NamedRange, Spreadsheet } from "../Spreadsheet.ts"
import { mergeFields, parseUpdateMask } from "../UpdateMask.ts"
import { applied, type RequestHandlers, resolveGridRange } from "./Request.ts"

export const namedRangeRequests: RequestHandlers<"addNamedRange" | "updateNamedRange" | "deleteNamedRange"> = {
  addNamedRange: (spreadsheet, { namedRange: given = {} }) =>
    Result.gen(function*() {
      const name = yield* checkName(given.name, spreadsheet.namedRanges)
      const { area, tab } = yield* resolveGridRange(spreadsheet, given.range)
      const idsGiven = spreadsheet.idsGiven + 1
      const namedRangeId = given.namedRangeId ?? `named${idsGiven}`
      if (spreadsheet.namedRanges.some((each) => each.namedRangeId === namedRangeId)) {
        return yield* refuse(`A named range with id ${namedRangeId} already exists.`)
      }
      const added = { namedRangeId, name, sheetId: tab.sheetId, area }
      return applied(
        { ...spreadsheet, idsGiven, namedRanges: [...spreadsheet.namedRanges, added] },
        { addNamedRange: { namedRange: namedRange(added) } }
      )
    }),

  updateNamedRange: (spreadsheet, { fields, namedRange: update = {} }) =>
    Result.gen(function*() {
      const mask = yield* parseUpdateMask(fields)
      const before = yield* byId(spreadsheet, update.namedRangeId)
      const next = Option.getOrElse(decodeNamedRange(mergeFields(namedRange(before), update, mask)), () => update)
      const others = spreadsheet.namedRanges.filter((each) => each !== before)
      const name = yield* checkName(next.name, others)
      const { area, tab } = yield* resolveGridRange(spreadsheet, next.range)
      return applied(replaceNamedRange(spreadsheet, before, { ...before, name, sheetId: tab.sheetId, area }))
    }),

  deleteNamedRange: (spreadsheet, { namedRangeId }) =>
    Result.map(
      byId(spreadsheet, namedRangeId),
      (found) => applied({ ...spreadsheet, namedRanges: spreadsheet.namedRanges.filter((each) => each !== found) })
    )
}

const decodeNamedRange = Schema.decodeUnknownOption(NamedRangeMessage)

const byId = ({ namedRanges }: Spreadsheet, id = ""): Result.Result<NamedRange, GoogleError> => {
  const found = namedRanges.find(({ namedRangeId }) => namedRangeId === id)
  return found === undefined ? refuse(`No named range with id: ${id}`) : Result.succeed(found)
}

const replaceNamedRange = (spreadsheet: Spreadsheet, before: NamedRange, after: NamedRange): Spreadsheet => ({
  ...spreadsheet,
  namedRanges: spreadsheet.namedRanges.map((each) => each === before ? after : each)
})

const checkName = (name = "", others: ReadonlyArray<NamedRange>): Result.Result<string, GoogleError> =>
  !/^[\p{L}_][\p{L}\p{N}_.]{0,249}$/u.test(name) || parseNotation(name) !== undefined
    ? refuse(`The name you entered is not valid: "${name}".`)
    : others.some((each) => equalsIgnoreCase(each.name, name))
    ? refuse(`A named range with the name "${name}" already exists.`)
    : Result.succeed(name)
