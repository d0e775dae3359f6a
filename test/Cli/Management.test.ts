import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { eventTypes } from "../../src/Declared/EventType.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { newGrant } from "../support/NewGrant.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { expiredGrant, freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { type CliOptions, runOa, runOaOnServer } from "./RunCli.ts"

const done = (args: ReadonlyArray<string>, options: CliOptions = {}) =>
  Effect.map(runOaOnServer(args, options), ({ exitCode, stderr, stdout }) => {
    assert.strictEqual(exitCode, 0, stderr)
    return stdout
  })

const json = (args: ReadonlyArray<string>, options?: CliOptions) =>
  Effect.map(done([...args, "--json"], options), (text) => JSON.parse(text))

const fails = (args: ReadonlyArray<string>, says: string, { exitCode = 1, ...options }: CliOptions & {
  readonly exitCode?: number
} = {}) =>
  Effect.map(runOaOnServer(args, options), (ran) => {
    assert.strictEqual(ran.exitCode, exitCode, ran.stderr)
    assert.include(ran.stderr, says)
    return ran.stdout + ran.stderr
  })

const createFrom = (
  provider: string,
  credentials: string
) => ["connection", "create", provider, "--label", "x", "--credentials", credentials]

const exitCodeOf = (args: ReadonlyArray<string>, options: CliOptions) =>
  Effect.map(runOa(args, options), ({ exitCode }) => exitCode)

layer(TestServer.layer.pipe(Layer.provideMerge(NodeServices.layer)), { excludeTestServices: true })(
  "oa client, member, key and connection",
  (it) => {
    it.effect("creates a client, a member, a connection and a key that works", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: { siteEntry: [] } }))
        const client = yield* json(["client", "create", "Acme"])
        const member = yield* json(["member", "create", "you@example.com", "--client", client.id])
        const made = yield* done(["key", "create", "scripts", "--member", member.id])
        const [secret = ""] = /oa_[0-9A-Za-z]{38}/.exec(made) ?? []
        const own = yield* json(["key", "create", "reports", "--client", client.id])
        assert.strictEqual(own.client_id, client.id)
        const from = ["--label", "Acme", "--client", client.id, "--credentials", "-"]
        const stdin = JSON.stringify(freshGrant("created"))
        const connection = yield* json(["connection", "create", "gsc", ...from], { stdin })
        assert.deepInclude(member, { email: "you@example.com", client_ids: [client.id] })
        assert.include(made, "read_only")
        assert.deepInclude(connection, { auth_type: "oauth", client_id: client.id, status: "active" })

        const answer = yield* server.api(secret).call.call({ payload: { provider: "gsc", endpoint: "sites.list" } })
        assert.strictEqual(answer.connection_id, connection.id)
        assert.match(yield* done(["connection", "test", connection.id]), /^ok, \d+ ms\n$/)

        const listed = yield* done(["key", "ls"])
        assert.notInclude(listed, secret)
        const [, id = ""] = new RegExp(`^(key_\\w+) .*oa_…${secret.slice(-4)}`, "m").exec(listed) ?? []
        assert.match(yield* done(["key", "revoke", id]), /status +revoked 20/)
        assert.match(yield* done(["key", "ls"]), new RegExp(`${id} .*scripts.* revoked 20`))
      }))

    it.effect("creates a connect link, shows its URL once, lists and ends it", () =>
      Effect.gen(function*() {
        const { client, connection } = yield* seed()
        const create = ["connect-link", "create", "--client", client.id]
        const created = yield* done([...create, "--provider", "ga4", "--expires-in", "2 days"])
        assert.match(created, /http\S+\/connect\/oac_[\w-]{43}/)
        const listed = yield* json(["connect-link", "ls"])
        const { connect_links: [link] } = listed
        assert.deepInclude(link, { client_id: client.id, providers: ["ga4"], status: "open" })
        assert.strictEqual(Date.parse(link.expires_at) - Date.parse(link.created_at), 2 * 86_400_000)
        assert.notInclude(JSON.stringify(listed), "oac_")
        assert.match(yield* done(["connect-link", "end", link.id]), /status +ended/)
        const again = yield* json(["connect-link", "create", "--connection", connection.id])
        assert.deepInclude(again, { connection_id: connection.id, providers: ["gsc"] })
        yield* fails([...create, "--redirect", "https://x.example"], "redirect_url")
      }))

    it.effect("creates, changes, tests, lists and deletes a webhook", () =>
      Effect.gen(function*() {
        const url = "https://hooks.invalid/oa"
        const created = yield* done(["webhook", "create", url, "--event", "key.created"])
        const [id = ""] = /whk_\w+/.exec(created) ?? []
        assert.match(created, /\nwhsec_\S{44}\n/)
        const all = yield* json(["webhook", "create", url])
        assert.lengthOf(all.events, eventTypes.length)
        yield* done(["webhook", "delete", all.id])
        const updated = yield* json(["webhook", "update", id, "--off", "--event", "grant.created"])
        assert.deepInclude(updated, { id, enabled: false, events: ["grant.created"] })
        const { id: delivery } = yield* json(["webhook", "test", id])
        assert.match(yield* done(["webhook", "deliveries", id]), new RegExp(`test +pending +.* ${delivery}`))
        assert.include(yield* done(["webhook", "redeliver", id, delivery]), `${delivery} is on its way`)
        assert.match(yield* done(["webhook", "list"]), new RegExp(`${id}.*grant\\.created +off`))
        assert.include(yield* done(["webhook", "delete", id]), `${id} is deleted`)
        yield* fails(["webhook", "create", "https://127.0.0.1/"], "url: 127.0.0.1 is not a public address")
      }))

    it.effect("makes an admin, and a link with which it signs in", () =>
      Effect.gen(function*() {
        const { request } = yield* TestServer
        const { id } = yield* json(["member", "create", "Root@example.com", "--role", "admin"])
        assert.match(yield* done(["member", "link", id]), /signs root@example\.com in once/i)
        const [url = ""] = /^http\S+/.exec(yield* done(["member", "link", "root@example.com"])) ?? []
        const opened = yield* request("POST", "/auth/link", { body: { token: new URL(url).hash.slice(1) } })
        assert.strictEqual(opened.status, 200)
        assert.include(opened.text, "\"role\":\"admin\"")
        yield* json(["member", "create", "second@example.com", "--role", "admin"])
        assert.deepInclude(yield* json(["member", "change", id, "--role", "member"]), {
          role: "member",
          client_ids: []
        })
        yield* fails(["member", "link", "nobody@example.com"], "nobody@example.com")
      }))

    it.effect("keeps a member's clients unless a flag changes them, and deletes it once", () =>
      Effect.gen(function*() {
        const { client, member } = yield* seed()
        const other = yield* seed()
        const change = (...flags: ReadonlyArray<string>) => json(["member", "change", member.id, ...flags])
        const both = { client_ids: [client.id, other.client.id], name: "Ada" }
        assert.deepInclude(yield* change("--client", client.id, "--client", other.client.id, "--name", "Ada"), both)
        assert.deepInclude(yield* change("--email", "new@example.com"), both)
        assert.deepInclude(yield* change("--all-clients"), { client_ids: null })
        assert.include(yield* done(["member", "delete", member.id]), `${member.id} is deleted`)
        yield* fails(["member", "delete", member.id], "member_not_found (call_")
      }))

    it.effect("lists, updates and revokes grants of agents", () =>
      Effect.gen(function*() {
        const { connection, member } = yield* seed()
        const { grant } = yield* newGrant({ memberId: member.id })
        const row = Effect.map(done(["grant", "ls"]), (text) => text.slice(text.indexOf(grant.id)))
        assert.match(yield* row, /^\S+ +Reporter .* all +never +active/)
        const update = (...flags: ReadonlyArray<string>) => json(["grant", "update", grant.id, ...flags])
        assert.deepInclude(yield* update("--access", "read_write", "--connection", connection.id), {
          access: "read_write",
          connection_ids: [connection.id]
        })
        assert.deepInclude(yield* update("--all-connections"), { access: "read_write", connection_ids: null })
        const careful = ["--resource", "ga4:123", "--writes", "ask", "--no-undo", "--calls-per-day", "5"]
        assert.deepInclude(yield* update(...careful), {
          resources: ["ga4:properties/123"],
          writes: "ask",
          undo: false,
          budget: { calls_per_day: 5 }
        })
        assert.match(yield* row, /asks before writes[^]*ga4:properties\/123[^]*5 calls a day/)
        const freed = { resources: null, writes: "ask", budget: null }
        assert.deepInclude(yield* update("--all-resources", "--no-budget"), freed)
        assert.match(yield* done(["grant", "revoke", grant.id]), /status +revoked 20/)
        yield* fails(["grant", "update", grant.id, "--access", "read_only"], "The grant is revoked")
      }))

    it.effect("makes and changes a key and a connection with limits", () =>
      Effect.gen(function*() {
        const { connection, member } = yield* seed()
        const limits = ["--access", "read_write", "--writes", "ask", "--undo", "--writes-per-day", "3"]
        const make = ["key", "create", "careful", "--member", member.id, ...limits, "--resource", "gdocs:created"]
        const made = yield* json(make)
        const limited = { writes: "ask", undo: true, resources: ["gdocs:created"], budget: { writes_per_day: 3 } }
        assert.deepInclude(made, limited)
        const free = ["--writes", "allow", "--no-undo", "--all-resources", "--no-budget"]
        const freed = { name: "careful", writes: "allow", undo: false, resources: null, budget: null }
        assert.deepInclude(yield* json(["key", "change", made.id, ...free]), freed)
        const bind = ["connection", "change", connection.id, "--resource", "gsc:sc-domain:acme.com"]
        assert.deepStrictEqual((yield* json(bind)).resources, ["gsc:sc-domain:acme.com"])
        assert.isNull((yield* json(["connection", "change", connection.id, "--all-resources"])).resources)
      }))

    it.effect("exports calls and the audit as lines, without a limit", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { client, readOnly: key } = yield* seed()
        yield* server.call(key, { provider: "gsc", endpoint: "x" })
        const audit = yield* done(["audit", "--subject", client.id, "--format", "csv"])
        assert.match(audit, new RegExp(`^id,at,.*\r\naud_.*,client.created,client,${client.id},`))
        const call = JSON.parse(yield* done(["logs", "--format", "ndjson"], { key }))
        assert.deepInclude(call, { provider: "gsc", error_code: "endpoint_not_found" })
        assert.include(yield* done(["logs", "--all", "--provider", "gsc", "--format", "csv"]), call.id)
        yield* fails(["logs", "--format", "csv", "--limit", "5"], "limit: An export has no limit", { key })
      }))

    it.effect("prints the cursor of the next page", () =>
      Effect.gen(function*() {
        yield* done(["client", "create", "One"])
        yield* done(["client", "create", "Two"])
        const page = ["client", "list", "--limit", "1"]
        const first = yield* runOaOnServer(page)
        assert.include(first.stdout, "Two")
        const [, cursor = ""] = /--cursor (\S+)/.exec(first.stderr) ?? []
        assert.include(yield* done([...page, "--cursor", cursor]), "One")
        const ran = yield* runOaOnServer([...page, "--json"])
        assert.deepStrictEqual([JSON.parse(ran.stdout).cursor, ran.stderr], [cursor, ""])
      }))

    it.effect("reads credentials from a file or standard input and recognizes their type", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: { access_token: "ya29.robot-0123456789", expires_in: 3599 } }))
        const file = yield* fs.makeTempFileScoped()
        yield* fs.writeFileString(file, JSON.stringify(keyFile))
        const robot = yield* done(createFrom("gsc", `@${file}`))
        assert.match(robot, /auth +service_account/)
        assert.include(robot, keyFile.client_email)
        const apiKey = yield* done(createFrom("sitesearch", "-"), { stdin: "{\"api_key\":\"0123456789abcdef\"}" })
        assert.match(apiKey, /auth +api_key/)
      }))

    it.effect.each(
      [
        ["@/no/such/file", "", 2, "/no/such/file cannot be read (NotFound)"],
        ["-", "1//canary", 2, "is not JSON"],
        ["-", "\"1//canary\"", 2, "is not a JSON object"],
        ["-", "{\"refresh_token\":\"1//canary\",\"expires_at\":\"soon\"}", 1, "expires_at"]
      ] as const
    )(
      "refuses the credentials %s with %j on standard input, and prints none",
      ([from, stdin, exitCode, says]) =>
        Effect.gen(function*() {
          const create = ["connection", "create", "gsc", "--label", "x", "--credentials", from]
          assert.notInclude(yield* fails(create, says, { exitCode, stdin }), "canary")
        })
    )

    it.effect("stores no credentials that the provider refuses, except with --no-test", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ status: 400, body: { ErrorCode: 3, Message: "ERROR!!! InvalidApiKey" } }))
        const { client, connection } = yield* seed()
        const stdin = "{\"api_key\":\"0123456789abcdef\"}"
        const create = ["connection", "create", "sitesearch", "--label", "key", "--client", client.id]
        yield* fails([...create, "--credentials", "-"], "credentials_rejected (call_", { stdin })
        const list = ["connection", "ls", "--client", client.id, "--provider", "sitesearch"]
        assert.include(yield* done(list), "No connections")
        yield* done([...create, "--credentials", "-", "--no-test"], { stdin })
        const reconnect = ["connection", "reconnect", connection.id, "--credentials", "-"]
        const expired = { stdin: JSON.stringify(expiredGrant("x")) }
        yield* fails(reconnect, "(call_", expired)
        yield* done([...reconnect, "--no-test"], expired)
      }))

    it.effect("lists connections with their last error, revokes, reconnects and filters them", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        const { client, connection, name } = yield* seed()
        const list = (...flags: ReadonlyArray<string>) =>
          done(["connection", "list", "--client", client.id, "--provider", "gsc", ...flags])
        assert.match(yield* list(), new RegExp(`${connection.id} .*gsc +${name} +oauth +${name} +active +never\n`))
        upstream.handle(() => (response) => response.destroy())
        yield* fails(["connection", "test", connection.id], "upstream_unreachable")
        assert.match(yield* list(), /active +upstream_unreachable 20\d\d-.* at_risk failing +never\n/)

        upstream.handle(() => ({ body: {} }))
        assert.match(yield* done(["connection", "revoke", connection.id]), /status +revoked/)
        assert.include(yield* list("--status", "revoked"), connection.id)
        assert.include(yield* list("--status", "active"), "No connections")
        const stdin = JSON.stringify(freshGrant("reconnected"))
        const reconnected = yield* done(["connection", "reconnect", connection.id, "--credentials", "-"], { stdin })
        assert.match(reconnected, /status +active/)
      }))

    it.effect.each(
      [
        [["connect", "gsc"], "Did you mean `oa connection connect`?"],
        [
          ["client", "creat"],
          "for \"oa client\"\n  Did you mean this?\n    create\nUsage: oa client <subcommand> [flags]"
        ],
        [["connect-link", "delete", "lnk_x"], "for \"oa connect-link\"\nUsage: oa connect-link"],
        [["dataset", "dst_x"], "for \"oa dataset\"\nUsage: oa dataset"],
        [["connection", "create", "gsc"], "Missing required flag: --label\nUsage: oa connection create"],
        [["key", "create", "x", "--member", "mem_x", "--expires", "soon"], "--expires: expected a duration"],
        [["key", "create", "x"], "Pass either --member or --client"],
        [["grant", "update", "gra_x", "--no-budget", "--writes-per-day", "1"], ""],
        [["audit", "--action", "client.create"], "action:"],
        [["logs", "--format", "csv", "--follow"], ""]
      ] as const
    )("ends with 2 and a few lines for the arguments %j", ([args, says]) =>
      Effect.gen(function*() {
        const { exitCode, stderr, stdout } = yield* runOaOnServer(args, { key: "oa_x" })
        assert.deepStrictEqual([exitCode, stdout], [2, ""])
        assert.include(stderr, says)
        assert.isAtMost(stderr.trim().split("\n").length, 5)
      }))

    it.effect("prints the sign-in URL and waits for the connection with --wait", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        upstream.handle(({ url }) =>
          url.startsWith("/googleToken")
            ? { body: { access_token: "ya29.new", expires_in: 3600, refresh_token: "1//new" } }
            : { body: { email: "owner@example.com" } }
        )
        assert.match(yield* done(["connection", "connect", "gsc", "--label", "Acme"]), /^http:\S+state=\S+\n$/)

        const { promise, resolve } = Promise.withResolvers<string>()
        const owner = Effect.gen(function*() {
          const state = new URL(yield* Effect.promise(() => promise)).searchParams.get("state")
          yield* server.request("GET", `/connect/callback?state=${state}&code=granted`)
        })
        const [waited] = yield* Effect.all([
          done(["connection", "connect", "gsc", "--label", "Waited", "--wait"], {
            onOutput: ({ stderr }) => /^http\S+$/m.test(stderr) && resolve(String(/^http\S+$/m.exec(stderr)?.[0]))
          }),
          owner
        ], { concurrency: 2 })
        assert.match(waited, /label +Waited/)
        assert.include(waited, "owner@example.com")
      }))

    it.effect("takes the admin token from the flag, the setting or DATA_DIR, in this order", () =>
      Effect.gen(function*() {
        const { adminToken, url } = yield* TestServer
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped()
        const settings = { OA_URL: url, DATA_DIR: folder }
        const list = ["client", "list"]
        const none = yield* runOa(list, { settings })
        assert.strictEqual(none.exitCode, 4)
        assert.include(none.stderr, `${folder}/admin-token`)

        yield* fs.writeFileString(`${folder}/admin-token`, `${adminToken}\n`)
        assert.strictEqual(yield* exitCodeOf(list, { settings }), 0)
        const wrong = { settings: { ...settings, ADMIN_TOKEN: "wrong" } }
        assert.strictEqual(yield* exitCodeOf(list, wrong), 4)
        assert.strictEqual(yield* exitCodeOf([...list, "--token", `@${folder}/admin-token`], wrong), 0)
        assert.strictEqual(yield* exitCodeOf([...list, "--token", "-"], { ...wrong, stdin: adminToken }), 0)
        const elsewhere = { settings: { OA_URL: "http://oa.invalid", DATA_DIR: folder } }
        assert.strictEqual(yield* exitCodeOf(list, elsewhere), 4, "the token of this server is not sent to another")
      }))
  }
)
