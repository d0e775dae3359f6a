import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { runOaOnServer } from "./RunCli.ts"

const sites = { siteEntry: [{ siteUrl: "sc-domain:example.com", permissionLevel: "siteOwner" }] }

/** A key, and `oa` with it, against a provider that lists one site. */
const start = Effect.gen(function*() {
  const upstream = yield* LoopbackUpstream
  upstream.handle(() => ({ body: sites }))
  const seeded = yield* seed()
  const { readOnly: key } = seeded
  const run = (...args: ReadonlyArray<string>) => runOaOnServer(args, { key })
  const done = (...args: ReadonlyArray<string>) =>
    Effect.map(run(...args), ({ exitCode, stderr, stdout }) => {
      assert.strictEqual(exitCode, 0, stderr)
      return stdout
    })
  return { ...seeded, done, key, run, upstream }
})

const search = (args: ReadonlyArray<string>, stdin: string, options: { readonly key?: string }) =>
  runOaOnServer(["logs", "--secret", "-", ...args], { stdin, ...options })

layer(TestServer.layer.pipe(Layer.provideMerge(NodeServices.layer)), { excludeTestServices: true })(
  "oa call, oa providers and oa logs",
  (it) => {
    it.effect("prints the data on standard output, and the call id and where it comes from on standard error", () =>
      Effect.gen(function*() {
        const { connection, run, upstream } = yield* start
        const called = yield* run("call", "gsc", "sites.list")
        assert.strictEqual(called.exitCode, 0)
        assert.deepStrictEqual(JSON.parse(called.stdout), sites)
        assert.match(called.stderr, new RegExp(`^call_\\S+ through ${connection.id}, \\d+ ms, \\$0\n$`))

        const json = yield* run("call", "gsc", "sites.list", "--json")
        assert.deepInclude(JSON.parse(json.stdout), { connection_id: connection.id, cached: false, data: sites })
        assert.strictEqual(json.stderr, "")
        const cached = yield* run("call", "gsc", "sites.list", "--endpoint", "--max-age", "60")
        assert.include(cached.stderr, "through the cache")
        assert.lengthOf(upstream.requests, 2)
      }))

    it.effect("prints a part or a table, keeps it, and asks it with SQL", () =>
      Effect.gen(function*() {
        const { done, run, upstream } = yield* start
        const call = ["call", "gsc", "sites.list"]
        assert.strictEqual(yield* done(...call, "--select", "siteEntry[0].siteUrl"), "\"sc-domain:example.com\"\n")
        const csv = "siteUrl,permissionLevel\r\nsc-domain:example.com,siteOwner\r\n"
        assert.strictEqual(yield* done(...call, "--format", "csv"), csv)
        const table = /^SITEURL +PERMISSIONLEVEL\nsc-domain:example\.com +siteOwner\n$/
        assert.match(yield* done(...call, "--format", "table"), table)
        const { result } = JSON.parse(yield* done(...call, "--keep"))
        assert.include(yield* done("results", "list"), result.id)
        assert.strictEqual(yield* done("results", "show", result.id), csv)
        const query = ["results", "query", result.id, "SELECT count(*) AS n FROM result", "--format", "markdown"]
        assert.strictEqual(yield* done(...query), "| n |\n| ---: |\n| 1 |\n")
        yield* done("results", "delete", result.id)
        assert.include(yield* done("results", "list"), "No kept results")

        upstream.handle(() => ({ body: { rows: [{ keys: [], clicks: 1 }] } }))
        const body = { startDate: "2026-01-01", endDate: "2026-01-31", rowLimit: 1 }
        const input = JSON.stringify({ path: { siteUrl: "sc-domain:example.com" }, body })
        const part = yield* run("call", "gsc", "searchanalytics.query", "--input", input, "--format", "csv")
        assert.strictEqual(part.stdout, "clicks\r\n1\r\n")
        assert.match(part.stderr, /^These rows are a part of what there is: next_offset 1\.\n/)
      }))

    it.effect("reads input from the command line, a file or standard input", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const { key, upstream } = yield* start
        const input = JSON.stringify({ path: { siteUrl: "sc-domain:example.com" } })
        const file = yield* fs.makeTempFileScoped()
        yield* fs.writeFileString(file, input)
        for (const [source, stdin] of [[input, ""], [`@${file}`, ""], ["-", input]] as const) {
          const called = yield* runOaOnServer(["call", "gsc", "sites.get", "--input", source], { key, stdin })
          assert.strictEqual(called.exitCode, 0, called.stderr)
          assert.include(upstream.requests.at(-1)?.url, "sc-domain%3Aexample.com")
        }
      }))

    it.effect("recognizes by its name whether an operation is a raw endpoint or a smart tool", () =>
      Effect.gen(function*() {
        const { reader, run } = yield* start
        yield* run("call", "gsc", "gsc_top_queries", "--input", "{\"site\":\"example.com\"}")
        const { calls } = yield* reader.logs.list({ query: { limit: 1 } })
        assert.strictEqual(calls[0]?.target, "tool:gsc_top_queries")

        const unknown = yield* run("call", "gsc", "sites.lst")
        assert.strictEqual(unknown.exitCode, 2)
        assert.include(unknown.stderr, "\"gsc\" has no operation \"sites.lst\"; `oa providers show gsc` lists them")
        const flagged = yield* run("call", "gsc", "sites.lst", "--endpoint")
        assert.strictEqual(flagged.exitCode, 1)
        assert.include(flagged.stderr, "endpoint_not_found (call_")
      }))

    it.effect("sends the Idempotency-Key of a write", () =>
      Effect.gen(function*() {
        const { handle, requests } = yield* LoopbackUpstream
        handle(() => ({ body: { spreadsheetId: "1" } }))
        const { readWrite: key } = yield* seed({ provider: "gsheets" })
        const input = JSON.stringify({ path: { spreadsheetId: "1AbCdEfGhIjKlMnOpQrStUvWxYz", range: "A1" } })
        const clear = (name: string) =>
          runOaOnServer(["call", "gsheets", "values.clear", "--input", input, "--idempotency-key", name], { key })
        const first = yield* clear("k")
        assert.strictEqual(first.exitCode, 0, first.stderr)
        assert.strictEqual((yield* clear("k")).stderr, first.stderr)
        assert.lengthOf(requests, 1)
        const invalid = yield* clear("a b")
        assert.strictEqual(invalid.exitCode, 2)
        assert.include(invalid.stderr, "idempotency-key: Expected 1 to 255 visible ASCII characters")
      }))

    it.effect("prints an error with its code, call id and details, as JSON with --json", () =>
      Effect.gen(function*() {
        const { connect, connection, run, upstream } = yield* start
        const body = { error: { code: 418, message: "I'm a \u001b[31mteapot", status: "UNKNOWN" } }
        upstream.handle(() => ({ status: 418, body }))
        const human = yield* run("call", "gsc", "sites.list", "--endpoint")
        assert.deepStrictEqual([human.exitCode, human.stdout], [1, ""])
        assert.include(human.stderr, "upstream_error (call_")
        assert.include(human.stderr, "\"status\": \"UNKNOWN\"")
        assert.notInclude(human.stderr, "\u001b")

        const invalid = yield* run("call", "gsc", "gsc_top_queries", "--input", "{\"sites\":1}")
        const issues = /\ninput\.sites: Unknown field: the nearest are `site`, .*\ninput\.site: Required\n/
        assert.match(invalid.stderr, issues)

        const another = yield* connect()
        const json = yield* run("call", "gsc", "sites.list", "--json")
        assert.strictEqual(json.stdout, "")
        const { error } = JSON.parse(json.stderr)
        assert.strictEqual(error.code, "connection_ambiguous")
        assert.deepStrictEqual(error.details.connection_ids, [another.id, connection.id])
        assert.include(
          (yield* run("call", "gsc", "sites.list", "--connection", connection.id)).stderr,
          "upstream_error"
        )
      }))

    it.effect("lists providers and shows an operation with its input schema", () =>
      Effect.gen(function*() {
        const { done, run } = yield* start
        assert.match(yield* done("providers", "list"), /^gsc +Search Console +oauth, service_a/m)
        const shown = yield* done("providers", "show", "gsheets")
        assert.match(shown, /^values\.append +endpoint +yes /m)
        assert.match(shown, /^sheets_read +tool +no /m)
        assert.include(yield* done("providers", "show", "gsc", "searchanalytics.query"), "\"startDate\"")
        const json = JSON.parse(yield* done("providers", "show", "gsc", "sites.list", "--json"))
        assert.deepInclude(json, { kind: "endpoint", name: "sites.list", writes: false })
        assert.strictEqual((yield* run("providers", "show", "nope")).exitCode, 1)
      }))

    it.effect("lists calls, filters them, shows one, and counts them", () =>
      Effect.gen(function*() {
        const { done, run } = yield* start
        yield* run("call", "gsc", "sites.list", "--endpoint")
        yield* run("call", "gsc", "sites.lst", "--endpoint")
        const listed = yield* done("logs", "list")
        assert.match(listed, /404 endpoint_not_found +\d+ ms +gsc +raw:sites\.lst/)
        assert.match(listed, /200 ok +\d+ ms +gsc +raw:sites\.list/)
        const { calls } = JSON.parse(yield* done("logs", "--outcome", "ok", "--provider", "gsc", "--json"))
        assert.deepStrictEqual(calls.map(({ target }: { readonly target: string }) => target), ["raw:sites.list"])

        const one = yield* done("logs", "show", calls[0].id)
        assert.include(one, "\"siteUrl\": \"sc-domain:example.com\"")
        assert.match(one, new RegExp(`^connection +${calls[0].connection_id}$`, "m"))
        assert.include(yield* done("logs", "--cached", "true"), "No calls.")
        const failed = yield* done("logs", "--error", "endpoint_not_found", "--since", "2026-01-01", "--json")
        assert.lengthOf(JSON.parse(failed).calls, 1)
        const everything = yield* runOaOnServer(["logs", "--all", "--by-key", calls[0].key_id, "--json"])
        assert.lengthOf(JSON.parse(everything.stdout).calls, 2)

        const stats = yield* done("stats", "--by", "target")
        assert.match(stats, /^DAY +TARGET +CALLS +ERRORS/)
        assert.match(stats, /raw:sites\.lst +1 +1 \(100 %\) +1 +0 +\d+ ms +\d+ ms +\$0/)
        const ofOne = yield* done("stats", "--by", "target", "--group", "raw:sites.lst")
        assert.match(ofOne, /^DAY.*\n.*raw:sites\.lst.*\n?$/)
        const all = yield* runOaOnServer(["stats", "--all", "--by", "key", "--json"])
        assert.containSubset(JSON.parse(all.stdout).buckets, [{ group: calls[0].key_id, calls: 2, errors: 1 }])
      }))

    it.effect("finds the calls from which a leaked secret was removed, and takes it from standard input alone", () =>
      Effect.gen(function*() {
        const { key, run } = yield* start
        const secret = "canary-0123456789"
        yield* run("call", "gsc", "sites.get", "--endpoint", "--input", JSON.stringify({ token: secret }))
        yield* run("call", "gsc", "sites.list", "--endpoint")
        const own = yield* search(["--json"], `\n${secret}\n`, { key })
        assert.deepStrictEqual(
          JSON.parse(own.stdout).calls.map(({ target }: { readonly target: string }) => target),
          ["raw:sites.get"]
        )
        assert.strictEqual((yield* search(["--all", "--json"], secret, {})).stdout, own.stdout)
        const none = yield* search([], "canary-of-no-call", { key })
        assert.deepStrictEqual([none.exitCode, none.stdout], [0, "No calls from which this secret was removed.\n"])
        assert.include((yield* search([], "short", { key })).stderr, "secret: Has fewer than 8 characters")
        const given = yield* run("logs", "--secret", secret)
        assert.deepStrictEqual([given.exitCode, given.stdout], [2, ""])
        assert.include(given.stderr, "--secret takes - (standard input)")
        assert.notInclude(given.stderr, secret)
      }))

    it.effect.each(
      [
        [["call", "gsc", "sites.list", "--endpoint", "--max-age", "604801"], "oa_x", 2, ""],
        [["call", "gsc", "sites.list"], "oa_nope", 4, ""],
        [["call", "gsc", "sites.list"], "oa_…", 2, "has a character that none has"],
        [["logs", "--key", "oa_x\nsecond"], "oa_x", 2, "has a character that none has"],
        [["call", "gsc", "sites.list"], undefined, 4, ""],
        [["logs"], undefined, 4, "--all"],
        [["client", "list", "--json", "--url", "http://127.0.0.1:1"], undefined, 3, "\"code\":\"unreachable\""],
        [
          ["client", "list", "--url", "http://127.0.0.1:1"],
          undefined,
          3,
          "No service answers at http://127.0.0.1:1: bad"
        ],
        [["logs", "--url", "http://a:b@127.0.0.1:1"], "oa_x", 2, "\"http://…@127.0.0.1:1\" is not"],
        [["logs", "--since", "yesterday"], "oa_x", 2, ""],
        [
          ["call", "gsheets", "values.get", "--input", "{\"a\":[9007199254740993]}"],
          "oa_x",
          2,
          "--input.a.0: A number"
        ],
        [
          ["approvals", "show", "apr_x", "--wait", "31"],
          "oa_x",
          2,
          "--wait: \"31\". Expected a value between 0 and 30"
        ],
        [["results", "show", "res_x", "--limit", "0"], "oa_x", 2, "between 1 and 10000"],
        [["restore", "no.backup"], undefined, 2, "no.backup cannot be read (NotFound)"],
        [["results", "delete", ""], "oa_x", 2, "argument <id>"],
        [["call", "gsc", "sites.get", "--endpoint", "--resources", "a,,b"], "oa_x", 2, "resources.1: "],
        [["logs", "call_nope"], "oa_x", 2, "Did you mean `oa logs show call_nope`?"],
        [
          ["logs", "--all", "--provider", "gcs"],
          undefined,
          2,
          "No calls to a provider \"gcs\"; the nearest of this version are gsc,"
        ]
      ] as const
    )("refuses %j with the key %s: %i", ([args, key, expected, says]) =>
      Effect.gen(function*() {
        const { exitCode, stderr, stdout } = yield* runOaOnServer(args, key === undefined ? {} : { key })
        assert.deepStrictEqual([exitCode, stdout], [expected, ""])
        assert.include(stderr, says)
      }))

    it.effect("says that an answer was cut off", () =>
      Effect.gen(function*() {
        const { run, upstream } = yield* start
        upstream.handle(() => (response) => {
          response.writeHead(200, { "content-length": 9 })
          response.write("{", () => response.destroy())
        })
        const { exitCode, stderr } = yield* run("logs", "--url", upstream.url)
        assert.strictEqual(exitCode, 3)
        assert.include(stderr, `The answer of ${upstream.url} was cut off: `)
      }))

    it.effect("says that a provider is unknown, or has no calls", () =>
      Effect.gen(function*() {
        const { run } = yield* start
        const unknown = yield* run("logs", "--provider", "gcs")
        assert.deepStrictEqual([unknown.exitCode, unknown.stdout], [2, ""])
        assert.include(unknown.stderr, "There is no provider \"gcs\"; the nearest are gsc, ")
        const quiet = yield* run("logs", "--provider", "gdocs")
        assert.deepStrictEqual([quiet.exitCode, quiet.stdout], [0, "No calls to a provider \"gdocs\".\n"])
      }))
  }
)
