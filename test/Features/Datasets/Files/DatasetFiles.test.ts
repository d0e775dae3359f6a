import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Option, type Scope, Stream } from "effect"
import { mkdir, readdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { DatasetFiles } from "../../../../src/Features/Datasets/Files/DatasetFiles.ts"
import { eventually } from "../../../support/Eventually.ts"
import { s3Server } from "../../../support/S3Server.ts"
import { tempFolder } from "../../../support/TempFolder.ts"
import { columns, dataset, filesWith, rows, writeDay } from "./Fixture.ts"

const manifest = {
  dataset,
  report: "gsc.searchanalytics",
  resource: "sc-domain:fernhill.example",
  schema: columns,
  days: [{
    day: "2026-11-22",
    status: "done",
    rows: 3,
    coverage: 0.81,
    final: true,
    fetched_at: "2026-11-25T00:00:00.000Z"
  }]
}

const other = "dst_01k6a1b2c3d4e5f6g7h8j9k0mp"

const text = (files: DatasetFiles["Service"], name: string) =>
  Effect.gen(function*() {
    const { bytes, content } = yield* Effect.fromOption(yield* files.read(dataset, name))
    const read = Buffer.concat(yield* Stream.runCollect(content))
    assert.lengthOf(read, bytes)
    return read.toString("latin1")
  })

const suite = (name: string, files: Effect.Effect<DatasetFiles["Service"], unknown, Scope.Scope>) =>
  describe(`${name}`, () => {
    it.live("are the days and the manifest, and a repeated day replaces its file", () =>
      Effect.gen(function*() {
        const service = yield* files
        assert.deepStrictEqual(yield* service.list(dataset), [])
        for (const day of ["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"]) {
          yield* writeDay(service, day, [])
        }
        const written = yield* writeDay(service, "2026-11-22")
        yield* service.writeManifest({ dataset, manifest })
        const listed = yield* service.list(dataset)
        assert.deepStrictEqual(listed.map(({ name }) => name), [
          "day=2026-11-20/data.parquet",
          "day=2026-11-21/data.parquet",
          "day=2026-11-22/data.parquet",
          "day=2026-11-23/data.parquet",
          "manifest.json"
        ])
        assert.strictEqual(listed[2]?.bytes, written)
        assert.match(listed[2]?.modified_at ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.match(yield* text(service, "day=2026-11-22/data.parquet"), /^PAR1.*PAR1$/s)
        assert.deepStrictEqual(JSON.parse(yield* text(service, "manifest.json")), manifest)
      }))

    it.live("are those of one dataset alone, also when it is removed", () =>
      Effect.gen(function*() {
        const service = yield* files
        yield* writeDay(service, "2026-11-22")
        yield* writeDay(service, "2026-11-22", rows, other)
        yield* service.remove(dataset)
        assert.deepStrictEqual(yield* service.list(dataset), [])
        assert.lengthOf(yield* service.list(other), 1)
        yield* service.remove(dataset)
      }))

    it.live("are all that can be read: no name leads elsewhere", () =>
      Effect.gen(function*() {
        const service = yield* files
        yield* writeDay(service, "2026-11-22")
        yield* service.writeManifest({ dataset: other, manifest })
        const names = [
          ".. /etc/passwd manifest.json day=2026-11-21/data.parquet day=2026-11-22".split(" "),
          ["", "."],
          ["/", "\0", "\n"].map((end) => `day=2026-11-22/data.parquet${end}`),
          ["../", "day=2026-11-22/../../", "%2e%2e/"].map((path) => `${path}${other}/manifest.json`),
          [`..\\${other}\\manifest.json`]
        ].flat()
        for (const name of names) {
          assert.isTrue(Option.isNone(yield* service.read(dataset, name)), name)
        }
      }))
  })

describe("The files of a dataset", () => {
  suite("in DATA_DIR", Effect.flatMap(tempFolder, (folder) => filesWith({ DATA_DIR: folder })))
  suite("in a bucket", Effect.flatMap(s3Server, ({ settings }) => filesWith(settings)))
})

describe("In DATA_DIR", () => {
  it.live("files are closed to others, and what a killed process left is neither listed nor kept", () =>
    Effect.gen(function*() {
      const folder = yield* tempFolder
      const service = yield* filesWith({ DATA_DIR: folder })
      const day = join(folder, "datasets", dataset, "day=2026-11-22")
      yield* Effect.promise(async () => {
        await mkdir(day, { recursive: true })
        await writeFile(join(day, ".data.parquet.0.part"), "PAR1")
      })
      assert.deepStrictEqual(yield* service.list(dataset), [])
      yield* writeDay(service, "2026-11-22")
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(day)), ["data.parquet"])
      const { mode } = yield* Effect.promise(() => stat(join(day, "data.parquet")))
      assert.strictEqual(mode & 0o077, 0)
    }))
})

