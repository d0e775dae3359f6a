import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Layer } from "effect"
import { connectionChoice } from "../Http/Fixture.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { runOaOnServer } from "./RunCli.ts"

const sites = { siteEntry: [{ siteUrl: "sc-domain:example.com", permissionLevel: "siteOwner" }] }

const waitForLines = (count: number) => {
  const { promise, resolve } = Promise.withResolvers<ReadonlyArray<string>>()
  return {
    lines: Effect.promise(() => promise),
    onOutput: ({ stdout }: { readonly stdout: string }) => {
      const lines = stdout.split("\n").slice(0, -1)
      if (lines.length >= count) resolve(lines)
    }
  }
}

layer(TestServer.layer.pipe(Layer.provideMerge(NodeServices.layer)), { excludeTestServices: true })(
  "oa call, oa providers and oa logs",
  (it) => {
    it.effect("prints the data on standard output and the call id on standard error", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: sites }))
        const { connection, readOnly: key } = yield* seed()
        const called = yield* runOaOnServer(["call", "gsc", "sites.list"], { key })
        assert.strictEqual(called.exitCode, 0)
        assert.deepStrictEqual(JSON.parse(called.stdout), sites)
        assert.match(called.stderr, new RegExp(`^call_\\S+ through ${connection.id}, \\d+ ms, \\$0\n$`))

        const json = yield* runOaOnServer(["call", "gsc", "sites.list", "--json"], { key })
        assert.deepInclude(JSON.parse(json.stdout), { connection_id: connection.id, cached: false, data: sites })
        assert.strictEqual(json.stderr, "")
      }))

    it.effect("prints a part or a table, keeps it, and asks it with SQL", () =>
      Effect.gen(function*() {
        ;(yield* LoopbackUpstream).handle(() => ({ body: sites }))
        const { readOnly: key } = yield* seed()
        const run = (...args: ReadonlyArray<string>) =>
          Effect.map(runOaOnServer(args, { key }), ({ exitCode, stderr, stdout }) => {
            assert.strictEqual(exitCode, 0, stderr)
            return stdout
          })
        const call = ["call", "gsc", "sites.list"]
        assert.strictEqual(yield* run(...call, "--select", "siteEntry[0].siteUrl"), "\"sc-domain:example.com\"\n")
        const csv = "siteUrl,permissionLevel\r\nsc-domain:example.com,siteOwner\r\n"
        assert.strictEqual(yield* run(...call, "--format", "csv"), csv)
        assert.match(
          yield* run(...call, "--format", "table"),
          /^SITEURL +PERMISSIONLEVEL\nsc-domain:example\.com +siteOwner\n$/
        )
        const { result } = JSON.parse(yield* run(...call, "--keep"))
        assert.include(yield* run("results", "list"), result.id)
        assert.strictEqual(yield* run("results", "get", result.id), csv)
        const answer = yield* run(
          "results",
          "query",
          result.id,
          "SELECT count(*) AS n FROM result",
          "--format",
          "markdown"
        )
        assert.strictEqual(answer, "| n |\n| ---: |\n| 1 |\n")
        yield* run("results", "delete", result.id)
        assert.include(yield* run("results", "list"), "No kept results")
      }))

    it.effect("reads input from the command line, a file or standard input", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const upstream = yield* LoopbackUpstream
        const { readOnly: key } = yield* seed()
        const input = JSON.stringify({ path: { siteUrl: "sc-domain:example.com" } })
        const file = yield* fs.makeTempFileScoped()
        yield* fs.writeFileString(file, input)
        for (const [source, stdin] of [[input, ""], [`@${file}`, ""], ["-", input]] as const) {
          upstream.handle(() => ({ body: {} }))
          const called = yield* runOaOnServer(["call", "gsc", "sites.get", "--input", source], { key, stdin })
          assert.strictEqual(called.exitCode, 0, called.stderr)
          assert.include(upstream.requests[0]?.url, "sc-domain%3Aexample.com")
        }
      }))

    it.effect("recognizes by its name whether an operation is a raw endpoint or a smart tool", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: sites }))
        const { reader, readOnly: key } = yield* seed()
        yield* runOaOnServer(["call", "gsc", "gsc_top_queries", "--input", "{\"site\":\"example.com\"}"], { key })
        const { calls } = yield* reader.logs.list({ query: { limit: 1 } })
        assert.strictEqual(calls[0]?.target, "tool:gsc_top_queries")

        const unknown = yield* runOaOnServer(["call", "gsc", "sites.lst"], { key })
        assert.strictEqual(unknown.exitCode, 2)
        assert.include(unknown.stderr, "\"gsc\" has no operation \"sites.lst\"; `oa providers show gsc` lists them")
        const flagged = yield* runOaOnServer(["call", "gsc", "sites.lst", "--endpoint"], { key })
        assert.strictEqual(flagged.exitCode, 1)
        assert.include(flagged.stderr, "endpoint_not_found (call_")
      }))

    it.effect("sends the Idempotency-Key of a write", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: { spreadsheetId: "1" } }))
        const { readWrite: key } = yield* seed({ provider: "gsheets" })
        const input = JSON.stringify({
          path: { spreadsheetId: "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde", range: "A1" }
        })
        const args = ["call", "gsheets", "values.clear", "--input", input, "--idempotency-key"]
        const [first, again] = [
          yield* runOaOnServer([...args, "k"], { key }),
          yield* runOaOnServer([...args, "k"], { key })
        ]
        assert.strictEqual(first.exitCode, 0, first.stderr)
        assert.strictEqual(again.stderr, first.stderr)
        assert.lengthOf(upstream.requests, 1)

        const invalid = yield* runOaOnServer([...args, "a b"], { key })
        assert.strictEqual(invalid.exitCode, 2)
        assert.include(invalid.stderr, "idempotency-key: Expected 1 to 255 visible ASCII characters")
      }))

    it.effect("says when a response comes from the cache", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: sites }))
        const { readOnly: key } = yield* seed()
        yield* runOaOnServer(["call", "gsc", "sites.list", "--endpoint"], { key })
        const again = yield* runOaOnServer(["call", "gsc", "sites.list", "--endpoint", "--max-age", "60"], { key })
        assert.include(again.stderr, "through the cache")
        assert.strictEqual(upstream.requests.length, 1)
        const tooOld = yield* runOaOnServer(["call", "gsc", "sites.list", "--endpoint", "--max-age", "604801"], { key })
        assert.strictEqual(tooOld.exitCode, 2)
      }))

    it.effect("prints an error with its code, call id and details, as JSON with --json", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        const body = { error: { code: 418, message: "I'm a \u001b[31mteapot", status: "UNKNOWN" } }
        upstream.handle(() => ({ status: 418, body }))
        const { connect, connection, readOnly: key } = yield* seed()
        const human = yield* runOaOnServer(["call", "gsc", "sites.list", "--endpoint"], { key })
        assert.strictEqual(human.exitCode, 1)
        assert.strictEqual(human.stdout, "")
        assert.include(human.stderr, "upstream_error (call_")
        assert.include(human.stderr, "\"status\": \"UNKNOWN\"")
        assert.notInclude(human.stderr, "\u001b")

        const invalid = yield* runOaOnServer(["call", "gsc", "gsc_top_queries", "--input", "{\"sites\":1}"], { key })
        assert.match(
          invalid.stderr,
          /\ninput\.sites: Unknown field: the nearest are `site`, .*\ninput\.site: Required\n/
        )

        const another = yield* connect()
        const json = yield* runOaOnServer(["call", "gsc", "sites.list", "--json"], { key })
        assert.strictEqual(json.stdout, "")
        assert.deepInclude(JSON.parse(json.stderr).error, {
          code: "connection_ambiguous",
          details: {
            connection_ids: [another.id, connection.id],
            connections: [another, connection].map(connectionChoice)
          }
        })
        const named = yield* runOaOnServer(["call", "gsc", "sites.list", "--connection", connection.id], { key })
        assert.include(named.stderr, "upstream_error")
      }))

    it.effect("ends with the same exit code for a wrong key and no key", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* runOaOnServer(["call", "gsc", "sites.list"], { key: "oa_nope" })).exitCode, 4)
        assert.strictEqual((yield* runOaOnServer(["call", "gsc", "sites.list"])).exitCode, 4)
      }))

    it.effect("lists providers and shows an operation with its input schema", () =>
      Effect.gen(function*() {
        const { readOnly: key } = yield* seed()
        assert.match(
          (yield* runOaOnServer(["providers", "list"], { key })).stdout,
          /^gsc +Search Console +oauth, service_a/m
        )
        const shown = yield* runOaOnServer(["providers", "show", "gsheets"], { key })
        assert.match(shown.stdout, /^values\.append +endpoint +yes /m)
        assert.match(shown.stdout, /^sheets_read +tool +no /m)
        const one = yield* runOaOnServer(["providers", "show", "gsc", "searchanalytics.query"], { key })
        assert.include(one.stdout, "\"startDate\"")
        const json = yield* runOaOnServer(["providers", "show", "gsc", "sites.list", "--json"], { key })
        assert.deepInclude(JSON.parse(json.stdout), { kind: "endpoint", name: "sites.list", writes: false })
        assert.strictEqual((yield* runOaOnServer(["providers", "show", "nope"], { key })).exitCode, 1)
        assert.strictEqual((yield* runOaOnServer(["providers", "show", "gsc", "nope"], { key })).exitCode, 2)
      }))

    it.effect("lists calls, filters them and shows one", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: sites }))
        const { readOnly: key } = yield* seed()
        yield* runOaOnServer(["call", "gsc", "sites.list", "--endpoint"], { key })
        yield* runOaOnServer(["call", "gsc", "sites.lst", "--endpoint"], { key })
        const listed = yield* runOaOnServer(["logs"], { key })
        assert.match(listed.stdout, /404 endpoint_not_found +\d+ ms +gsc +raw:sites\.lst/)
        assert.match(listed.stdout, /200 ok +\d+ ms +gsc +raw:sites\.list/)
        const ok = yield* runOaOnServer(["logs", "--outcome", "ok", "--provider", "gsc", "--json"], { key })
        const { calls } = JSON.parse(ok.stdout)
        assert.deepStrictEqual(calls.map(({ target }: { readonly target: string }) => target), ["raw:sites.list"])

        const one = yield* runOaOnServer(["logs", calls[0].id], { key })
        assert.include(one.stdout, "\"siteUrl\": \"sc-domain:example.com\"")
        assert.match(one.stdout, new RegExp(`^connection +${calls[0].connection_id}$`, "m"))
        const cached = yield* runOaOnServer(["logs", "--cached", "true"], { key })
        assert.include(cached.stdout, "No calls.")
        const failed = yield* runOaOnServer([
          "logs",
          "--error",
          "endpoint_not_found",
          "--since",
          "2026-01-01",
          "--json"
        ], {
          key
        })
        assert.lengthOf(JSON.parse(failed.stdout).calls, 1)
        assert.strictEqual((yield* runOaOnServer(["logs", "--since", "yesterday"], { key })).exitCode, 2)
        const everything = yield* runOaOnServer(["logs", "--all", "--by-key", calls[0].key_id, "--json"])
        assert.lengthOf(JSON.parse(everything.stdout).calls, 2)

        const stats = yield* runOaOnServer(["stats", "--by", "target"], { key })
        assert.match(stats.stdout, /^DAY +TARGET +CALLS +ERRORS/)
        assert.match(stats.stdout, /raw:sites\.lst +1 +1 \(100 %\) +0 +\d+ ms +\d+ ms +\$0/)
        const all = yield* runOaOnServer(["stats", "--all", "--by", "key", "--json"])
        assert.containSubset(JSON.parse(all.stdout).buckets, [{ group: calls[0].key_id, calls: 2, errors: 1 }])

        const unknown = yield* runOaOnServer(["logs", "--provider", "gcs"], { key })
        assert.deepStrictEqual([unknown.exitCode, unknown.stdout], [2, ""])
        assert.include(unknown.stderr, "There is no provider \"gcs\"; there are gsc, ga4,")
        const mistyped = yield* runOaOnServer(["logs", "--all", "--provider", "gcs"])
        assert.deepStrictEqual([mistyped.exitCode, mistyped.stdout], [2, ""])
        assert.include(mistyped.stderr, "No calls to a provider \"gcs\"; the providers of this version are gsc, ga4,")
        const quiet = yield* runOaOnServer(["logs", "--all", "--provider", "gdocs"])
        assert.deepStrictEqual([quiet.exitCode, quiet.stdout], [0, "No calls to a provider \"gdocs\".\n"])
        const withoutKey = yield* runOaOnServer(["logs"])
        assert.strictEqual(withoutKey.exitCode, 4)
        assert.include(withoutKey.stderr, "--all")
        assert.strictEqual((yield* runOaOnServer(["logs", "call_nope"], { key })).exitCode, 1)
        assert.strictEqual((yield* runOaOnServer(["logs", calls[0].id, "--follow"], { key })).exitCode, 2)
      }))

    it.effect("prints each call as it ends, one line each with --json", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: sites }))
        const { readOnly: key } = yield* seed()
        const call = (endpoint: string) => server.call(key, { provider: "gsc", endpoint })
        yield* call("sites.list")
        const first = waitForLines(1)
        const three = waitForLines(3)
        const following = yield* Effect.forkChild(runOaOnServer(["logs", "--follow", "--json"], {
          key,
          onOutput: (output) => {
            first.onOutput(output)
            three.onOutput(output)
          }
        }))
        yield* first.lines
        const second = yield* call("sites.lst")
        const third = yield* call("sites.list")
        const printed = (yield* three.lines).map((line) => JSON.parse(line).id)
        assert.deepStrictEqual(printed.slice(1), [second.callId, third.callId])
        yield* Fiber.interrupt(following)
      }))
  }
)
