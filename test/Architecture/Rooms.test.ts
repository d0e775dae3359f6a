import { assert, describe, it } from "@effect/vitest"
import { Record } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize, relative } from "node:path"

const src = new URL("../../src", import.meta.url).pathname

/** The rooms of `src`, from the bottom up, and the rooms that each may import. */
const rooms: Readonly<Record<string, ReadonlyArray<string>>> = Record.map({
  Domain: "",
  "Settings.ts": "Domain",
  Declared: "Domain",
  Api: "Domain Declared",
  Observability: "",
  Sql: "Domain Settings.ts Observability",
  Secrets: "Domain Settings.ts Observability Sql",
  Audit: "Domain Declared Sql Secrets",
  Capacity: "Domain Api Sql",
  Outbound: "Domain Capacity",
  Providers: "Domain Api Observability Sql Secrets Capacity Outbound",
  Auth: "Domain Api Sql Secrets",
  Connections: "Domain Settings.ts Api Sql Secrets Audit Capacity Providers Auth",
  Calls: "Domain Settings.ts Api Observability Sql Audit Secrets Capacity Outbound Providers Auth Connections",
  Management: "Domain Settings.ts Api Sql Secrets Audit Capacity Providers Auth Connections Calls",
  Pages: "Domain Settings.ts Api",
  Http: "Domain Declared Settings.ts Api Observability Secrets Audit Capacity Providers Auth Connections Calls " +
    "Management Pages",
  "Core.ts": "Domain Api Sql Secrets Audit Outbound Providers Auth Connections Calls Management Http",
  "Features/Feature.ts": "Settings.ts Sql Secrets Providers Calls Core.ts",
  "Features/FeaturesOff.ts": "Features/Feature.ts",
  Features: "*",
  "Features/Features.ts": "Features Features/Feature.ts",
  "Features/Steps.ts": "Providers Calls Core.ts Features/Feature.ts Features/Features.ts",
  "Features/OwnedData.ts": "Sql Secrets Features/Feature.ts Features/Features.ts",
  "Features/Contracts.ts": "Api Features",
  "Features/Commands.ts": "Features",
  "Features/Pages.ts": "Features",
  "Features/Settings.ts": "Features",
  Dashboard: "Domain Declared Api Features/Contracts.ts Features/Pages.ts",
  Sandbox: "Domain Providers",
  "Registrations.ts": "Settings.ts Providers Sandbox",
  "SettingsSource.ts": "Settings.ts Observability Secrets Management Features/Settings.ts",
  Client: "Domain",
  "Server.ts": "*",
  Cli: "*",
  "main.ts": "Cli",
  "index.ts": "*"
}, (names) => names.split(" ").filter((name) => name !== ""))

/** `Providers` stands for the files directly in it. */
const providerFolders: Readonly<Record<string, ReadonlyArray<string>>> = {
  Providers: ["Sending"],
  Sending: ["Providers"],
  Catalog: ["Providers"],
  OAuth: ["Providers"],
  Metrics: ["Providers", "OAuth"],
  Tooling: ["Providers"],
  Google: ["Providers", "OAuth", "Tooling"],
  Gsc: ["Providers", "Tooling", "Google"],
  Ga4: ["Providers", "Tooling", "Google"],
  Gsheets: ["Providers", "Tooling", "Google"],
  Gdocs: ["Providers", "Tooling", "Google"],
  Sitesearch: ["Providers", "OAuth", "Tooling"]
}

const imports = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((from) =>
    [...readFileSync(join(src, from), "utf8").matchAll(/(?:from|import\()\s*"(\.{1,2}\/[^"]+)"/g)].map(
      ([, specifier = ""]) => ({ from, to: relative(".", normalize(join(dirname(from), specifier))) })
    )
  )
  .filter(({ to }) => !to.startsWith(".."))

/** What a feature declares for the lists of `Declared`, which are below it. */
const isDeclared = (file: string) => /^Features\/\w+\/Declared\.ts$/.test(file)

/** A file directly in `Features` is a room of its own: a list of what the features bring. */
const roomOf = (file: string): string => {
  if (isDeclared(file)) return "Declared"
  return /^Features\/\w+\.ts$/.test(file) ? file : file.split("/")[0] ?? file
}

const providerFolderOf = (file: string): string => {
  const [, folder = "", ...rest] = file.split("/")
  return rest.length === 0 ? "Providers" : folder
}

const fakeOf = (file: string) => /^Sandbox\/Providers\/(?!Google\/)(\w+)\//.exec(file)?.[1]

