import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { eventTypes } from "../../src/Domain/Events/EventType.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { newGrant } from "../support/NewGrant.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { expiredGrant, freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { runOa, runOaOnServer } from "./RunCli.ts"

const fileWith = Effect.fnUntraced(function*(text: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* fs.makeTempFileScoped()
  yield* fs.writeFileString(path, text)
  return path
})

const createFrom = (credentials: string, stdin: string) =>
  runOaOnServer(["connection", "create", "gsc", "--label", "x", "--credentials", credentials], { stdin })

const createLink = (...flags: ReadonlyArray<string>) => runOaOnServer(["connect-link", "create", ...flags])

const created = (...args: ReadonlyArray<string>) =>
  Effect.map(runOaOnServer([...args, "--json"]), ({ stdout }) => JSON.parse(stdout))

const addMember = (email: string, options: object) =>
  runOaOnServer(["member", "create", email], { terminal: true, ...options })

layer(TestServer.layer.pipe(Layer.provideMerge(NodeServices.layer)), { excludeTestServices: true })(
  "oa client, member, key and connection",
  (it) => {
    it.effect("creates a client, a member, a connection and a key that works", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: { siteEntry: [] } }))
        const create = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
          const ran = yield* runOaOnServer([...args, "--json"], { stdin: JSON.stringify(freshGrant("created")) })
          assert.strictEqual(ran.exitCode, 0, ran.stderr)
          return JSON.parse(ran.stdout)
        })
        const client = yield* create("client", "create", "Acme")
        const member = yield* create("member", "create", "you@example.com", "--client", client.id)
        const key = yield* create("key", "create", "scripts", "--member", member.id)
        const from = ["--client", client.id, "--credentials", "-"]
        const connection = yield* create("connection", "create", "gsc", "--label", "Acme", ...from)
        assert.deepInclude(member, { email: "you@example.com", client_ids: [client.id] })
        assert.deepInclude(key, { name: "scripts", access: "read_only" })
        assert.deepInclude(connection, { auth_type: "oauth", client_id: client.id, status: "active" })

        const answer = yield* server.api(key.key).call.call({ payload: { provider: "gsc", endpoint: "sites.list" } })
        assert.strictEqual(answer.connection_id, connection.id)
        const tested = yield* runOaOnServer(["connection", "test", connection.id])
        assert.match(tested.stdout, /^ok, \d+ ms\n$/)
      }))

    it.effect("creates a connect link, shows its URL once, lists and ends it", () =>
      Effect.gen(function*() {
        const { client, connection } = yield* seed()
        const created = yield* createLink("--client", client.id, "--provider", "ga4", "--expires-in", "2 days")
        const [url] = /http\S+\/connect\/oac_[\w-]{43}/.exec(created.stdout) ?? []
        assert.isDefined(url, created.stderr)
        const listed = yield* runOaOnServer(["connect-link", "ls", "--json"])
        const { connect_links: [link] } = JSON.parse(listed.stdout)
        assert.deepInclude(link, { client_id: client.id, providers: ["ga4"], status: "open" })
        assert.strictEqual(Date.parse(link.expires_at) - Date.parse(link.created_at), 2 * 86_400_000)
        assert.notInclude(listed.stdout, "oac_")
        assert.match((yield* runOaOnServer(["connect-link", "end", link.id])).stdout, /status +ended/)
        const again = yield* createLink("--connection", connection.id, "--json")
        assert.deepInclude(JSON.parse(again.stdout), { connection_id: connection.id, providers: ["gsc"] })
        assert.include(
          (yield* createLink("--client", client.id, "--redirect", "https://x.example")).stderr,
          "redirect_url"
        )
        assert.strictEqual((yield* createLink("--client", client.id, "--expires-in", "soon")).exitCode, 2)
      }))

    it.effect("reads the same durations and times as expiry of a key and of a link", () =>
      Effect.gen(function*() {
        const { client, member } = yield* seed()
        const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
        for (const expires of [["--expires", "1 day"], ["--expires-in", "1 day"], ["--expires", tomorrow]]) {
          for (
            const made of [
              yield* created("key", "create", "scripts", "--member", member.id, ...expires),
              yield* created("connect-link", "create", "--client", client.id, ...expires)
            ]
          ) {
            assert.closeTo(Date.parse(made.expires_at), Date.parse(tomorrow), 60_000)
          }
        }
        const soon = yield* runOaOnServer(["key", "create", "scripts", "--member", member.id, "--expires", "soon"])
        assert.strictEqual(soon.exitCode, 2)
        assert.include(soon.stderr, "--expires: expected a duration")
      }))

    it.effect("asks on a terminal which clients a member sees, and names the flag that a deletion needs", () =>
      Effect.gen(function*() {
        const { client } = yield* seed()
        // The newest client comes after the two lines that choose all or the inverse.
        const asked = yield* addMember("asked@example.com", { keys: ["down", "down", "space", "enter"] })
        assert.include(asked.stdout, client.id, asked.stderr)
        const unasked = yield* addMember("unasked@example.com", {})
        assert.include(unasked.stderr, "The member sees no client yet")
        const refused = yield* runOaOnServer(["client", "delete", client.id])
        assert.include(refused.stderr, "with --revoke.")
      }))

    it.effect("creates, changes, lists and deletes a webhook, and refuses a private one", () =>
      Effect.gen(function*() {
        const url = "https://hooks.invalid/oa"
        const created = yield* runOaOnServer(["webhook", "create", url, "--event", "key.created"])
        const [id = ""] = /whk_\w+/.exec(created.stdout) ?? []
        assert.match(created.stdout, /\nwhsec_\S{44}\n/)
        const all = yield* runOaOnServer(["webhook", "create", url, "--json"])
        assert.lengthOf(JSON.parse(all.stdout).events, eventTypes.length)
        yield* runOaOnServer(["webhook", "delete", JSON.parse(all.stdout).id])
        const updated = yield* runOaOnServer(["webhook", "update", id, "--off", "--event", "grant.created", "--json"])
        assert.deepInclude(JSON.parse(updated.stdout), { id, enabled: false, events: ["grant.created"] })
        const tested = yield* runOaOnServer(["webhook", "test", id, "--json"])
        const delivery: string = JSON.parse(tested.stdout).id
        const deliveries = yield* runOaOnServer(["webhook", "deliveries", id])
        assert.match(deliveries.stdout, new RegExp(`test +pending +.* ${delivery}`))
        const again = yield* runOaOnServer(["webhook", "redeliver", id, delivery])
        assert.include(again.stdout, `${delivery} is on its way`)
        assert.match((yield* runOaOnServer(["webhook", "list"])).stdout, new RegExp(`${id}.*grant\\.created +off`))
        assert.include((yield* runOaOnServer(["webhook", "delete", id])).stdout, `${id} is deleted`)

        const refused = yield* runOaOnServer(["webhook", "create", "https://127.0.0.1/"])
        assert.strictEqual(refused.exitCode, 1)
        assert.include(refused.stderr, "url: 127.0.0.1 is not a public address")
        assert.strictEqual((yield* runOaOnServer(["webhook", "update", id])).exitCode, 2)
        assert.strictEqual((yield* runOaOnServer(["webhook", "update", id, "--on", "--off"])).exitCode, 2)
      }))

    it.effect("shows a new key once and lists keys by their last characters", () =>
      Effect.gen(function*() {
        const { member, name } = yield* seed()
        const created = yield* runOaOnServer(["key", "create", name, "--member", member.id, "--access", "read_write"])
        const [secret] = /oa_[0-9A-Za-z]{38}/.exec(created.stdout) ?? []
        assert.isDefined(secret)
        assert.include(created.stdout, "read_write")

        const listed = yield* runOaOnServer(["key", "list"])
        assert.notInclude(listed.stdout, String(secret))
        assert.include(listed.stdout, `oa_…${secret?.slice(-4)}`)
      }))

    it.effect("makes an admin, and a link with which it signs in", () =>
      Effect.gen(function*() {
        const { admin, request } = yield* TestServer
        const created = yield* runOaOnServer(["member", "create", "Root@example.com", "--role", "admin"])
        assert.include(created.stdout, "admin")
        const made = yield* runOaOnServer(["member", "link", "root@example.com"])
        const [url = ""] = /^http\S+/.exec(made.stdout) ?? []
        const opened = yield* request("POST", "/auth/link", { body: { token: new URL(url).hash.slice(1) } })
        assert.strictEqual(opened.status, 200)
        assert.include(opened.text, "\"role\":\"admin\"")

        const other = yield* admin.members.create({ payload: { email: "second@example.com", role: "admin" } })
        const changed = yield* runOaOnServer(["member", "change", other.id, "--role", "member", "--json"])
        assert.deepInclude(JSON.parse(changed.stdout), { role: "member" })
        const unknown = yield* runOaOnServer(["member", "link", "nobody@example.com"])
        assert.strictEqual(unknown.exitCode, 1)
        assert.include(unknown.stderr, "nobody@example.com")
      }))

    it.effect("lists a revoked key as revoked", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { member } = yield* seed()
        const { id } = yield* server.admin.keys.create({ payload: { member_id: member.id, name: "leaked" } })
        assert.match((yield* runOaOnServer(["key", "revoke", id])).stdout, /status +revoked 20/)
        assert.match((yield* runOaOnServer(["key", "ls"])).stdout, new RegExp(`${id} .*leaked.* revoked 20`))
      }))

    it.effect("lists, updates and revokes grants of agents", () =>
      Effect.gen(function*() {
        const { connection, member } = yield* seed()
        const { grant } = yield* newGrant({ memberId: member.id })
        assert.match(
          (yield* runOaOnServer(["grant", "ls"])).stdout,
          new RegExp(`${grant.id} +Reporter .* all +never +active`)
        )
        const update = (...flags: ReadonlyArray<string>) => runOaOnServer(["grant", "update", grant.id, ...flags])
        const both = yield* update("--access", "read_write", "--connection", connection.id, "--json")
        assert.deepInclude(JSON.parse(both.stdout), { access: "read_write", connection_ids: [connection.id] })
        const all = JSON.parse((yield* update("--all-connections", "--json")).stdout)
        assert.deepInclude(all, { access: "read_write", connection_ids: null })
        const careful = ["--resource", "ga4:123", "--writes", "ask", "--no-undo", "--calls-per-day", "5"]
        assert.deepInclude(JSON.parse((yield* update(...careful, "--json")).stdout), {
          resources: ["ga4:properties/123"],
          writes: "ask",
          undo: false,
          budget: { calls_per_day: 5 }
        })
        assert.match(
          (yield* runOaOnServer(["grant", "ls"])).stdout,
          /asks before writes[^]*ga4:properties\/123[^]*5 calls a day/
        )
        assert.deepInclude(JSON.parse((yield* update("--all-resources", "--no-budget", "--json")).stdout), {
          resources: null,
          writes: "ask",
          budget: null
        })
        assert.strictEqual((yield* update("--no-budget", "--writes-per-day", "1")).exitCode, 2)
        assert.strictEqual((yield* update()).exitCode, 2)
        assert.strictEqual((yield* update("--all-connections", "--connection", connection.id)).exitCode, 2)
        assert.include((yield* update("--connection", "con_x")).stderr, "connection_not_found (call_")
        assert.match((yield* runOaOnServer(["grant", "revoke", grant.id])).stdout, /status +revoked 20/)
        const again = yield* update("--access", "read_only")
        assert.strictEqual(again.exitCode, 1)
        assert.include(again.stderr, "The grant is revoked")
        assert.include((yield* runOaOnServer(["grant", "revoke", "gra_x"])).stderr, "grant_not_found (call_")
      }))

    it.effect("makes and changes a key and a connection with limits", () =>
      Effect.gen(function*() {
        const { connection, member } = yield* seed()
        const limits = ["--access", "read_write", "--writes", "ask", "--undo", "--writes-per-day", "3"]
        const make = ["key", "create", "careful", "--member", member.id, ...limits, "--resource", "gdocs:created"]
        const made = JSON.parse((yield* runOaOnServer([...make, "--json"])).stdout)
        assert.deepInclude(made, {
          writes: "ask",
          undo: true,
          resources: ["gdocs:created"],
          budget: { writes_per_day: 3 }
        })
        const change = ["key", "change", made.id, "--writes", "allow", "--no-undo", "--all-resources", "--no-budget"]
        assert.deepInclude(JSON.parse((yield* runOaOnServer([...change, "--json"])).stdout), {
          name: "careful",
          writes: "allow",
          undo: false,
          resources: null,
          budget: null
        })
        const bound = ["connection", "change", connection.id, "--resource", "gsc:sc-domain:acme.com", "--json"]
        assert.deepStrictEqual(JSON.parse((yield* runOaOnServer(bound)).stdout).resources, ["gsc:sc-domain:acme.com"])
        const free = ["connection", "change", connection.id, "--all-resources", "--json"]
        assert.isNull(JSON.parse((yield* runOaOnServer(free)).stdout).resources)
      }))

    it.effect("keeps a member's clients unless a flag changes them", () =>
      Effect.gen(function*() {
        const { client, member } = yield* seed()
        const other = yield* seed()
        const change = (...flags: ReadonlyArray<string>) =>
          Effect.map(runOaOnServer(["member", "change", member.id, "--json", ...flags]), ({ stdout }) =>
            JSON.parse(stdout))
        const both = yield* change("--client", client.id, "--client", other.client.id, "--name", "Ada")
        assert.deepInclude(both, { client_ids: [client.id, other.client.id], name: "Ada" })
        assert.deepInclude(yield* change("--email", "new@example.com"), { client_ids: [client.id, other.client.id] })
        assert.deepInclude(yield* change("--all-clients"), { client_ids: null })
        const nothing = yield* runOaOnServer(["member", "change", member.id])
        assert.strictEqual(nothing.exitCode, 2)
        const unclear = yield* runOaOnServer(["member", "change", member.id, "--all-clients", "--client", client.id])
        assert.strictEqual(unclear.exitCode, 2)
      }))

    it.effect("reports a deleted member as not found", () =>
      Effect.gen(function*() {
        const { member } = yield* seed()
        assert.include((yield* runOaOnServer(["member", "delete", member.id])).stdout, `${member.id} is deleted`)
        const again = yield* runOaOnServer(["member", "delete", member.id])
        assert.strictEqual(again.exitCode, 1)
        assert.include(again.stderr, "member_not_found (call_")
      }))

    it.effect("lists who changed what", () =>
      Effect.gen(function*() {
        const { client } = yield* seed()
        const listed = yield* runOaOnServer(["audit", "--subject", client.id])
        assert.match(
          listed.stdout,
          new RegExp(`token +client.created +${client.id} +127.0.0.1 +\\{"name":"${client.name}"\\}`)
        )
        const none = yield* runOaOnServer(["audit", "--subject", client.id, "--until", client.created_at.toISOString()])
        assert.include(none.stdout, "No entries.")
        const wrong = yield* runOaOnServer(["audit", "--action", "client.create", "--since", "yesterday"])
        assert.strictEqual(wrong.exitCode, 2)
        assert.include(wrong.stderr, "action:")
        assert.include(wrong.stderr, "since:")
      }))

    it.effect("exports calls and the audit as lines, without a limit", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { client, readOnly } = yield* seed()
        yield* server.call(readOnly, { provider: "gsc", endpoint: "x" })
        const audit = yield* runOaOnServer(["audit", "--subject", client.id, "--format", "csv"])
        assert.match(audit.stdout, new RegExp(`^id,at,.*\r\naud_.*,client.created,client,${client.id},`))
        const calls = yield* runOaOnServer(["logs", "--format", "ndjson"], { key: readOnly })
        assert.deepInclude(JSON.parse(calls.stdout), { provider: "gsc", error_code: "endpoint_not_found" })
        const all = yield* runOaOnServer(["logs", "--all", "--provider", "gsc", "--format", "csv"])
        assert.include(all.stdout, JSON.parse(calls.stdout).id)
        const limited = yield* runOaOnServer(["logs", "--format", "csv", "--limit", "5"], { key: readOnly })
        assert.strictEqual(limited.exitCode, 1)
        assert.include(limited.stderr, "limit: An export has no limit")
        const followed = yield* runOaOnServer(["logs", "--format", "csv", "--follow"], { key: readOnly })
        assert.strictEqual(followed.exitCode, 2)
      }))

    it.effect("prints the cursor of the next page", () =>
      Effect.gen(function*() {
        yield* runOaOnServer(["client", "create", "One"])
        yield* runOaOnServer(["client", "create", "Two"])
        const first = yield* runOaOnServer(["client", "list", "--limit", "1"])
        assert.include(first.stdout, "Two")
        const [, cursor] = /--cursor (\S+)/.exec(first.stderr) ?? []
        const second = yield* runOaOnServer(["client", "list", "--limit", "1", "--cursor", String(cursor)])
        assert.include(second.stdout, "One")
        const json = yield* runOaOnServer(["client", "list", "--limit", "1", "--json"])
        assert.strictEqual(JSON.parse(json.stdout).cursor, cursor)
        assert.strictEqual(json.stderr, "")
      }))

    it.effect("reads credentials from a file or standard input and recognizes their type", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: { access_token: "ya29.robot-0123456789", expires_in: 3599 } }))
        const file = yield* fileWith(JSON.stringify(keyFile))
        const serviceAccount = yield* runOaOnServer([
          "connection",
          "create",
          "gsc",
          "--label",
          "robot",
          "--credentials",
          `@${file}`
        ])
        assert.match(serviceAccount.stdout, /auth +service_account/)
        assert.include(serviceAccount.stdout, keyFile.client_email)
        const apiKey = yield* runOaOnServer(
          ["connection", "create", "sitesearch", "--label", "key", "--credentials", "-"],
          { stdin: "{\"api_key\":\"0123456789abcdef\"}" }
        )
        assert.match(apiKey.stdout, /auth +api_key/)
      }))

    it.effect("refuses credentials on the command line and never prints a secret", () =>
      Effect.gen(function*() {
        for (
          const [source, stdin, says] of [
            ["{\"refresh_token\":\"1//canary\"}", "", "takes @file or -"],
            ["@/no/such/file", "", "/no/such/file cannot be read (NotFound)"],
            ["-", "1//canary", "is not JSON"],
            ["-", "{\"refresh_token\":\"1//canary", "is not JSON"],
            ["-", "\"1//canary\"", "is not a JSON object"],
            ["-", "[\"1//canary\"]", "is not a JSON object"]
          ] as const
        ) {
          const ran = yield* createFrom(source, stdin)
          assert.strictEqual(ran.exitCode, 2)
          assert.include(ran.stderr, says)
          assert.notInclude(ran.stdout + ran.stderr, "canary")
        }
        const refused = yield* createFrom("-", "{\"refresh_token\":\"1//canary\",\"expires_at\":\"soon\"}")
        assert.strictEqual(refused.exitCode, 1)
        assert.include(refused.stderr, "expires_at")
        assert.notInclude(refused.stderr, "canary")
      }))

    it.effect("stores no credentials that the provider refuses, except with --no-test", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ status: 400, body: { ErrorCode: 3, Message: "ERROR!!! InvalidApiKey" } }))
        const { client, connection } = yield* seed()
        const stdin = "{\"api_key\":\"0123456789abcdef\"}"
        const create = ["connection", "create", "sitesearch", "--label", "key", "--client", client.id]
        const list = runOaOnServer(["connection", "ls", "--client", client.id, "--provider", "sitesearch"])
        const refused = yield* runOaOnServer([...create, "--credentials", "-"], { stdin })
        assert.strictEqual(refused.exitCode, 1)
        assert.include(refused.stderr, "credentials_rejected (call_")
        assert.include((yield* list).stdout, "No connections")

        const stored = yield* runOaOnServer([...create, "--credentials", "-", "--no-test"], { stdin })
        assert.strictEqual(stored.exitCode, 0, stored.stderr)
        const reconnect = ["connection", "reconnect", connection.id, "--credentials", "-"]
        const expired = { stdin: JSON.stringify(expiredGrant("x")) }
        assert.strictEqual((yield* runOaOnServer(reconnect, expired)).exitCode, 1)
        assert.strictEqual((yield* runOaOnServer([...reconnect, "--no-test"], expired)).exitCode, 0)
      }))

    it.effect("lists connections with their authentication, client name and last error", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        const { client, connection, name } = yield* seed()
        const ls = Effect.map(
          runOaOnServer(["connection", "ls", "--client", client.id]),
          ({ stdout }) => stdout.split("\n").find((line) => line.includes(connection.id))
        )
        assert.match(`${yield* ls}`, new RegExp(`gsc +${name} +oauth +${name} +active +never$`))
        upstream.handle(() => (response) => response.destroy())
        assert.strictEqual((yield* runOaOnServer(["connection", "test", connection.id])).exitCode, 1)
        assert.match(`${yield* ls}`, /active +upstream_unreachable 20\d\d-.* at_risk failing +never$/)
      }))

    it.effect("revokes, reconnects and filters connections", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: {} }))
        const { client, connection } = yield* seed()
        const list = (status: string) =>
          runOaOnServer(["connection", "list", "--status", status, "--client", client.id, "--provider", "gsc"])
        assert.match((yield* runOaOnServer(["connection", "revoke", connection.id])).stdout, /status +revoked/)
        assert.include((yield* list("revoked")).stdout, connection.id)
        assert.include((yield* list("active")).stdout, "No connections")
        const reconnected = yield* runOaOnServer(["connection", "reconnect", connection.id, "--credentials", "-"], {
          stdin: JSON.stringify(freshGrant("reconnected"))
        })
        assert.match(reconnected.stdout, /status +active/)
        assert.include((yield* list("active")).stdout, connection.id)
      }))

    it.effect("names the command in a few lines where the arguments are wrong", () =>
      Effect.gen(function*() {
        for (
          const [args, says] of [
            [["connect", "gsc"], "Did you mean `oa connection connect`?"],
            [["connection", "create", "gsc"], "Missing required flag: --label\nUsage: oa connection create"],
            [["key", "create", "x", "--access", "all"], "Help:  oa key create --help"]
          ] as const
        ) {
          const { exitCode, stderr, stdout } = yield* runOaOnServer(args)
          assert.deepStrictEqual([exitCode, stdout], [2, ""])
          assert.include(stderr, says)
          assert.isAtMost(stderr.trim().split("\n").length, 5)
        }
        const { exitCode, stdout } = yield* runOaOnServer(["connection", "create", "--help"])
        assert.strictEqual(exitCode, 0)
        assert.include(stdout, "EXAMPLES")
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
        const printed = yield* runOaOnServer(["connection", "connect", "gsc", "--label", "Acme"])
        assert.match(printed.stdout, /^http:\S+state=\S+\n$/)

        const { promise, resolve } = Promise.withResolvers<string>()
        const owner = Effect.gen(function*() {
          const state = new URL(yield* Effect.promise(() => promise)).searchParams.get("state")
          yield* server.request("GET", `/connect/callback?state=${state}&code=granted`)
        })
        const [waited] = yield* Effect.all([
          runOaOnServer(["connection", "connect", "gsc", "--label", "Waited", "--wait"], {
            onOutput: ({ stderr }) => /^http\S+$/m.test(stderr) && resolve(String(/^http\S+$/m.exec(stderr)?.[0]))
          }),
          owner
        ], { concurrency: 2 })
        assert.strictEqual(waited.exitCode, 0)
        assert.match(waited.stdout, /label +Waited/)
        assert.include(waited.stdout, "owner@example.com")
      }))

    it.effect("takes the admin token from the flag, the setting or DATA_DIR, in this order", () =>
      Effect.gen(function*() {
        const { adminToken, url } = yield* TestServer
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped()
        const list = ["client", "list"]
        const none = yield* runOa(list, { settings: { OA_URL: url, DATA_DIR: folder } })
        assert.strictEqual(none.exitCode, 4)
        assert.include(none.stderr, `${folder}/admin-token`)

        yield* fs.writeFileString(`${folder}/admin-token`, `${adminToken}\n`)
        assert.strictEqual((yield* runOa(list, { settings: { OA_URL: url, DATA_DIR: folder } })).exitCode, 0)
        const wrong = { OA_URL: url, DATA_DIR: folder, ADMIN_TOKEN: "wrong" }
        assert.strictEqual((yield* runOa(list, { settings: wrong })).exitCode, 4)
        const flag = [...list, "--token", `@${folder}/admin-token`]
        assert.strictEqual((yield* runOa(flag, { settings: wrong })).exitCode, 0)
        const stdin = { settings: wrong, stdin: adminToken }
        assert.strictEqual((yield* runOa([...list, "--token", "-"], stdin)).exitCode, 0)

        const elsewhere = yield* runOa(list, { settings: { OA_URL: "http://oa.invalid", DATA_DIR: folder } })
        assert.strictEqual(elsewhere.exitCode, 4, "the token of this server is not sent to another")
      }))
  }
)
