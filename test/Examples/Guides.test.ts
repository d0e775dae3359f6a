import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Command } from "effect/cli"
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { commands as groupsOfCommands } from "../../src/Cli/Commands.ts"
import { demo, serve } from "../../src/Cli/Commands/ServerCommands.ts"
import { eventTypes } from "../../src/Declared/EventType.ts"
import { features } from "../../src/Features/Features.ts"
import { originsOf } from "../../src/Providers/Provider.ts"
import { providers } from "../../src/Registrations.ts"
import { faults } from "../../src/Sandbox/Faults/Faults.ts"
import { at, connectAll, ownSandbox } from "../Service/SandboxServer.ts"
import { TestServer } from "../support/TestServer.ts"

const root = new URL("../..", import.meta.url).pathname
const read = (path: string) => readFileSync(join(root, path), "utf8")
const guides = globSync(["*.md", "{docs,scripts,src}/**/*.md", ".github/**/*.md"], { cwd: root })

/** As GitHub makes them. */
const anchorsOf = (guide: string) =>
  [...guide.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading.toLowerCase().replaceAll(/[^\p{L}\d _-]/gu, "").replaceAll(" ", "-")
  )

const sectionOf = (guide: string, heading: string) =>
  guide.split(/^## /m).find((each) => each.startsWith(heading)) ?? ""

/** Each command of `oa`, and those below it, with the names by which it is called. */
const namesOf = (command: Command.Command.Any): ReadonlyArray<string> => {
  const names = [command.name, ...command.alias === undefined ? [] : [command.alias]]
  const below = command.subcommands.flatMap(({ commands }) => commands.flatMap(namesOf))
  return names.flatMap((name) => [name, ...below.map((each) => `${name} ${each}`)])
}

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

  it("name only commands, scripts and tests that exist", () => {
    const groups: ReadonlyArray<{ readonly commands: ReadonlyArray<Command.Command.Any> }> = groupsOfCommands
    const known = [...groups, { commands: [serve, demo] }].flatMap(({ commands }) => commands.flatMap(namesOf))
    const all = guides.map(read).join("\n")
    const scripts = [...all.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = ""]) => name)
    assert.isNotEmpty(scripts)
    assert.deepStrictEqual(scripts.filter((name) => !(name in packageJson.scripts)), [])
    const files = all.match(/\b(?:scripts|test)\/[\w/.-]+\.(?:ts|mjs|yml|sh)\b/g) ?? []
    assert.deepStrictEqual(files.filter((file) => !existsSync(join(root, file))), [])
    const named = [...all.matchAll(/(?:^|`|npx |\$ )oa ([a-z][a-z-]*)(?: ([a-z][a-z-]*)(?= |`|$))?/gm)]
    assert.isAbove(named.length, 50)
    for (const [text, first = "", second] of named) {
      const below = known.filter((name) => name.startsWith(`${first} `))
      assert.include(known, second === undefined || below.length === 0 ? first : `${first} ${second}`, text)
    }
  })

  it("of the rooms have at most 60 lines, the README at most 6,500 characters, and its film 1.5 MB", () => {
    const long = guides.filter((guide) => guide.startsWith("src/") && read(guide).trimEnd().split("\n").length > 60)
    assert.deepStrictEqual(long, [])
    assert.isAtMost([...read("README.md")].length, 6500)
    assert.isAtMost(statSync(join(root, "docs/demo.webp")).size, 1_500_000)
  })

  it("count what there is, link each reason to its test, and each feature to its guide", () => {
    const [endpoints, tools] = [providers.flatMap((each) => each.endpoints), providers.flatMap((each) => each.tools)]
    const readme = read("README.md")
    assert.include(readme.replaceAll(/\s+/g, " "), `${endpoints.length} raw endpoints and ${tools.length} smart tools`)
    const reasons = sectionOf(readme, "Why").split(/^- /m).slice(1)
    assert.lengthOf(reasons, 4)
    for (const reason of reasons) assert.match(reason, /\]\(test\/[\w/]+\.test\.ts\)/)
    const named = read("docs/architecture.md").match(/(?<=src\/Features\/)\w+/g) ?? []
    assert.sameMembers(named.map((name) => name.toLowerCase()), features.map(({ name }) => name.replaceAll("_", "")))
  })

  it("name every host of a provider that the service calls", () => {
    const section = sectionOf(read("scripts/deploy/README.md"), "Fewer addresses to reach")
    for (const { url } of originsOf(providers)) assert.include(section, `\`${new URL(url).host}\``)
  })

  it("show each promise that is kept with a test or its code, and give a reason for each that is not", () => {
    const [, rows = ""] = read("docs/conformance.md").split("## ASVS V10")
    const states = [...rows.matchAll(/^\| (?!row )[^|]+ \| [^|]+ \| ([^|]+) \|$/gm)].map(([, state = ""]) => state)
    assert.isAbove(states.length, 120)
    for (const state of states) {
      assert.match(
        state,
        /^(?:met: .*\]\(\.\.\/test\/|met by design: .*\]\(\.\.\/src\/|not applicable: \w|\*\*deviates\*\*: \w)/
      )
    }
  })

  it("name the files and the steps of a call, in their order", () => {
    const walk = sectionOf(read("docs/calls.md"), "The files that a call passes")
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

  it("name every fault of the sandbox, with its property", () => {
    for (const { name, property } of faults) assert.include(read("docs/sandbox.md"), `| \`${name}\` | ${property} |`)
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

layer(ownSandbox())("The first call", (it) => {
  it.effect("of the README works in the sandbox", () =>
    Effect.gen(function*() {
      const [, path = "", rawBody = ""] =
        /curl -s http:\/\/localhost:8787(\S+) [^']+-d '([^']+)'/.exec(read("README.md")) ?? []
      const { request } = yield* TestServer
      const authorization = `Bearer ${yield* connectAll}`
      const { status, text } = yield* request("POST", path, { headers: { authorization }, rawBody })
      assert.strictEqual(status, 200, text)
    }))

  it.effect("of the guide works in the sandbox, command by command", () =>
    Effect.gen(function*() {
      const { adminToken, request } = yield* TestServer
      const known = new Map<string, string>()
      const filled = (text: string) =>
        text.replaceAll(/\b(cli|mem|con|oa)_…/g, (placeholder, kind) => known.get(kind) ?? placeholder)
      const done: Array<string> = []
      for (const { body, header, method, path } of commands(read("docs/first-call.md"))) {
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
