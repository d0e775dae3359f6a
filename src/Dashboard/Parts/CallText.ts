import type { CallRequest } from "../../Api/CallApi.ts"

const inSingleQuotes = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export const curlOf = (origin: string, request: unknown): string =>
  `curl -s ${origin}/v1/call -H "Authorization: Bearer $OA_KEY" -d ${inSingleQuotes(JSON.stringify(request))}`

/** The names that `openaccounts/client` uses. */
const clientPath = ({ endpoint, provider, tool }: CallRequest): string =>
  tool === undefined
    ? [provider, ...(endpoint ?? "").split(".").map((word) => word.charAt(0).toLowerCase() + word.slice(1))].join(".")
    : `${provider}.${
      tool.slice(tool.indexOf("_") + 1).replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    }`

export const typescriptOf = (origin: string, request: CallRequest): string => {
  const { connection_id: connectionId, input, max_age: maxAge } = request
  const options = {
    ...connectionId !== undefined && { connectionId },
    ...maxAge !== undefined && { maxAge }
  }
  const hasOptions = Object.keys(options).length > 0
  const texts = [
    ...input !== undefined || hasOptions ? [JSON.stringify(input ?? {}, null, 2)] : [],
    ...hasOptions ? [JSON.stringify(options)] : []
  ]
  return `import { createClient } from "openaccounts/client"

const oa = createClient({ baseUrl: "${origin}", apiKey: process.env.OA_KEY ?? "" })

const { data } = await oa.${clientPath(request)}(${texts.join(", ")})
console.log(data)
`
}

export const oaOf = (
  origin: string,
  { connection_id, endpoint, input, max_age, provider, tool }: CallRequest
): string =>
  [
    `OA_URL=${origin} npx oa call ${provider} ${endpoint ?? tool}`,
    input && Object.keys(input).length > 0 && `--input ${inSingleQuotes(JSON.stringify(input))}`,
    connection_id && `--connection ${connection_id}`,
    max_age && `--max-age ${max_age}`
  ].filter(Boolean).join(" ")
