import { Predicate } from "effect"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseAst } from "rolldown/parseAst"

/** A setting as the sources read it. */
export interface Setting {
  readonly name: string
  /** As in the environment; undefined if there is none, or if the code computes it. */
  readonly byDefault?: string
  /** The only values that it takes, if it has few. */
  readonly values?: ReadonlyArray<string>
}

const src = join(import.meta.dirname, "../../src")

/** The command line has settings of its own, of the machine on which `oa` runs: `src/Cli/README.md` lists them. */
const isOfCommandLine = (name: string) => name.startsWith("OA_")

const sources = globSync("**/*.ts", { cwd: src }).filter((file) => !/^(?:Cli|Client|Dashboard)\//.test(file))

const nameOf = (node: unknown) => textAt(node, "name")

const at = (node: unknown, key: string): unknown => Predicate.isObject(node) ? Reflect.get(node, key) : undefined

const textAt = (node: unknown, key: string): string | undefined => {
  const value = at(node, key)
  return typeof value === "string" ? value : undefined
}

const listAt = (node: unknown, key: string): ReadonlyArray<unknown> => {
  const value = at(node, key)
  return Array.isArray(value) ? value : []
}

const isSettingName = (text: string | undefined): text is string =>
  text !== undefined && /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(text)

/** The method of `Config` or `Duration` that a node calls. */
const calledOf = (node: unknown, object: string): string | undefined => {
  const callee = at(node, "callee")
  return textAt(node, "type") === "CallExpression" && nameOf(at(callee, "object")) === object
    ? nameOf(at(callee, "property"))
    : undefined
}

/** `Duration.hours(1)` is `1 hour`. */
const durationText = (node: unknown): string | undefined => {
  const unit = calledOf(node, "Duration")
  const count = at(listAt(node, "arguments")[0], "value")
  if (unit === undefined || typeof count !== "number") return undefined
  return `${count} ${count === 1 ? unit.replace(/s$/, "") : unit}`
}

const literalText = (node: unknown): string | undefined => {
  const value = at(node, "value")
  const isText = typeof value === "string" && value !== ""
  return isText || typeof value === "number" || typeof value === "boolean" ? String(value) : durationText(node)
}

/** `Config.schema(…, "NAME")` and the like. */
const readBy = (node: unknown): Setting | undefined => {
  const method = calledOf(node, "Config")
  const name = textAt(listAt(node, "arguments").at(-1), "value")
  if (method === undefined || !isSettingName(name)) return undefined
  const values = method === "Literals" ? listAt(listAt(node, "arguments")[0], "elements").flatMap(textOf) : []
  return { name, ...values.length > 0 && { values } }
}

const textOf = (node: unknown) => textAt(node, "value") ?? []

/** `Config.schema(…, "NAME").pipe(Config.withDefault(…))`. */
const readWithDefault = (node: unknown): Setting | undefined => {
  const callee = at(node, "callee")
  const setting = nameOf(at(callee, "property")) === "pipe" ? readBy(at(callee, "object")) : undefined
  const given = listAt(node, "arguments").find((each) => calledOf(each, "Config") === "withDefault")
  const byDefault = literalText(listAt(given, "arguments")[0])
  return setting && { ...setting, ...byDefault !== undefined && { byDefault } }
}

/** `setting: "NAME"` in the tables of providers and identity providers. */
const namedBy = (node: unknown): Setting | undefined => {
  const name = textAt(at(node, "value"), "value")
  return /^(?:setting|clientId|clientSecret)$/.test(nameOf(at(node, "key")) ?? "") && isSettingName(name)
    ? { name }
    : undefined
}

const settingsBelow = (node: unknown): ReadonlyArray<Setting> => {
  if (!Predicate.isObjectOrArray(node)) return []
  const found = readWithDefault(node) ?? readBy(node) ?? namedBy(node)
  return found === undefined ? Object.values(node).flatMap(settingsBelow) : [found]
}

/** Every setting that the service reads, by name. */
export const readSettings = (): ReadonlyMap<string, Setting> => {
  const settings = new Map<string, Setting>()
  for (const file of sources) {
    const text = readFileSync(join(src, file), "utf8")
    if (!/\bConfig\.|setting:|clientSecret:/.test(text)) continue
    for (const setting of settingsBelow(parseAst(text, { lang: "ts" }))) {
      if (!isOfCommandLine(setting.name)) settings.set(setting.name, { ...settings.get(setting.name), ...setting })
    }
  }
  return settings
}
