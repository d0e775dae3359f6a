import type { CallRequest } from "../../Api/CallApi.ts"

const inSingleQuotes = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A call as a command for a shell. The key comes from the variable `OA_KEY`. */
export const curlOf = (request: unknown): string =>
  `curl -s ${location.origin}/v1/call -H "Authorization: Bearer $OA_KEY" -d ${inSingleQuotes(JSON.stringify(request))}`

export const fetchOf = (request: CallRequest): string =>
  `const response = await fetch("${location.origin}/v1/call", {
  method: "POST",
  headers: { authorization: \`Bearer \${process.env.OA_KEY}\` },
  body: JSON.stringify(${JSON.stringify(request, null, 2).replaceAll("\n", "\n  ")})
})`

export const oaOf = ({ connection_id, endpoint, input, max_age, provider, tool }: CallRequest): string =>
  [
    `oa call ${provider} ${endpoint ?? tool}`,
    input && Object.keys(input).length > 0 && `--input ${inSingleQuotes(JSON.stringify(input))}`,
    connection_id && `--connection ${connection_id}`,
    max_age && `--max-age ${max_age}`
  ].filter(Boolean).join(" ")
