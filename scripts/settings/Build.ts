/**
 * Writes names, values, defaults and files of settings into the tables of `docs/operating.md`, from the sources:
 * `node scripts/settings/Build.ts`. The meanings stay, and so do defaults that the code computes. Fails if a setting has
 * no row, or a row no setting.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isSecret } from "../../src/SettingsSource.ts"
import { readSettings, type Setting } from "./Settings.ts"

const path = join(import.meta.dirname, "../../docs/operating.md")

const code = (text: string) => `\`${text}\``

const defaultCell = ({ byDefault, values }: Setting): string => {
  if (byDefault === undefined) return ""
  const others = (values ?? []).filter((value) => value !== byDefault)
  return others.length === 0 ? code(byDefault) : `${code(byDefault)} (or ${others.map(code).join(", ")})`
}

/** `document` with what the sources say. */
export const withSettings = (document: string): string => {
  const settings = readSettings()
  const left = new Set(settings.keys())
  const row = (_line: string, first: string, written: string, meaning: string) => {
    const names = first.match(/[A-Z][A-Z0-9_]*/g) ?? []
    const read = names.map((name) => {
      const setting = settings.get(name)
      if (setting === undefined) throw new Error(`docs/operating.md has ${name}, which nothing reads`)
      left.delete(name)
      return setting
    })
    if (meaning.trim() === "") throw new Error(`docs/operating.md does not say what ${names.join(", ")} means`)
    const defaults = read.map(defaultCell)
    const cell = defaults.includes("") ? written.trim() : defaults.join(", ")
    return `| ${names.map(code).join(", ")} |${cell === "" ? "" : ` ${cell}`} | ${meaning.trim()} |`
  }
  const secrets = [...settings.keys()].filter(isSecret).toSorted().map(code)
  const text = document
    .replaceAll(/^\| (`[A-Z][^|]*) \|([^|]*)\|([^\n]*)\|$/gm, row)
    .replace(/(?<=^Secrets: )[^\n]*$/m, `${secrets.join(", ")}.`)
  if (left.size > 0) throw new Error(`docs/operating.md has no row for ${[...left].join(", ")}`)
  return text
}

if (import.meta.main) writeFileSync(path, withSettings(readFileSync(path, "utf8")))
