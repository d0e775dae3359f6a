import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { alertFormats } from "../../../src/Features/Alerts/Declared.ts"
import { alertFormatList } from "../../../src/Features/Alerts/Formats/AddFormats.ts"
import { makeNotice } from "../../../src/Features/Alerts/Notices/Notice.ts"
import { features } from "../../../src/Features/Features.ts"
import { without } from "../../../src/Features/FeaturesOff.ts"
import { baseUrl, Hosted, manage } from "../../Http/Fixture.ts"
import { issuePaths } from "../../support/Answer.ts"
import { eventually } from "../../support/Eventually.ts"
import { type Handler, LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../../support/TestServer.ts"

const hostile =
  `<!channel> <users/all> @everyone [win](https://evil.invalid) HTTPS://evil.invalid www.evil.invalid *&* \r\nBcc: x\u202E${
    "😀&<".repeat(400)
  }`

const notice = makeNotice({
  title: hostile,
  facts: ["Client", "Account", "Where", "What happened", "What to do"].map((name) => ({ name, value: hostile })),
  link: { text: "Look at the change", url: `${baseUrl}/dashboard/approvals/apr_01m82f8actez0bfn6k39jh4qrq` },
  thread: "con_01m82f8actez0bfn6k39jh4qrq"
})

const texts = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" ? [value] : Object.values(Object(value)).flatMap(texts)

const atMost = (text: string, most: number) => assert.isAtMost(text.length, most)

/** The limits that each service documents, in characters unless said otherwise. */
const limits: Readonly<Record<typeof alertFormats[number], (payload: ReturnType<typeof JSON.parse>) => void>> = {
  slack: ({ blocks: [header, section, actions] }) => {
    atMost(header.text.text, 150)
    assert.isAtMost(section.fields.length, 10)
    for (const { text } of section.fields) atMost(text, 2000)
    for (const { text, url } of actions.elements) {
      atMost(text.text, 75)
      atMost(url, 3000)
    }
  },
  teams: ({ attachments: [{ content }] }) => {
    assert.deepStrictEqual([content.type, content.version, content.actions.length], ["AdaptiveCard", "1.4", 1])
  },
  google_chat: ({ cardsV2, text, thread }) => {
    atMost(text, 4096)
    atMost(thread.threadKey, 4000)
    assert.isAtMost(Buffer.byteLength(JSON.stringify({ cardsV2, text, thread })), 32_000)
  },
  discord: ({ content, embeds: [embed, ...others] }) => {
    assert.lengthOf(others, 0)
    atMost(content, 2000)
    atMost(embed.title, 256)
    assert.isAtMost(embed.fields.length, 25)
    for (const { name, value } of embed.fields) {
      atMost(name, 256)
      atMost(value, 1024)
    }
    assert.isAtMost(texts(embed).join("").length, 6000)
  }
}

describe("A text with the longest names", () => {
  it.each(alertFormatList)("is within the limits of $name, and calls, links and hides nothing", ({ name, payload }) => {
    const sent = payload(notice, new URL("https://hooks.slack.com/services/T/B/x"))
    limits[name](sent)
    const json = JSON.stringify(sent)
    assert.isAtMost(Buffer.byteLength(json), 28_000)
    for (const markup of ["<!channel>", "<users/all>", "](https", "://evil", "www.evil", "\u202E", "\\r", "\\nBcc"]) {
      assert.notInclude(json, markup)
    }
    assert.isTrue(json.isWellFormed())
  })

  it("is flat for a workflow of Slack", () => {
    const payload = alertFormatList[0]?.payload(notice, new URL("https://hooks.slack.com/triggers/T/1/x"))
    assert.deepStrictEqual(Object.keys(Object(payload)), ["title", "detail", "link"])
  })

  it("is refused where Microsoft has ended a connector", () => {
    const teams = alertFormatList.find(({ name }) => name === "teams")
    assert.include(teams?.refusal(new URL("https://acme.webhook.office.com/webhookb2/x")), "workflow")
  })
})

const webhooks = (method: string, path: string, body?: unknown) =>
  Effect.map(manage(method, `/webhooks${path}`, body), ({ json, ...answer }) => ({ ...answer, json: Object(json) }))

const receiver = Effect.fnUntraced(function*(format: string, handler: Handler) {
  const upstream = yield* LoopbackUpstream.make
  upstream.handle(handler)
  const url = `${upstream.url}/services/T1/B1?key=secret-${format}-WXYZ`
  const created = yield* webhooks("POST", "", { url, format, events: ["connection.created", "connection.revoked"] })
  assert.strictEqual(created.status, 201, created.text)
  yield* Effect.addFinalizer(() => webhooks("DELETE", `/${created.json.id}`))
  return { ...upstream, url, path: `/${created.json.id}` }
})

const accept: Handler = () => ({ status: 204 })

layer(Hosted, { excludeTestServices: true })("Alerts", (it) => {
  for (const format of alertFormats) {
    it.effect(`reach ${format} as a text with client, account, what happened, what to do and one link`, () =>
      Effect.gen(function*() {
        const { path, requests, url } = yield* receiver(format, accept)
        const { client, connection } = yield* seed({ external_account: "ada@example.com" })
        const found = Effect.sync(() => requests.find(({ body }) => body.includes(connection.id)))
        const request = (yield* eventually(found, (each) => each !== undefined)) ?? assert.fail("nothing was sent")
        const isChat = format === "google_chat"
        const inThreads = isChat ? "&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD" : ""
        assert.strictEqual(`${new URL(url).origin}${request.url}`, `${url}${inThreads}`)
        if (isChat) assert.deepInclude(JSON.parse(request.body), { thread: { threadKey: connection.id } })
        assert.notProperty(request.headers, "webhook-signature")
        const sent = texts(JSON.parse(request.body))
        for (const text of ["Connected: ada@example.com", client.name, "ada@example.com (Google Search Console)"]) {
          assert.include(sent.join("\n"), text)
        }
        const links = sent.filter((text) => text.startsWith(baseUrl))
        assert.deepStrictEqual(links, [`${baseUrl}/dashboard/connections/${connection.id}`])

        const sample = yield* manage("GET", `/alerts/samples/${format}`)
        assert.include(texts(Object(sample.json).body).join("\n"), "A sample from Acme")
        const shown = yield* webhooks("GET", path)
        assert.strictEqual(shown.json.url, `${new URL(url).host}…WXYZ`)
        for (const text of [shown.text, (yield* webhooks("GET", "")).text, (yield* manage("GET", "/audit")).text]) {
          assert.notInclude(text, `secret-${format}`)
        }
      }))
  }

  it.effect("end with a refusal, and wait as long as a service asks", () =>
    Effect.gen(function*() {
      const answers: ReadonlyArray<readonly [format: string, ReturnType<Handler>, wait: number | null]> = [
        ["slack", { status: 404, body: "no_service" }, null],
        ["google_chat", { status: 429, headers: { "retry-after": "180" } }, 180],
        ["discord", { status: 429, body: { retry_after: 64.5 } }, 64.5]
      ]
      for (const [format, answer, wait] of answers) {
        const { path } = yield* receiver(format, () => answer)
        const before = Date.now()
        yield* webhooks("POST", `${path}/test`)
        const deliveries = yield* eventually(
          webhooks("GET", `${path}/deliveries`),
          ({ json }) => json.deliveries[0].http_status !== null
        )
        const { next_attempt_at, status } = deliveries.json.deliveries[0]
        assert.strictEqual(status, wait === null ? "failed" : "pending")
        if (wait !== null) assert.isAtLeast(Date.parse(next_attempt_at), before + wait * 1000)
        assert.isNotNull((yield* webhooks("GET", path)).json.failing_since)
      }
    }))

  it.effect("go on after a change of the format, with the URL of before", () =>
    Effect.gen(function*() {
      const { path, requests, url } = yield* receiver("discord", accept)
      assert.strictEqual((yield* webhooks("POST", `${path}/secret`)).status, 200)
      const changed = yield* webhooks("PATCH", path, { format: "standard" })
      assert.deepInclude(changed.json, { url, format: "standard" })
      assert.strictEqual((yield* webhooks("PATCH", path, { format: "teams" })).json.url, `${new URL(url).host}…WXYZ`)
      yield* webhooks("POST", `${path}/test`)
      const [request] = yield* eventually(Effect.sync(() => requests), ({ length }) => length > 0)
      assert.include(request?.body, "A sample from Acme")
      const elsewhere = yield* webhooks("PATCH", path, { url: "https://acme.webhook.office.com/webhookb2/x" })
      assert.deepStrictEqual(issuePaths(elsewhere), ["url"])
    }))
})

layer(TestServer.make({}, { features: without(features, "alerts") }))("A server without alerts", (it) => {
  it.effect("has webhooks in the standard format alone", () =>
    Effect.gen(function*() {
      const url = "https://hooks.invalid/"
      const create = (format: string) => webhooks("POST", "", { url, format, events: ["key.created"] })
      assert.strictEqual((yield* create("standard")).status, 201)
      const refused = yield* create("slack")
      assert.deepStrictEqual(issuePaths(refused), ["format"])
    }))
})
