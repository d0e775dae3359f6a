/**
 * ClickHouse's engine behind as much of its HTTP interface as the official client uses. Arguments: the module `chdb`, a
 * folder for the data, and a port, 0 for any. Prints the port.
 */
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { text } from "node:stream/consumers"

const [module, folder, port] = process.argv.slice(2)
const { Session } = createRequire(import.meta.url)(module)
const session = new Session(folder)

const escapes = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", 0: "\0" }
const unescaped = (text) => text.replace(/\\(.)/g, (_, character) => escapes[character] ?? character)

/** Lists of strings and single values, which `chdb` escapes again. */
const valueOf = (text) =>
  text.startsWith("[") ? [...text.matchAll(/'((?:\\.|[^'\\])*)'/g)].map(([, each]) => unescaped(each)) : unescaped(text)

const parametersOf = (query) =>
  Object.fromEntries(
    [...query].flatMap(([name, value]) => name.startsWith("param_") ? [[name.slice(6), valueOf(value)]] : [])
  )

const run = async (statement, parameters) => {
  const result = Object.keys(parameters).length === 0
    ? await session.queryAsync(statement, { format: "JSONEachRow" })
    : await session.queryBindAsync(statement, parameters, { format: "JSONEachRow" })
  return result.bytes()
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost")
  if (pathname === "/ping") return response.end("Ok.\n")
  try {
    const body = await text(request)
    const query = searchParams.get("query")
    const statement = query === null ? body : `${query}\n${body}`
    const rows = await run(statement, parametersOf(searchParams))
    response.writeHead(200, { "content-type": "application/x-ndjson" }).end(rows)
  } catch (error) {
    response.writeHead(500).end(`Code: ${error.clickhouseCode ?? 0}. DB::Exception: ${error.message}`)
  }
})
server.listen(Number(port), "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`))
