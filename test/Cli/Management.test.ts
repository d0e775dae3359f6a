import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { oaBeside, oaWith } from "./RunCli.ts"

const fileWith = Effect.fnUntraced(function*(text: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* fs.makeTempFileScoped()
  yield* fs.writeFileString(path, text)
  return path
})

const createFrom = (credentials: string, stdin: string) =>
  oaBeside(["connection", "create", "gsc", "--label", "x", "--credentials", credentials], { stdin })

layer(TestServer.layer.pipe(Layer.provideMerge(NodeServices.layer)), { excludeTestServices: true })(
  "managing with oa",
  (it) => {
    it.effect("a client, a member, a key and a connection are made one after the other, and the key works", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: { siteEntry: [] } }))
        const made = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
          const ran = yield* oaBeside([...args, "--json"], { stdin: JSON.stringify(freshGrant("made")) })
          assert.strictEqual(ran.exitCode, 0, ran.stderr)
          return JSON.parse(ran.stdout)
        })
        const client = yield* made("client", "create", "Acme")
        const member = yield* made("member", "create", "you@example.com", "--client", client.id)
        const key = yield* made("key", "create", "scripts", "--member", member.id)
        const from = ["--client", client.id, "--credentials", "-"]
        const connection = yield* made("connection", "create", "gsc", "--label", "Acme", ...from)
        assert.deepInclude(member, { email: "you@example.com", client_ids: [client.id] })
        assert.deepInclude(key, { name: "scripts", access: "read_only" })
        assert.deepInclude(connection, { auth_type: "oauth", client_id: client.id, status: "active" })

        const answer = yield* server.call(key.key, { provider: "gsc", endpoint: "sites.list" })
        assert.strictEqual(answer.json.connection_id, connection.id)
        const tested = yield* oaBeside(["connection", "test", connection.id])
        assert.match(tested.stdout, /^ok, \d+ ms\n$/)
      }))

    it.effect("a new key is shown this once, and lists tell keys apart by their last characters", () =>
      Effect.gen(function*() {
        const { member, name } = yield* seed()
        const created = yield* oaBeside(["key", "create", name, "--member", member.id, "--access", "read_write"])
        const [secret] = /oa_[0-9A-Za-z]{38}/.exec(created.stdout) ?? []
        assert.isDefined(secret)
        assert.include(created.stdout, "read_write")

        const listed = yield* oaBeside(["key", "list"])
        assert.notInclude(listed.stdout, String(secret))
        assert.include(listed.stdout, `oa_…${secret?.slice(-4)}`)
      }))

    it.effect("a revoked key is listed as revoked", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { member } = yield* seed()
        const { id } = yield* server.admin("POST", "/keys", { member_id: member.id, name: "leaked" })
        assert.match((yield* oaBeside(["key", "revoke", id])).stdout, /status +revoked 20/)
        assert.match((yield* oaBeside(["key", "ls"])).stdout, new RegExp(`${id} .*leaked.* revoked 20`))
      }))

    it.effect("a member's clients are replaced or lifted, never by accident", () =>
      Effect.gen(function*() {
        const { client, member } = yield* seed()
        const other = yield* seed()
        const change = (...flags: ReadonlyArray<string>) =>
          Effect.map(oaBeside(["member", "change", member.id, "--json", ...flags]), ({ stdout }) => JSON.parse(stdout))
        const both = yield* change("--client", client.id, "--client", other.client.id, "--name", "Ada")
        assert.deepInclude(both, { client_ids: [client.id, other.client.id], name: "Ada" })
        assert.deepInclude(yield* change("--email", "new@example.com"), { client_ids: [client.id, other.client.id] })
        assert.deepInclude(yield* change("--all-clients"), { client_ids: null })
        const nothing = yield* oaBeside(["member", "change", member.id])
        assert.strictEqual(nothing.exitCode, 2)
        const unclear = yield* oaBeside(["member", "change", member.id, "--all-clients", "--client", client.id])
        assert.strictEqual(unclear.exitCode, 2)
      }))

    it.effect("a deleted member is gone, and deleting it again says so", () =>
      Effect.gen(function*() {
        const { member } = yield* seed()
        assert.include((yield* oaBeside(["member", "delete", member.id])).stdout, `${member.id} is deleted`)
        const again = yield* oaBeside(["member", "delete", member.id])
        assert.strictEqual(again.exitCode, 1)
        assert.include(again.stderr, "member_not_found (call_")
      }))

    it.effect("lists are paged: a note says how to go on", () =>
      Effect.gen(function*() {
        yield* oaBeside(["client", "create", "One"])
        yield* oaBeside(["client", "create", "Two"])
        const first = yield* oaBeside(["client", "list", "--limit", "1"])
        assert.include(first.stdout, "Two")
        const [, cursor] = /--cursor (\S+)/.exec(first.stderr) ?? []
        const second = yield* oaBeside(["client", "list", "--limit", "1", "--cursor", String(cursor)])
        assert.include(second.stdout, "One")
        const json = yield* oaBeside(["client", "list", "--limit", "1", "--json"])
        assert.strictEqual(JSON.parse(json.stdout).cursor, cursor)
        assert.strictEqual(json.stderr, "")
      }))

    it.effect("credentials come from a file or standard input, and say themselves what they are", () =>
      Effect.gen(function*() {
        const file = yield* fileWith(JSON.stringify(keyFile))
        const robot = yield* oaBeside(["connection", "create", "gsc", "--label", "robot", "--credentials", `@${file}`])
        assert.match(robot.stdout, /auth +service_account/)
        assert.include(robot.stdout, keyFile.client_email)
        const apiKey = yield* oaBeside(
          ["connection", "create", "sitesearch", "--label", "key", "--credentials", "-"],
          { stdin: "{\"api_key\":\"0123456789abcdef\"}" }
        )
        assert.match(apiKey.stdout, /auth +api_key/)
      }))

    it.effect("credentials on the command line are refused, and no message repeats a secret", () =>
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

    it.effect("a connection is reconnected under its id, revoked, and found by its state", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({}))
        const { client, connection } = yield* seed()
        const list = (status: string) =>
          oaBeside(["connection", "list", "--status", status, "--client", client.id, "--provider", "gsc"])
        assert.match((yield* oaBeside(["connection", "revoke", connection.id])).stdout, /status +revoked/)
        assert.include((yield* list("revoked")).stdout, connection.id)
        assert.include((yield* list("active")).stdout, "No connections")
        const back = yield* oaBeside(["connection", "reconnect", connection.id, "--credentials", "-"], {
          stdin: JSON.stringify(freshGrant("back"))
        })
        assert.match(back.stdout, /status +active/)
        assert.include((yield* list("active")).stdout, connection.id)
      }))

    it.effect("connect prints the owner's URL, and waits for the connection when told to", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        upstream.handle(({ url }) =>
          url.startsWith("/googleToken")
            ? { body: { access_token: "ya29.new", expires_in: 3600, refresh_token: "1//new" } }
            : { body: { email: "owner@example.com" } }
        )
        const printed = yield* oaBeside(["connection", "connect", "gsc", "--label", "Acme"])
        assert.match(printed.stdout, /^http:\S+state=\S+\n$/)

        const { promise, resolve } = Promise.withResolvers<string>()
        const owner = Effect.gen(function*() {
          const state = new URL(yield* Effect.promise(() => promise)).searchParams.get("state")
          yield* server.request("GET", `/connect/callback?state=${state}&code=granted`)
        })
        const [waited] = yield* Effect.all([
          oaBeside(["connection", "connect", "gsc", "--label", "Waited", "--wait"], {
            onOutput: ({ stderr }) => /^http\S+$/m.test(stderr) && resolve(String(/^http\S+$/m.exec(stderr)?.[0]))
          }),
          owner
        ], { concurrency: 2 })
        assert.strictEqual(waited.exitCode, 0)
        assert.match(waited.stdout, /label +Waited/)
        assert.include(waited.stdout, "owner@example.com")
      }))

    it.effect("the credential is looked for in the flag, the setting and the server's own file, in this order", () =>
      Effect.gen(function*() {
        const { adminToken, url } = yield* TestServer
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped()
        const list = ["client", "list"]
        const none = yield* oaWith(list, { settings: { OA_URL: url, DATA_DIR: folder } })
        assert.strictEqual(none.exitCode, 4)
        assert.include(none.stderr, `${folder}/admin-token`)

        yield* fs.writeFileString(`${folder}/admin-token`, `${adminToken}\n`)
        assert.strictEqual((yield* oaWith(list, { settings: { OA_URL: url, DATA_DIR: folder } })).exitCode, 0)
        const wrong = { OA_URL: url, DATA_DIR: folder, ADMIN_TOKEN: "wrong" }
        assert.strictEqual((yield* oaWith(list, { settings: wrong })).exitCode, 4)
        const flag = [...list, "--token", `@${folder}/admin-token`]
        assert.strictEqual((yield* oaWith(flag, { settings: wrong })).exitCode, 0)
        const stdin = { settings: wrong, stdin: adminToken }
        assert.strictEqual((yield* oaWith([...list, "--token", "-"], stdin)).exitCode, 0)

        const elsewhere = yield* oaWith(list, { settings: { OA_URL: "http://oa.invalid", DATA_DIR: folder } })
        assert.strictEqual(elsewhere.exitCode, 4, "the token of this server is not sent to another")
      }))
  }
)
