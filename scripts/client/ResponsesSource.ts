import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Provider } from "../../src/Providers/Provider.ts"
import { pascalCase } from "./Names.ts"

/** The declarations of Google's own clients, which Google generates from its discovery documents. */
const declarations: Readonly<Record<string, ReadonlyArray<readonly [name: string, file: string]>>> = {
  gsc: [["@googleapis/searchconsole", "build/v1.d.ts"]],
  ga4: [["@googleapis/analyticsdata", "build/v1beta.d.ts"], ["@googleapis/analyticsadmin", "build/v1beta.d.ts"]],
  gsheets: [["@googleapis/sheets", "build/v4.d.ts"]],
  gdocs: [["@googleapis/docs", "build/v1.d.ts"]]
}

const { resolve } = createRequire(import.meta.url)

interface Declared {
  /** The body of each interface of a message. */
  readonly messages: ReadonlyMap<string, string>
  readonly methods: ReadonlyArray<{ readonly path: string; readonly message: string }>
}

const read = ([name, file]: readonly [string, string]): Declared => {
  const source = readFileSync(join(dirname(resolve(`${name}/package.json`)), file), "utf8")
  const messages = source.matchAll(/^ {4}export interface Schema\$(\w+) \{\n((?: {8}.*\n)*) {4}\}/gm)
  const classes = source.matchAll(/^ {4}export class Resource\$([\w$]+) \{\n((?: {8}.*\n|\n)*) {4}\}/gm)
  return {
    messages: new Map([...messages].map(([, message = "", body = ""]) => [message, body])),
    methods: [...classes].flatMap(([, resource = "", body = ""]) =>
      [...body.matchAll(/^ {8}(\w+)\(.*\): Promise<\w+<Schema\$(\w+)>>;$/gm)].map(([, method = "", message = ""]) => ({
        path: `.${resource.replaceAll("$", ".")}.${method}`.toLowerCase(),
        message
      }))
    )
  }
}

/** The values of the field `Message.field`, if it is an enumeration. Google's declarations have only `string`. */
export type ValuesOf = (field: string) => ReadonlyArray<string> | undefined

/** Google's declarations do not say which fields are always present, so all are optional. */
export const responsesSource = ({ endpoints, id }: Provider, valuesOf: ValuesOf): string | undefined => {
  const packages = declarations[id]?.map(read)
  if (packages === undefined) return undefined
  const types = new Map<string, string>()
  const declare = (declared: Declared, message: string): string => {
    const name = typeName(message)
    if (types.has(name)) return name
    const body = declared.messages.get(message)
    if (body === undefined) throw new Error(`Google's declarations of ${id} have no ${message}`)
    types.set(name, "")
    const fields = fieldsIn(message, body).map(({ comment, field, type }) => {
      const values = valuesOf(`${message}.${field}`)
      const source = typeOf(type, (each) => declare(declared, each))
      return `${summary(comment)}readonly ${field}?: ${
        values === undefined ? source : source.replace("string", enumeration(values))
      }\n`
    })
    types.set(name, `export interface ${name} {\n${fields.join("")}}\n`)
    return name
  }
  const responses = endpoints.map((endpoint) => {
    const found = packages.flatMap((declared) =>
      declared.methods.filter(({ path }) => path.endsWith(`.${endpoint.id.toLowerCase()}`)).map(({ message }) =>
        declare(declared, message)
      )
    )
    if (found.length !== 1) throw new Error(`Google's declarations have ${found.length} methods ${endpoint.id}`)
    return `readonly ${JSON.stringify(endpoint.id)}: ${found.join()}\n`
  })
  return [...types.values(), `export interface ${pascalCase([id])}Responses {\n${responses.join("")}}\n`].join("\n")
}

const typeName = (message: string): string => message.replace(/^GoogleAnalyticsAdminV1beta/, "")

const fieldsIn = (message: string, body: string) => {
  const flat = body.replaceAll(/\{\s*\[key: string\]: ([^;]+);\s*\}/g, "Record<$1>")
  const found = [...flat.matchAll(/^ {8}(?:\/\*\*\n {9}\* (.*)\n {9}\*\/\n {8})?(\w+)\?: (.+?)(?: \| null)?;$/gm)]
  if (found.length !== [...flat.matchAll(/^ {8}\w/gm)].length) throw new Error(`A field of ${message} is not read`)
  return found.map(([, comment = "", field = "", type = ""]) => ({ comment, field, type }))
}

/** A response may have values that are newer than the list. */
const enumeration = (values: ReadonlyArray<string>): string =>
  [...values.map((value) => JSON.stringify(value)), "(string & {})"].join(" | ")

const typeOf = (type: string, declare: (message: string) => string): string => {
  const [, item] = /^(.+)\[\]$/.exec(type) ?? /^Array<(.+)>$/.exec(type) ?? []
  if (item !== undefined) return `ReadonlyArray<${typeOf(item, declare)}>`
  const [, value] = /^Record<(.+)>$/.exec(type) ?? []
  if (value !== undefined) return `Readonly<Record<string, ${typeOf(value, declare)}>>`
  const [, message] = /^Schema\$(\w+)$/.exec(type) ?? []
  if (message !== undefined) return declare(message)
  if (type === "any") return "unknown"
  if (["string", "number", "boolean"].includes(type)) return type
  throw new Error(`Google's declarations have an unknown type ${type}`)
}

/** The first sentence that says something. */
const summary = (comment: string): string => {
  const [sentence = ""] = /^.+?[.!?](?=\s|$)/.exec(comment.replace(/^Output only\. /, "")) ?? []
  return sentence === "" || sentence.length > 200 ? "" : `/** ${sentence} */\n`
}
