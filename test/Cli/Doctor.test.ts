import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, FileSystem, Layer, Record } from "effect"
import { SqlClient } from "effect/sql"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { checkClock } from "../../src/Cli/Commands/Doctor/NetworkChecks.ts"
import { checkRedirectUri } from "../../src/Cli/Commands/Doctor/SettingsChecks.ts"
import { originsOf } from "../../src/Providers/Provider.ts"
import { providers } from "../../src/Registrations.ts"
import type { Check } from "../../src/Settings.ts"
import { textArray } from "../../src/Sql/BulkStatement.ts"
import { Database } from "../../src/Sql/Database.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { runOa } from "./RunCli.ts"

const runDoctor = Effect.fnUntraced(function*(
  settings: (folder: string) => Readonly<Record<string, string>> = () => ({}),
  args: ReadonlyArray<string> = ["--json"]
) {
  const { url } = yield* LoopbackUpstream
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  const read = new Set<string>()
  const all = {
    OA_URL: url,
    DATA_DIR: folder,
    ...Record.fromEntries(originsOf(providers).map(({ setting }) => [setting, url])),
    ...settings(folder)
  }
  const note = (name: string | symbol) => void read.add(String(name))
  const ran = yield* runOa(["doctor", ...args], {
    settings: new Proxy(all, {
      has: (target, name) => (note(name), Reflect.has(target, name)),
      get: (target, name) => (note(name), Reflect.get(target, name)),
      getOwnPropertyDescriptor: (target, name) => (note(name), Reflect.getOwnPropertyDescriptor(target, name))
    })
  })
  const checks: ReadonlyArray<Check> = args.includes("--json") ? JSON.parse(ran.stdout).checks : []
  return { ...ran, read, checks: Record.fromEntries(checks.map(({ check, ...finding }) => [check, finding])) }
})

const healthy: Handler = () => ({ body: { ok: true } })
const withoutDatabase: Handler = ({ url }) => ({ status: url === "/readyz" ? 500 : 200, body: {} })
const nowhere = "http://127.0.0.1:1"
const bothSet = { DATABASE_URL: "postgres://127.0.0.1:1/none", DATABASE_URL_FILE: "/a/file" }
const google = { GOOGLE_CLIENT_ID: "an-application" }
const unread = { PROVIDER_MODE: "sandbox", GSC_BASE_URL: "none", GOOGLE_CLIENT_FILE: "/none" }
const registered = /^register https:\/\/oa\.example\.com\/connect\/callback with GOOGLE$/

const answerHealthy = Effect.map(LoopbackUpstream, ({ handle }) => handle(healthy))

