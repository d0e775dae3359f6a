export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly requestBody: unknown
  readonly status: number
  readonly responseBody: unknown
}

interface Interaction {
  readonly request: { readonly method: string; readonly uri: string; readonly body: string | null }
  readonly response: { readonly status: { readonly code: number }; readonly body: { readonly string: string } }
}

export const exchangesOf = (cassette: unknown): ReadonlyArray<Exchange> =>
  Object(cassette).interactions.flatMap(({ request, response }: Interaction) =>
    splitBatchClear({
      method: request.method,
      url: new URL(request.uri),
      requestBody: parseJson(request.body ?? ""),
      status: response.status.code,
      responseBody: parseJson(response.body.string)
    })
  )

/** The service has no `values:batchClear`, which equals several clears. */
const splitBatchClear = (exchange: Exchange): ReadonlyArray<Exchange> => {
  const path = exchange.url.href.split("/values:batchClear")
  if (path.length === 1) return [exchange]
  const { ranges }: { readonly ranges: ReadonlyArray<string> } = Object(exchange.requestBody)
  const { clearedRanges, spreadsheetId } = Object(exchange.responseBody)
  return ranges.map((range, index) => ({
    ...exchange,
    url: new URL(`${path[0]}/values/${encodeURIComponent(range)}:clear`),
    requestBody: {},
    responseBody: { spreadsheetId, clearedRange: clearedRanges[index] }
  }))
}

const parseJson = (text: string): unknown => text === "" ? undefined : JSON.parse(text)

export interface Route {
  readonly endpoint: string
  readonly params: { readonly spreadsheetId: string; readonly range?: string }
}

export const routeOf = ({ method, url }: Pick<Exchange, "method" | "url">): Route | undefined => {
  if (url.hostname !== "sheets.googleapis.com") return undefined
  const [id = "", values, range = ""] = url.pathname.replace("/v4/spreadsheets/", "").split("/")
  const [spreadsheetId = "", verb] = id.split(":")
  if (values === undefined) {
    return { endpoint: verb === undefined ? "spreadsheets.get" : `spreadsheets.${verb}`, params: { spreadsheetId } }
  }
  if (values.startsWith("values:")) return { endpoint: values.replace(":", "."), params: { spreadsheetId } }
  const [, text = "", action] = /^(.*?)(?::(append|clear))?$/.exec(range) ?? []
  return {
    endpoint: `values.${action ?? (method === "PUT" ? "update" : "get")}`,
    params: { spreadsheetId, range: decodeURIComponent(text) }
  }
}

export const queryOf = (url: URL): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries([...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)]))