/** Removes, again and again, what imports nothing that is left or is imported by nothing that is left. */
const circles = <Edge extends { readonly from: string; readonly to: string }>(edges: ReadonlyArray<Edge>) => {
  for (let left = edges;;) {
    const importers = new Set(left.map(({ from }) => from))
    const imported = new Set(left.map(({ to }) => to))
    const next = left.filter(({ from, to }) => importers.has(to) && imported.has(from))
    if (next.length === left.length) return left
    left = next
  }
}

/**
 * The folders with the same parent that an import connects. A file directly in the parent is above both. Each feature
 * is a room.
 */
const folders = ({ from, to }: { readonly from: string; readonly to: string }) => {
  const a = from.replace(/^Features\//, "").split("/").slice(0, -1)
  const b = to.replace(/^Features\//, "").split("/").slice(0, -1)
  const depth = a.findIndex((name, index) => name !== b[index])
  return depth < 0 || depth >= b.length
    ? []
    : [{ from: a.slice(0, depth + 1).join("/"), to: b.slice(0, depth + 1).join("/"), files: `${from} imports ${to}` }]
}

describe("The rooms of the house", () => {
  it("are the ones in this table", () => {
    const names = Object.keys(rooms).filter((name) => !name.includes("/"))
    assert.sameMembers(readdirSync(src).filter((name) => name !== "README.md"), names)
  })

  it("have at most fifteen source files at their roots", () => {
    const crowded = Object.keys(rooms).filter((room) =>
      !room.endsWith(".ts") && readdirSync(join(src, room)).filter((file) => /\.tsx?$/.test(file)).length > 15
    )
    assert.deepStrictEqual(crowded, [])
  })

  it("import only the rooms that the table allows", () => {
    const forbidden = imports.filter(({ from, to }) => {
      const allowed = rooms[roomOf(from)] ?? []
      return roomOf(from) !== roomOf(to) && !allowed.some((room) => room === "*" || room === roomOf(to) || room === to)
    })
    assert.deepStrictEqual(forbidden, [])
  })

  it("know no feature", () => {
    const forbidden = imports.filter(({ from, to }) =>
      /^Features\/\w+\//.test(to) && !from.startsWith("Features/") && from !== "index.ts" &&
      !(isDeclared(to) && roomOf(from) === "Declared")
    )
    assert.deepStrictEqual(forbidden, [])
  })

  it("have features of six members", () => {
    const [, members = ""] = /export interface Feature \{(.*?)\n\}/s.exec(
      readFileSync(join(src, "Features/Feature.ts"), "utf8")
    ) ?? []
    assert.lengthOf(members.match(/^  readonly /gm) ?? [], 6)
  })

  it("stand above the rooms that they import", () => {
    const order = Object.keys(rooms)
    for (const [room, below] of Object.entries(rooms)) {
      for (const other of below.filter((name) => name !== "*")) {
        assert.isBelow(order.indexOf(roomOf(other)), order.indexOf(room), `${room} imports ${other}`)
      }
    }
  })

  it("import each other in no circle of files", () => {
    assert.deepStrictEqual(circles(imports), [])
  })

  it("import each other in no circle of folders", () => {
    assert.deepStrictEqual(
      circles(imports.filter(({ from, to }) => !isDeclared(from) && !isDeclared(to)).flatMap(folders)),
      []
    )
  })

  it("a provider imports no other provider, and what providers share imports none of them", () => {
    const inProviders = imports.filter(({ from, to }) => roomOf(from) === "Providers" && roomOf(to) === "Providers")
    const forbidden = inProviders.filter(({ from, to }) => {
      const [folder, other] = [providerFolderOf(from), providerFolderOf(to)]
      return folder !== other && !(providerFolders[folder] ?? []).includes(other)
    })
    assert.deepStrictEqual(forbidden, [])
  })

  it("a fake provider in the sandbox imports only its own folder and what all of them share", () => {
    const forbidden = imports.filter(({ from, to }) => {
      const other = fakeOf(to)
      return roomOf(from) === "Sandbox" && other !== undefined && other !== fakeOf(from)
    })
    assert.deepStrictEqual(forbidden, [])
  })

  it("write what is known of a call in the pipeline alone", () => {
    const writers = readdirSync(src, { recursive: true, encoding: "utf8" })
      .filter((file) => file.startsWith("Calls/") && file.endsWith(".ts"))
      .filter((file) => /\bcontext\.\w+ = /.test(readFileSync(join(src, file), "utf8")))
    assert.deepStrictEqual(writers, ["Calls/Calls.ts"])
  })
})
