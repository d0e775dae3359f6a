import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { eventTypes } from "../../src/Declared/EventType.ts"
import { at, sandboxServer } from "../Service/SandboxServer.ts"
import { TestDataDir, TestServer } from "../support/TestServer.ts"

const root = new URL("../..", import.meta.url).pathname
const read = (path: string) => readFileSync(join(root, path), "utf8")
const guides = globSync(["*.md", "{docs,scripts,src}/**/*.md"], { cwd: root })

/** As GitHub makes them. */
const anchorsOf = (guide: string) =>
  [...guide.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading.toLowerCase().replaceAll(/[^\p{L}\d _-]/gu, "").replaceAll(" ", "-")
  )

const sectionOf = (guide: string, heading: string) =>
  guide.split(/^## /m).find((each) => each.startsWith(heading)) ?? ""

describe("The guides", () => {
  it("link only to files and headings that exist", () => {
    assert.isAbove(guides.length, 20)
    for (const guide of guides) {
      for (const [, target = "", anchor] of read(guide).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
        const path = target === "" ? guide : join(dirname(guide), target)
        assert.isTrue(existsSync(join(root, path)), `${guide}: ${target}`)
        if (anchor !== undefined) assert.include(anchorsOf(read(path)), anchor, `${guide}: ${target}`)
      }
    }
  })

  it("name the files and the steps of a call, in their order", () => {
    const walk = sectionOf(read("README.md"), "A newcomer's walk")
    const files = walk.match(/^\d+\. `[^`]+`/gm) ?? []
    assert.isAtLeast(files.length, 20)
    for (const file of files) assert.isTrue(existsSync(join(root, "src", file.replaceAll(/^\d+\. |`/g, ""))), file)
    const comments = read("src/Calls/Calls.ts").match(/\/\/ \d+\. .*/g) ?? []
    const steps = [...comments.join("\n").matchAll(/(\d+)\. ([A-Z][\w -]*?)(?=,| and \d|$)/gm)]
      .toSorted(([, a], [, b]) => Number(a) - Number(b))
      .map(([, , name]) => name)
    assert.lengthOf(steps, 11)
    assert.deepStrictEqual([...walk.matchAll(/\*\*(.+?)\*\*/g)].map(([, name]) => name), steps)
  })

  it("name every event of webhooks", () => {
    const rows = sectionOf(read("src/Features/Webhooks/README.md"), "Events").match(/^\| `[^|]+/gm) ?? []
    assert.sameMembers(rows.flatMap((row) => row.match(/[a-z_]+\.[a-z_]+|test/g) ?? []), [...eventTypes, "test"])
  })
})

/** A command of the guide, with what earlier responses have in place of `cli_…` and others. */
const commands = (section: string) =>
  [...section.matchAll(/curl -s( -X POST)? \$OA(\S+)\s+-H "([^"]+)"(?:\s*\\)?(?:\s+-d '([^']+)')?/g)].map(
    ([, post, path = "", header = "", body]) => ({ method: post || body ? "POST" : "GET", path, header, body })
  )

layer(sandboxServer().pipe(Layer.provideMerge(TestDataDir.layer)))("The first call of the README", (it) => {
  it.effect("works in the sandbox, command by command", () =>
    Effect.gen(function*() {
      const { adminToken, request } = yield* TestServer
      const known = new Map<string, string>()
      const filled = (text: string) =>
        text.replaceAll(/\b(cli|mem|con|oa)_…/g, (placeholder, kind) => known.get(kind) ?? placeholder)
      const done: Array<string> = []
      for (const { body, header, method, path } of commands(sectionOf(read("README.md"), "The first call"))) {
        const authorization = header === "$ADMIN"
          ? `Bearer ${adminToken}`
          : filled(header).replace("Authorization: ", "")
        const { json, status, text } = yield* request(method, filled(path), {
          headers: { authorization },
          ...body !== undefined && { rawBody: filled(body) }
        })
        assert.oneOf(status, [200, 201], `${path}: ${text}`)
        done.push(path)
        const [kind = ""] = String(at(json, "id")).split("_")
        if (!known.has(kind)) known.set(kind, String(at(json, "id")))
        const key = at(json, "key")
        if (typeof key === "string") known.set("oa", key)
      }
      assert.includeMembers(done, [
        "/admin/v1/clients",
        "/admin/v1/members",
        "/admin/v1/keys",
        "/admin/v1/connections",
        "/admin/v1/connections/con_…/test",
        "/admin/v1/connect-links",
        "/v1/call"
      ])
    }))
})