layer(LoopbackUpstream.layer.pipe(Layer.merge(NodeServices.layer)), { excludeTestServices: true })(
  "oa doctor",
  (it) => {
    it.effect("finds no problem in a new installation and writes no file", () =>
      Effect.gen(function*() {
        yield* answerHealthy
        const fs = yield* FileSystem.FileSystem
        let data = ""
        const { checks, exitCode } = yield* runDoctor((folder) => ({ DATA_DIR: data = `${folder}/new` }))
        assert.deepStrictEqual(Record.map(checks, ({ status }) => status), {
          "address": "ok",
          "providers": "ok",
          "connect links": "ok",
          "encryption keys": "ok",
          "mail": "skipped",
          "admin token": "ok",
          "datasets": "ok",
          "permissions": "skipped",
          "redirect URIs": "skipped",
          "settings": "ok",
          "service": "ok",
          "database": "ok",
          "stored data": "ok",
          "proxy": "ok",
          "clock": "ok",
          "egress": "ok"
        })
        assert.strictEqual(exitCode, 0)
        assert.isFalse(yield* fs.exists(data))
      }))

    it.effect("names each wrong setting and exits with 5", () =>
      Effect.gen(function*() {
        yield* answerHealthy
        const { checks, exitCode } = yield* runDoctor(() => ({
          PORT: "eighty",
          BASE_URL: "https://oa.example.com/v1",
          GSC_BASE_URL: "searchconsole",
          ENCRYPTION_KEYS: "k1:short",
          ADMIN_TOKEN: "short",
          CONNECT_REDIRECT_ORIGINS: "https://app.example.com/path",
          DATASETS_URL: "https://reports",
          CACHE_RETENTION: "soon",
          LOG_RETENTION: "0 days",
          LOG_FORMAT: "xml",
          CALL_PRICE_USD: "free"
        }))
        assert.sameMembers(
          Object.keys(checks).filter((check) => checks[check]?.status === "problem"),
          ["address", "providers", "connect links", "encryption keys", "admin token", "datasets", "settings"]
        )
        assert.strictEqual(checks["address"]?.detail, "PORT: Expected an integer")
        assert.match(checks["providers"]?.detail ?? "", /^GSC_BASE_URL: Expected an absolute/)
        assert.match(checks["connect links"]?.detail ?? "", /^CONNECT_REDIRECT_ORIGINS\.0: Expected an origin/)
        assert.match(checks["datasets"]?.detail ?? "", /^DATASETS_URL: Expected a URL like s3:/)
        assert.include(checks["encryption keys"]?.detail, "entry 1 is not of the form")
        for (const name of ["CACHE_RETENTION", "LOG_RETENTION", "LOG_FORMAT", "CALL_PRICE_USD"]) {
          assert.include(checks["settings"]?.detail, name)
        }
        assert.strictEqual(exitCode, 5)
      }))

    it.effect("reads every setting that the source or the guide names", () =>
      Effect.gen(function*() {
        yield* answerHealthy
        const known: Readonly<Record<string, string>> = {
          OIDC_ISSUER: "https://login.example.com",
          OIDC_CLIENT_ID: "id",
          OIDC_CLIENT_SECRET: "secret",
          DATASETS_URL: "s3://reports",
          AWS_ACCESS_KEY_ID: "id",
          AWS_SECRET_ACCESS_KEY: "secret"
        }
        const { read } = yield* runDoctor(() => known)
        const src = new URL("../../src/", import.meta.url).pathname
        const notStarting = /^(?:Cli|Client|Dashboard|Sandbox\/Providers|Features\/\w+\/Commands)\//
        const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
          .filter((file) => file.endsWith(".ts") && !notStarting.test(file))
          .map((file) => readFileSync(src + file, "utf8"))
        const declared = sources.flatMap((text) =>
          text.match(/(?<=Config\.[^`]{1,200}")[A-Z]+(?:_[A-Z]+)+(?=")/g) ?? []
        )
        const guide = readFileSync(`${src}../docs/operating.md`, "utf8").match(/^\| `[A-Z_`, ]+/gm) ?? []
        const documented = guide.flatMap((row) => row.match(/[A-Z_]{4,}/g) ?? [])
        assert.isAbove(declared.length, 30)
        assert.deepStrictEqual([...declared, ...documented].filter((name) => !read.has(name)), [])
      }))

    it.effect("says that the folder cannot be made, and leaves nothing behind", () =>
      Effect.gen(function*() {
        yield* answerHealthy
        const { checks } = yield* runDoctor((folder) => {
          writeFileSync(`${folder}/file`, "")
          return { DATA_DIR: `${folder}/file/below` }
        })
        for (const check of ["datasets", "permissions"]) {
          assert.strictEqual(checks[check]?.status, "problem")
          assert.match(checks[check]?.detail ?? "", /below, of DATA_DIR, cannot be used/)
        }
      }))

    it.effect.each<[string, Readonly<Record<string, string>>, Handler, Check["status"], RegExp]>([
      ["database", {}, withoutDatabase, "problem", /./],
      ["service", { OA_URL: nowhere }, healthy, "problem", /^nothing answers at http:\/\/127\.0\.0\.1:1$/],
      ["port", { OA_URL: nowhere, HOST: "203.0.113.1" }, healthy, "problem", /^203\.0\.113\.1:8787 is not free/],
      [
        "admin token",
        { ADMIN_TOKEN: "t", ADMIN_TOKEN_FILE: "/t", ...bothSet },
        healthy,
        "problem",
        /^ADMIN_TOKEN and AD/
      ],
      ["settings", bothSet, healthy, "problem", /^DATABASE_URL and DATABASE_URL_FILE are both set/],
      [
        "encryption keys",
        { ENCRYPTION_KEYS_FILE: "/no/keys" },
        healthy,
        "problem",
        /^ENCRYPTION_KEYS_FILE: \/no\/keys/
      ],
      ["egress", { GDOCS_BASE_URL: nowhere }, healthy, "problem", /^no answer from\n\S+:1\n.*PROVIDER_MODE=sandbox/],
      ["providers", unread, healthy, "ok", /sandbox/],
      ["settings", unread, healthy, "ok", /./],
      ["proxy", {}, () => ({ body: { ok: true, warnings: ["untrusted_proxy"] } }), "warning", /TRUSTED_PROXIES/],
      ["clock", {}, () => ({ headers: { date: "Sat, 01 Jan 2000 00:00:00 GMT" } }), "problem", /./],
      ["redirect URIs", { ...google, BASE_URL: "https://oa.example.com/" }, healthy, "ok", registered]
    ])("%s, with %o: $3", ([check, settings, handler, status, detail]) =>
      Effect.gen(function*() {
        const { handle } = yield* LoopbackUpstream
        handle(handler)
        const { checks } = yield* runDoctor(() => settings)
        assert.strictEqual(checks[check]?.status, status)
        assert.match(checks[check]?.detail ?? "", detail)
      }))

    it.each([
      [[0], "ok"],
      [[1, 5], "warning"],
      [[59], "warning"],
      [[60, 1], "problem"]
    ])("rates clock differences of %j seconds: %s", (seconds, status) => {
      assert.strictEqual(checkClock(seconds.map((each) => Duration.seconds(each))).status, status)
    })

    it.each([
      ["https://oa.example.com", "ok"],
      ["http://oa.example.com", "problem"],
      ["https://192.0.2.1", "problem"],
      ["http://127.0.0.1:8787", "warning"]
    ])("rates a redirect URI with the base %s: %s", (base, status) => {
      assert.strictEqual(checkRedirectUri(base).status, status)
    })

    it.effect("names a service that runs on the port, when OA_URL is another", () =>
      Effect.gen(function*() {
        yield* answerHealthy
        const { port } = new URL((yield* LoopbackUpstream).url)
        const { checks } = yield* runDoctor(() => ({ OA_URL: nowhere, PORT: port }))
        assert.deepStrictEqual(checks["port"], {
          status: "warning",
          detail: `a running service answers at http://localhost:${port}; the other checks looked for it at ${nowhere}`
        })
      }))

    it.effect("opens the embedded database of a stopped service, and says when an unreleased version made it", () =>
      Effect.gen(function*() {
        yield* answerHealthy
        const folder = yield* dataFolder
        const stopped = () => ({ DATA_DIR: folder, OA_URL: "http://127.0.0.1:1" })
        assert.deepStrictEqual((yield* runDoctor(stopped)).checks["database"], {
          status: "ok",
          detail: "the embedded database opens"
        })
        yield* SqlClient.SqlClient.use((sql) =>
          sql`UPDATE effect_sql_migrations SET name = 'create_members' WHERE migration_id = 1`
        ).pipe(Effect.provide(Database.layerEmbedded(`${folder}/db`)))
        const { checks, exitCode } = yield* runDoctor(stopped)
        assert.strictEqual(checks["database"]?.status, "problem")
        assert.match(checks["database"]?.detail ?? "", /earlier, unreleased version.*Make a fresh start/s)
        assert.strictEqual(exitCode, 5)
      }))

    it.effect("counts the connections of an embedded database that DATABASE_URL replaces", () =>
      Effect.gen(function*() {
        yield* answerHealthy
        const folder = yield* dataFolder
        const replaced = () => ({ DATA_DIR: folder, DATABASE_URL: "postgres://127.0.0.1:1/none" })
        assert.strictEqual((yield* runDoctor(replaced)).checks["embedded database"]?.status, "ok")
        yield* SqlClient.SqlClient.use((sql) =>
          sql`INSERT INTO connections ${
            sql.insert({
              id: "con_1",
              encryption_key_id: "k1",
              provider: "gsc",
              auth_type: "api_key",
              label: "left behind",
              scopes: textArray([]),
              status: "active",
              version: 1,
              created_at: new Date(0)
            })
          }`
        ).pipe(Effect.provide(Database.layerEmbedded(`${folder}/db`)))
        const finding = (yield* runDoctor(replaced)).checks["embedded database"]
        assert.strictEqual(finding?.status, "warning")
        assert.match(finding?.detail ?? "", /db holds 1 connection, .*start without DATABASE_URL/s)
      }))

    it.effect("names a secret file that others can read and the command that fixes it", () =>
      Effect.gen(function*() {
        yield* answerHealthy
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped()
        const write = (name: string, text: string, mode: number) =>
          fs.writeFileString(`${folder}/${name}`, text, { mode })
        yield* write("encryption-keys", `k1:${Buffer.alloc(32).toString("base64")}`, 0o600)
        yield* write("admin-token", "x".repeat(43), 0o600)
        const closed = yield* runDoctor(() => ({ DATA_DIR: folder }))
        assert.strictEqual(closed.checks["permissions"]?.status, "ok")
        yield* fs.chmod(`${folder}/admin-token`, 0o644)
        const open = yield* runDoctor(() => ({ DATA_DIR: folder }))
        assert.deepStrictEqual(open.checks["permissions"], {
          status: "problem",
          detail: `others can read ${folder}/admin-token: chmod go= ${folder}/admin-token`
        })
        yield* fs.chmod(`${folder}/admin-token`, 0o600)
        yield* fs.makeDirectory(`${folder}/db`, { mode: 0o700 })
        yield* write("db/1", "", 0o644)
        yield* write("db/2", "", 0o640)
        const database = yield* runDoctor(() => ({ DATA_DIR: folder }))
        assert.deepStrictEqual(database.checks["permissions"], {
          status: "problem",
          detail: `others can read 2 files in ${folder}/db: chmod -R go= ${folder}/db`
        })
      }))
  }
)
