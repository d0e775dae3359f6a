import type { FieldMask } from "../../Google/FieldMask.ts"
import { defaultTheme } from "./Defaults.ts"

export const selects = (mask: FieldMask, name: string): boolean => mask.has("*") || mask.has(name)

export const mergeFields = (target: unknown, source: unknown, mask: FieldMask): unknown => {
  if (mask.size === 0 || mask.has("*")) return withBothColors(source)
  const result = new Map(entriesOf(target))
  const given = new Map(entriesOf(source))
  const set = (name: string, value: unknown) => isUnset(name, value) ? result.delete(name) : result.set(name, value)
  for (const [name, below] of mask) {
    const other = otherColorName(name)
    const otherIsGiven = other !== undefined && mask.has(other) && given.has(other)
    if (otherIsGiven && (!given.has(name) || other.endsWith("Style"))) continue
    const value = mergeFields(result.get(name), given.get(name), below)
    set(name, value)
    if (other !== undefined) set(other, otherColor(name, value))
  }
  return Object.fromEntries(result)
}

/** The provider has every color in its old and its new form, whichever was written. The new one takes precedence. */
export const withBothColors = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withBothColors)
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value)
    .map(([name, each]): [string, unknown] => [name, withBothColors(each)])
    .filter(([name, each]) => !isUnset(name, each))
  const result = new Map(fields)
  for (const [name, each] of fields) {
    const other = otherColorName(name)
    if (other === undefined || result.has(other) && other.endsWith("Style")) continue
    const color = otherColor(name, each)
    if (!isUnset(other, color)) result.set(other, color)
  }
  return Object.fromEntries(result)
}

const otherColorName = (name: string): string | undefined => {
  if (/colorStyle$/i.test(name)) return name.slice(0, -"Style".length)
  return /color$/i.test(name) && name !== "rgbColor" && name !== "themeColor" ? `${name}Style` : undefined
}

const otherColor = (name: string, value: unknown): unknown => {
  const { rgbColor, themeColor } = Object.fromEntries(entriesOf(value))
  if (name.endsWith("Style")) return rgbColor ?? themeColors.get(themeColor)
  // The colors of a theme are of the new form, although their names are of the old.
  return value === undefined || rgbColor !== undefined || themeColor !== undefined ? undefined : { rgbColor: value }
}

const themeColors = new Map<unknown, unknown>(
  defaultTheme.spreadsheetTheme?.themeColors?.map(({ color, colorType }) => [colorType, color?.rgbColor])
)

/** An empty message is absent, but an empty color is black. */
const isUnset = (name: string, value: unknown): boolean =>
  value === undefined || typeof value === "object" && value !== null && !Array.isArray(value) &&
    !/color$/i.test(name) && Object.keys(value).length === 0

const entriesOf = (value: unknown): ReadonlyArray<[string, unknown]> =>
  typeof value === "object" && value !== null ? Object.entries(value) : []
