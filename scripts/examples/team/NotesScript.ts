import { createClient, OpenAccountsError } from "openaccounts/client"

const list = { provider: "notes", endpoint: "notes.list", writes: false }
const update = { provider: "notes", endpoint: "notes.update", writes: true }
const count = { provider: "notes", tool: "notes_count", writes: false }

/** What each call led to: the number of notes, whether it was cached, the code of an error. */
const main = async ([baseUrl = "", apiKey = "", ...calls]: ReadonlyArray<string>) => {
  const oa = createClient({ baseUrl, apiKey, retries: 0 })
  const outcome = async (call: string) => {
    const [name, idempotencyKey = ""] = call.split(":")
    if (name === "count") return (await oa.call<{ readonly count: number }>(count)).data.count
    if (name === "list") return (await oa.call(list, {}, { maxAge: 600 })).cached ? "cached" : "new"
    await oa.call(update, { path: { id: "1" }, body: { title: "Buy tea" } }, { idempotencyKey })
    return "written"
  }
  const outcomes: Array<unknown> = []
  for (const call of calls) outcomes.push(await outcome(call).catch(codeOf))
  return outcomes.join("\n")
}

const codeOf = (error: unknown) => error instanceof OpenAccountsError ? error.code : String(error)

void main(process.argv.slice(2)).then((text) => process.stdout.write(text))
