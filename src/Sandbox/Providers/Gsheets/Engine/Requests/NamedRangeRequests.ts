import { Option, Result, Schema } from "effect"
import { parseCells } from "../../../../../Providers/Gsheets/A1.ts"
import { NamedRange as NamedRangeMessage } from "../../../../../Providers/Gsheets/Generated.ts"
import type { GoogleError } from "../../../Google/GoogleError.ts"
import { merged, updateMask } from "../FieldMask.ts"
import { parseR1C1 } from "../R1C1.ts"
import { same } from "../RangeText.ts"
import { refuse } from "../Refusal.ts"
import { namedRange } from "../Resource.ts"
import type { NamedRange, Spreadsheet } from "../Spreadsheet.ts"
import { applied, type Changes, placeOf } from "./Request.ts"

export const namedRangeRequests: Changes<"addNamedRange" | "updateNamedRange" | "deleteNamedRange"> = {
  addNamedRange: (spreadsheet, { namedRange: given = {} }) =>
    Result.gen(function*() {
      const name = yield* usable(given.name, spreadsheet.namedRanges)
      const { area, tab } = yield* placeOf(spreadsheet, given.range)
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
      const mask = yield* updateMask(fields)
      const before = yield* byId(spreadsheet, update.namedRangeId)
      const next = Option.getOrElse(decodeNamedRange(merged(namedRange(before), update, mask)), () => update)
      const others = spreadsheet.namedRanges.filter((each) => each !== before)
      const name = yield* usable(next.name, others)
      const { area, tab } = yield* placeOf(spreadsheet, next.range)
      return applied(replaced(spreadsheet, before, { ...before, name, sheetId: tab.sheetId, area }))
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

const replaced = (spreadsheet: Spreadsheet, before: NamedRange, after: NamedRange): Spreadsheet => ({
  ...spreadsheet,
  namedRanges: spreadsheet.namedRanges.map((each) => each === before ? after : each)
})

/** A name must not look like a range. */
const usable = (name = "", others: ReadonlyArray<NamedRange>): Result.Result<string, GoogleError> =>
  !/^[\p{L}_][\p{L}\p{N}_.]{0,249}$/u.test(name) || parseCells(name) !== undefined || parseR1C1(name) !== undefined
    ? refuse(`The name you entered is not valid: "${name}".`)
    : others.some((each) => same(each.name, name))
    ? refuse(`A named range with the name "${name}" already exists.`)
    : Result.succeed(name)
