import type { CallRequest } from "../../Api/Calls/CallApi.ts"

/** One word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w./:][\w./:@%+,-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

export const curlOf = (origin: string, request: unknown): string =>
  `curl -s ${shellWord(`${origin}/v1/call`)} -H "Authorization: Bearer $OA_KEY" -d ${shellWord(jsonOf(request))}`

/** Escapes the characters that control a terminal, and those that end a line of JavaScript in older parsers. */
const jsonOf = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/** The names that the client uses. */
const clientNames = ({ endpoint, provider, tool }: CallRequest): ReadonlyArray<string> =>
  tool === undefined
    ? [provider, ...(endpoint ?? "").split(".").map((word) => word.charAt(0).toLowerCase() + word.slice(1))]
    : [provider, camelCase(tool.slice(tool.indexOf("_") + 1))]

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const property = (name: string): string => /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${jsonOf(name)}]`

export const typescriptOf = (origin: string, request: CallRequest): string => {
  const { endpoint: _endpoint, input, provider: _provider, tool: _tool, ...fields } = request
  const options = Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) => value === undefined ? [] : [[camelCase(field), value]])
  )
  const hasOptions = Object.keys(options).length > 0
  const texts = [
    ...input !== undefined || hasOptions ? [jsonOf(input ?? {}, 2)] : [],
    ...hasOptions ? [jsonOf(options)] : []
  ]
  return `import { createClient } from "openaccounts-client"

const oa = createClient({ baseUrl: ${jsonOf(origin)}, apiKey: process.env.OA_KEY ?? "" })

const { data } = await oa${clientNames(request).map(property).join("")}(${texts.join(", ")})
console.log(data)
`
}

/** `--name=value` and `--` keep a value with a leading dash from being read as a flag. */
export const oaOf = (
  origin: string,
  { connection_id, endpoint, input, max_age, provider, tool }: CallRequest
): string => {
  const names = [provider, endpoint ?? tool ?? ""]
  const flags = [
    ...input && Object.keys(input).length > 0 ? [`--input=${shellWord(jsonOf(input))}`] : [],
    ...connection_id ? [`--connection=${shellWord(connection_id)}`] : [],
    ...max_age ? [`--max-age=${max_age}`] : []
  ]
  const words = names.map(shellWord)
  const operands = names.some((name) => name.startsWith("-")) ? [...flags, "--", ...words] : [...words, ...flags]
  return [`OA_URL=${shellWord(origin)} npx oa call`, ...operands].join(" ")
}