/** After the request of the start. */
const started = (requests: ReadonlyArray<string>) =>
  eventually(Effect.sync(() => requests.length), (count) => count > 0)

describe("In a bucket", () => {
  it.live("a request that the store delays is sent again", () =>
    Effect.gen(function*() {
      const { failures, objects, requests, settings } = yield* s3Server
      const service = yield* filesWith(settings)
      yield* started(requests)
      failures.push(503, 500)
      yield* service.writeManifest({ dataset, manifest })
      assert.lengthOf(requests, 4)
      assert.deepStrictEqual([...objects.keys()], [`openaccounts/datasets/${dataset}/manifest.json`])
    }))

  it.live("a refusal says why, once, and never names the secret", () =>
    Effect.gen(function*() {
      const { objects, requests, settings } = yield* s3Server
      const wrongSecret = yield* filesWith({ ...settings, AWS_SECRET_ACCESS_KEY: "wrong" })
      yield* started(requests)
      const error = yield* Effect.flip(wrongSecret.writeManifest({ dataset, manifest }))
      assert.include(error.message, "403 SignatureDoesNotMatch")
      assert.notInclude(error.message, "wrong")
      assert.lengthOf(requests, 2)
      assert.strictEqual(objects.size, 0)
      const nowhere = yield* filesWith({ ...settings, AWS_REGION: "us-east-1" })
      assert.include((yield* Effect.flip(nowhere.list(dataset))).message, "403 SignatureDoesNotMatch")
    }))

  it.live("a bucket that does not exist is named at the start, and whatever is asked of it", () =>
    Effect.gen(function*() {
      const { settings } = yield* s3Server
      const logged: Array<unknown> = []
      const service = yield* filesWith({ ...settings, DATASETS_URL: "s3://elsewhere" }).pipe(
        Effect.provide(Logger.layer([Logger.make(({ message }) => logged.push(message))]))
      )
      const reason = `there is no bucket elsewhere at ${settings.AWS_ENDPOINT_URL}`
      yield* eventually(Effect.sync(() => String(logged)), (text) => text.includes(reason))
      const requests = [
        service.list(dataset),
        service.read(dataset, "manifest.json"),
        service.writeManifest({ dataset, manifest })
      ]
      for (const request of requests) assert.include(String(yield* Effect.flip(request)), reason)
    }))

  it.live.each([
    { name: "DATASETS_URL", value: "https://reports" },
    { name: "DATASETS_URL", value: "s3://Reports" },
    { name: "AWS_ENDPOINT_URL", value: "http://user:secret@127.0.0.1:9000" },
    { name: "AWS_ACCESS_KEY_ID", value: "" }
  ])("the start is refused with $name=$value", ({ name, value }) =>
    Effect.gen(function*() {
      const { settings } = yield* s3Server
      const error = yield* Effect.flip(filesWith({ ...settings, [name]: value }))
      assert.include(error.message, name)
    }))
})
