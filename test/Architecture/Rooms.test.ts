import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize, relative } from "node:path"

const src = new URL("../../src", import.meta.url).pathname

/** The rooms of `src`, from the bottom up, and the rooms that each may import. */
const rooms: Readonly<Record<string, ReadonlyArray<string>>> = {
  Domain: [],
  "Settings.ts": ["Domain"],
  Api: ["Domain"],
  Redaction: ["Domain"],
  Observability: ["Domain", "Redaction"],
  Sql: ["Settings.ts", "Domain", "Observability"],
  Providers: ["Domain", "Api/Errors.ts", "Redaction", "Observability"],
  Auth: ["Domain", "Api/Errors.ts", "Sql"],
  Events: ["Domain", "Sql"],
  Members: ["Settings.ts", "Domain", "Api/Errors.ts", "Api/ManagementErrors.ts", "Redaction", "Sql", "Events", "Auth"],
  Connections: [
    "Settings.ts",
    "Domain",
    "Api/Errors.ts",
    "Api/ManagementErrors.ts",
    "Observability",
    "Sql",
    "Auth/OpaqueToken.ts",
    "Providers",
    "Members/Audit.ts"
  ],
  Webhooks: [
    "Domain",
    "Api/Errors.ts",
    "Api/ManagementErrors.ts",
    "Observability",
    "Sql",
    "Events",
    "Providers",
    "Members/Audit.ts",
    "Connections"
  ],
  Calls: ["Domain", "Api", "Redaction", "Observability", "Sql", "Providers", "Auth", "Connections"],
  Management: [
    "Settings.ts",
    "Domain",
    "Api/Errors.ts",
    "Api/ManagementErrors.ts",
    "Sql",
    "Providers",
    "Auth",
    "Members",
    "Connections",
    "Webhooks",
    "Calls"
  ],
  Http: [
    "Settings.ts",
    "Domain",
    "Api",
    "Observability",
    "Providers",
    "Auth",
    "Members",
    "Connections",
    "Webhooks",
    "Calls",
    "Management"
  ],
  Authorization: [
    "Settings.ts",
    "Domain",
    "Api/Errors.ts",
    "Providers",
    "Sql",
    "Auth",
    "Members",
    "Connections",
    "Management",
    "Http"
  ],
  Mcp: ["Settings.ts", "Domain", "Api/Errors.ts", "Providers", "Auth", "Connections", "Calls", "Http"],
  Dashboard: ["Domain", "Api"],
  Sandbox: ["Domain", "Providers"],
  Client: ["Domain"],
  "Server.ts": ["*"],
  Cli: ["*"],
  "main.ts": ["Cli"],
  "index.ts": ["*"]
}

/** `Providers` stands for the files directly in it. */
const providerFolders: Readonly<Record<string, ReadonlyArray<string>>> = {
  Providers: ["OAuth", "Upstream"],
  Upstream: ["Providers"],
  OAuth: ["Providers", "Upstream"],
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

const roomOf = (file: string): string => file.split("/")[0] ?? file

const providerFolderOf = (file: string): string => {
  const [, folder = "", ...rest] = file.split("/")
  return rest.length === 0 ? "Providers" : folder
}

const fakeOf = (file: string) => /^Sandbox\/Providers\/(?!Google\/)(\w+)\//.exec(file)?.[1]

describe("The rooms of the house", () => {
  it("are the ones in this table", () => {
    assert.sameMembers(readdirSync(src).filter((name) => name !== "README.md"), Object.keys(rooms))
  })

  it("import only the rooms that the table allows", () => {
    const forbidden = imports.filter(({ from, to }) => {
      const allowed = rooms[roomOf(from)] ?? []
      return roomOf(from) !== roomOf(to) && !allowed.some((room) => room === "*" || room === roomOf(to) || room === to)
    })
    assert.deepStrictEqual(forbidden, [])
  })

  it("stand above the rooms that they import", () => {
    const order = Object.keys(rooms)
    for (const [room, below] of Object.entries(rooms)) {
      for (const other of below.filter((name) => name !== "*")) {
        assert.isBelow(order.indexOf(roomOf(other)), order.indexOf(room), `${room} imports ${other}`)
      }
    }
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
})
